"""Loopback web servers that send exactly the bytes given by a test."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gleanery.environment import Environment

Writer = asyncio.StreamWriter
Handler = Callable[["Heard", Writer], Awaitable[None]]


@dataclass
class Heard:
    """A request as received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Site:
    port: int
    heard: list[Heard] = field(default_factory=list)
    connections: int = 0

    @property
    def where(self) -> tuple[str, int]:
        return ("127.0.0.1", self.port)


@asynccontextmanager
async def site(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[Site]:
    made = Site(0)
    running: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: Writer) -> None:
        made.connections += 1
        try:
            while heard := await hear(reader):
                made.heard.append(heard)
                await handler(heard, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: Writer) -> None:
        task = asyncio.get_running_loop().create_task(serve(reader, writer))
        running.add(task)
        task.add_done_callback(running.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        for task in list(running):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        with contextlib.suppress(ssl.SSLError):
            await server.wait_closed()


async def hear(reader: asyncio.StreamReader) -> Heard | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Heard(method, path, headers, body)


def answer(status: int = 200, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def says(data: bytes) -> Handler:
    async def handler(heard: Heard, writer: Writer) -> None:
        writer.write(data)

    return handler


def says_and_closes(data: bytes) -> Handler:
    async def handler(heard: Heard, writer: Writer) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()

    return handler


def environment(**names: Site) -> Environment:
    """Run a client that resolves each server by its keyword: `www=site` is www.test."""
    return Environment(net_resolve={f"{name}.test": made.where for name, made in names.items()})
