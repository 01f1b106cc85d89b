"""Overhead of the guarded client over plain aiohttp: 20 kB pages from a server in another process on loopback.

Run: .venv/bin/python bench/net.py [requests per round]

- kept, plain and kept, gzip: one connection for many pages and a fixed name; the guard has nothing to do, so this is
  the cost of URL parsing, deadlines, size limits and clean headers.
- new: a new connection for every page, with a guarded lookup. The claim: the guard costs at most 15%.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import multiprocessing
import random
import socket
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from multiprocessing.connection import Connection
from typing import Any

import aiohttp

from gleanery.environment import Environment
from gleanery.net.client import Client
from gleanery.net.exchange import Request

ROUNDS = 60
AT_ONCE = 16
ALLOWED = 1.15
PUBLIC = "93.184.215.14"

WORDS = ("fund", "school", "grant", "Sofia", "event", "deadline", "programme", "фондация", "училище", "конкурс")
Fetch = Callable[[], Awaitable[int]]


def page() -> bytes:
    """Return 20 kB of text that compresses about as well as a real page."""
    random.seed(1)
    return "".join(f"<p>{random.choice(WORDS)} {random.random()}</p>" for _ in range(700)).encode()[:20_000]


def said(body: bytes, *headers: bytes) -> bytes:
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", b"Content-Length: %d" % len(body), *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Server(asyncio.Protocol):
    """Server that sends the same page to every request."""

    answers = {
        b"/plain": said(page()),
        b"/gzip/": said(gzip.compress(page(), 6), b"Content-Encoding: gzip"),
        b"/new/1": said(page(), b"Connection: close"),
    }

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.answers[data[4:10]])
        if data[5:8] == b"new":
            self.transport.close()


def serve(pipe: Connection) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0, backlog=1024)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


class Home(aiohttp.abc.AbstractResolver):
    """Resolver for plain aiohttp, as fast as that of the guarded client, but without checks."""

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[Any]:
        return [{"hostname": host, "host": PUBLIC, "port": port, "family": family, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        """Do nothing; no resources are open."""


async def lookup(host: str) -> Sequence[str]:
    return (PUBLIC,)


def homing(port: int) -> Callable[[Any], socket.socket]:
    """Return a factory for sockets that connect to this server instead of a public address."""

    class Homing(socket.socket):
        def connect(self, address: Any) -> None:
            super().connect(("127.0.0.1", port))

    return lambda where: Homing(where[0], where[1], where[2])


async def measured(fetch: Fetch, count: int) -> tuple[float, float]:
    """Return requests per second and CPU milliseconds per page."""
    left = iter(range(count))

    async def work() -> None:
        for _ in left:
            assert await fetch() == 20_000

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return count / (time.perf_counter() - started), (time.process_time() - cpu) * 1000 / count


def clients(port: int, path: str) -> tuple[Client, AbstractAsyncContextManager[aiohttp.ClientSession]]:
    if not path.startswith("/new"):
        return Client(Environment(net_resolve={"bench.test": ("127.0.0.1", port)})), aiohttp.ClientSession()
    connector = aiohttp.TCPConnector(resolver=Home(), socket_factory=homing(port), use_dns_cache=False)
    return Client(Environment(), lookup=lookup, open_socket=homing(port)), aiohttp.ClientSession(connector=connector)


async def compare(label: str, path: str, port: int, count: int) -> float:
    guarded_client, bare_client = clients(port, path)
    host = "bench.test" if path.startswith("/new") else f"127.0.0.1:{port}"
    number = itertools.count()  # different URLs, because no crawl requests a page twice
    async with guarded_client as client, bare_client as session:

        async def guarded() -> int:
            return len((await client.fetch(Request(url=f"http://bench.test{path}{next(number)}"))).body)

        async def bare() -> int:
            async with session.get(f"http://{host}{path}{next(number)}") as response:
                return len(await response.read())

        rows: dict[str, list[tuple[float, float]]] = {"bare aiohttp": [], "gleanery": []}
        for round_ in range(ROUNDS + 1):
            for name, fetch in (("bare aiohttp", bare), ("gleanery", guarded)):
                row = await measured(fetch, count)
                if round_:  # the first round warms up
                    rows[name].append(row)
    return print_rows(label, rows)


def print_rows(label: str, rows: dict[str, list[tuple[float, float]]]) -> float:
    for name, row in rows.items():
        speed, cpu = (statistics.median(column) for column in zip(*row, strict=True))
        print(f"{label:12} {name:13} {speed:7.0f} requests/s  {cpu:6.3f} ms CPU a page")
    pairs = list(zip(rows["gleanery"], rows["bare aiohttp"], strict=True))
    cost = statistics.median(ours[1] / theirs[1] for ours, theirs in pairs)
    speed = statistics.median(ours[0] / theirs[0] for ours, theirs in pairs)
    print(
        f"{label:12} CPU {100 * (cost - 1):+.1f}%, speed {100 * (speed - 1):+.1f}% (medians of {ROUNDS} paired rounds)"
    )
    return cost


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        port = ours.recv()
        asyncio.run(compare("kept, plain", "/plain/", port, count))
        asyncio.run(compare("kept, gzip", "/gzip/", port, count))
        cost = asyncio.run(compare("new", "/new/1", port, count))
    finally:
        server.terminate()
        server.join()
    print("held: the guard costs at most 15%" if cost <= ALLOWED else "NOT held: the guard costs more than 15%")
    return 0 if cost <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
