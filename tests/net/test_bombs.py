"""Decompression bombs are stopped at the limit and take hardly any memory."""

from __future__ import annotations

import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest

MEBIBYTE = 1024 * 1024
GIBIBYTE = 1024


def deflated(wbits: int) -> bytes:
    """Return a compressed gibibyte of zeros: after a full flush a block is independent, so it can be repeated."""
    engine = zlib.compressobj(9, wbits=wbits)
    head = engine.compress(b"\0" * MEBIBYTE) + engine.flush(zlib.Z_FULL_FLUSH)
    block = engine.compress(b"\0" * MEBIBYTE) + engine.flush(zlib.Z_FULL_FLUSH)
    return head + block * (GIBIBYTE - 1) + engine.flush()


def brotlied() -> bytes:
    engine = brotli.Compressor(quality=1, lgwin=24)
    zeros = b"\0" * 64 * MEBIBYTE
    return b"".join(engine.process(zeros) for _ in range(GIBIBYTE // 64)) + engine.finish()


def gzipped_twice() -> bytes:
    return zlib.compress(deflated(31), wbits=31)


BOMBS = {
    "gzip": ("gzip", lambda: deflated(31)),
    "zlib": ("deflate", lambda: deflated(15)),
    "raw deflate": ("deflate", lambda: deflated(-15)),
    "brotli": ("br", brotlied),
    "gzip twice, declared": ("gzip, gzip", gzipped_twice),
    "many members": ("gzip", lambda: zlib.compress(b"", wbits=31) * 400_000),
}

EXPECTED = {"gzip twice, declared": "bad_response", "many members": "bad_response"}

# Runs alone, so that its memory is the client's: what stays after a first, small fetch is the ground level.
CLIENT = r"""
import asyncio, re, sys, time
import structlog
from gleanery.environment import Environment
from gleanery.errors import FetchError
from gleanery.net.client import Client
from gleanery.net.exchange import Request

structlog.configure(processors=[lambda *_: (_ for _ in ()).throw(structlog.DropEvent)])

async def main(port):
    # Not ru_maxrss, which a child inherits from the process that started it.
    peak = lambda: int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) / 1024
    async with Client(Environment(net_resolve={"bomb.test": ("127.0.0.1", port)})) as client:
        await client.fetch(Request(url="http://bomb.test/small"))
        before, started = peak(), time.process_time()
        try:
            await client.fetch(Request(url="http://bomb.test/bomb"))
            print("fetched", end=" ")
        except FetchError as error:
            print(error.kind, end=" ")
    print(peak() - before, time.process_time() - started)

asyncio.run(main(int(sys.argv[1])))
"""


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Ignore that the client disconnects early, as it should."""


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[int]:
    encoding, make = BOMBS[request.param]
    bomb = make()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = bomb if self.path == "/bomb" else b"small"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            if self.path == "/bomb":
                self.send_header("Content-Encoding", encoding)
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("served", "name"), [(name, name) for name in BOMBS], indirect=["served"])
def test_a_bomb_stops_at_the_limit(served: int, name: str):
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, str(served)], capture_output=True, text=True, check=True, timeout=60
    )
    kind, mebibytes, seconds = done.stdout.split()
    assert kind == EXPECTED.get(name, "too_large")
    assert float(mebibytes) < 64
    assert float(seconds) < 5
