"""Test web sites in a separate process on one loopback port, with a log written by the server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self, TextIO

ROOT = Path(__file__).parents[2]
LOOPBACK = "127.0.0.1"
# The first byte of a TLS handshake: these sites speak plain HTTP only.
HANDSHAKE = b"\x16"

Writer = asyncio.StreamWriter


@dataclass
class Asked:
    """A request as received; the handler sets the status for the log."""

    method: str
    host: str
    path: str
    headers: dict[str, str]
    status: int = 0


class Logged(NamedTuple):
    """One line of the server's log, with times of the monotonic clock, comparable between processes."""

    start: float
    end: float
    host: str
    path: str
    status: int
    conditional: bool
    agent: str


Handler = Callable[[Asked, Writer], Awaitable[None]]


@dataclass
class Server:
    """`await Server(handler, log).run()` prints its port and ends when standard input is closed."""

    handler: Handler
    log: TextIO
    to_a_handshake: bytes = b""
    talks: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        server = await asyncio.start_server(self._accept, LOOPBACK, 0, limit=256 * 1024, backlog=1024)
        print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - how the parent learns it
        await end_of_parent()
        server.close()

    def _accept(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self.talks.add(task)
        task.add_done_callback(self.talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            while first := await reader.read(1):
                if first == HANDSHAKE:
                    writer.write(self.to_a_handshake)
                    break
                asked = parsed(first + await reader.readuntil(b"\r\n\r\n"))
                await self._answer(asked, writer)
                if writer.is_closing() or asked.headers.get("connection") == "close":
                    break
        writer.close()

    async def _answer(self, asked: Asked, writer: Writer) -> None:
        """Log the request right after its last byte, so that requests in sequence never appear to overlap."""
        start = time.monotonic()
        try:
            await self.handler(asked, writer)
            await writer.drain()
        finally:
            self.note(asked, start)

    def note(self, asked: Asked, start: float) -> None:
        conditional = "if-none-match" in asked.headers or "if-modified-since" in asked.headers
        agent = asked.headers.get("user-agent", "")
        end = time.monotonic()
        row = (f"{start:.6f}", f"{end:.6f}", asked.host, asked.path, asked.status, int(conditional), agent)
        self.log.write("\t".join(map(str, row)) + "\n")
        self.log.flush()


def parsed(head: bytes) -> Asked:
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(method, headers.get("host", "").partition(":")[0], path, headers)


def answer(status: int, body: bytes = b"", *headers: str, kind: str = "text/html; charset=utf-8") -> bytes:
    lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def end_of_parent() -> None:
    """Wait for standard input to close, so that the server ends with its test."""
    gone = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), lambda: os.read(0, 1024) or gone.set())
    await gone.wait()


class ServerProcess:
    """`with ServerProcess(module, names, argument) as sites` runs a server and gives its port, names and log."""

    def __init__(self, module: str, names: Iterable[str], argument: str = "") -> None:
        self.names = list(names)
        self._folder = tempfile.TemporaryDirectory()
        self.log = Path(self._folder.name) / "requests.log"
        self.log.touch()
        self._command = [sys.executable, "-m", module, str(self.log), argument]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()
        self._folder.cleanup()

    @property
    def resolve(self) -> str:
        """Value for GLEANERY_NET_RESOLVE."""
        return ",".join(f"{name}={LOOPBACK}:{self.port}" for name in self.names)

    def requests(self) -> list[Logged]:
        rows = (line.split("\t", 6) for line in self.log.read_text().splitlines())
        return [
            Logged(float(start), float(end), host, path, int(status), conditional == "1", agent)
            for start, end, host, path, status, conditional, agent in rows
        ]

    def requests_of(self, host: str) -> list[Logged]:
        """Return the requests to this host in the order they began."""
        return sorted(each for each in self.requests() if each.host == host)
