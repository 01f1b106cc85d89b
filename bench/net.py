"""What the guarded client costs beside bare aiohttp: 20 kB pages from a server in another process on loopback.

Run: .venv/bin/python bench/net.py [requests per round]. The claim: at most 15% more CPU and at least 85% of the speed.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import multiprocessing
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection

import aiohttp

from gleanery.environment import Environment
from gleanery.net.client import Client
from gleanery.net.exchange import Request

ROUNDS = 9
AT_ONCE = 16
ALLOWED = 1.15

WORDS = ("fund", "school", "grant", "Sofia", "event", "deadline", "programme", "фондация", "училище", "конкурс")
Fetch = Callable[[], Awaitable[int]]


def page() -> bytes:
    """Text of 20 kB that packs about as well as a real page."""
    random.seed(1)
    return "".join(f"<p>{random.choice(WORDS)} {random.random()}</p>" for _ in range(700)).encode()[:20_000]


def said(body: bytes, *headers: bytes) -> bytes:
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", b"Content-Length: %d" % len(body), *headers)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Server(asyncio.Protocol):
    """Says the same page to everybody as fast as it can."""

    answers = {b"GET /plain": said(page()), b"GET /gzip/": said(gzip.compress(page(), 6), b"Content-Encoding: gzip")}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.answers[data[:10]])  # type: ignore[attr-defined]


def serve(told: Connection) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def measured(fetch: Fetch, count: int) -> tuple[float, float]:
    """Requests a second, and CPU milliseconds a page."""
    left = iter(range(count))

    async def work() -> None:
        for _ in left:
            assert await fetch() == 20_000

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return count / (time.perf_counter() - started), (time.process_time() - cpu) * 1000 / count


async def compare(kind: str, port: int, count: int) -> bool:
    async with (
        Client(Environment(net_resolve={"bench.test": ("127.0.0.1", port)})) as client,
        aiohttp.ClientSession() as session,
    ):
        # No crawl asks for a page twice, so no URL comes twice: both clients parse each anew.
        page = itertools.count()

        async def guarded() -> int:
            return len((await client.fetch(Request(url=f"http://bench.test/{kind}/{next(page)}"))).body)

        async def bare() -> int:
            async with session.get(f"http://127.0.0.1:{port}/{kind}/{next(page)}") as response:
                return len(await response.read())

        rows: dict[str, list[tuple[float, float]]] = {"bare aiohttp": [], "gleanery": []}
        for round_ in range(ROUNDS + 1):
            for name, fetch in (("bare aiohttp", bare), ("gleanery", guarded)):
                row = await measured(fetch, count)
                if round_:  # the first round opens the connections
                    rows[name].append(row)
    return told(kind, rows)


def told(kind: str, rows: dict[str, list[tuple[float, float]]]) -> bool:
    for name, row in rows.items():
        speed, cpu = (statistics.median(column) for column in zip(*row, strict=True))
        print(f"{kind:6} {name:13} {speed:7.0f} requests/s  {cpu:6.3f} ms CPU a page")
    pairs = list(zip(rows["gleanery"], rows["bare aiohttp"], strict=True))
    cost = statistics.median(ours[1] / theirs[1] for ours, theirs in pairs)
    speed = statistics.median(ours[0] / theirs[0] for ours, theirs in pairs)
    print(f"{kind:6} CPU {100 * (cost - 1):+.1f}%, speed {100 * (speed - 1):+.1f}% (medians of {ROUNDS} paired rounds)")
    return cost <= ALLOWED


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        port = ours.recv()
        held = [asyncio.run(compare(kind, port, count)) for kind in ("plain", "gzip")]
    finally:
        server.terminate()
        server.join()
    print("held" if all(held) else "NOT held: the guarded client costs more than 15%")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
