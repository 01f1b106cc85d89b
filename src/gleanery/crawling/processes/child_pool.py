"""A pool of child processes that are killed and replaced when a page takes too much time or memory."""

from __future__ import annotations

import asyncio
import contextlib
import marshal
import os
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, cast

from gleanery.crawling.processes.child_process import SIZE
from gleanery.errors import Unreadable

SECONDS = 5.0
START_SECONDS = 30.0  # generous, for a busy machine

# Environment variables a child gets: no keys or passwords.
PASSED_ON = ("PYTHON", "PATH", "LANG", "LC_", "LD_LIBRARY_PATH", "DYLD_", "TZ", "VIRTUAL_ENV")
# Return memory to the system in large pieces only: otherwise each page has to allocate again.
MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(16 << 20), "MALLOC_MMAP_THRESHOLD_": str(4 << 20)}

NOT_STARTED = "The process that reads pages could not be started."
DIED = "The process that read it died."


class ChildPool:
    """Processes that run a serving module (see child_process.py); subclasses define the questions.

    Each child answers one question at a time, and callers are served in order. A cancelled caller gives up its
    answer, not the child: the child is free again once it has answered.
    """

    module: str

    def __init__(self, processes: int = 1, *, seconds: float = SECONDS) -> None:
        self._seats = [_Slot(self.module, seconds, self._free) for _ in range(processes)]
        self._idle: asyncio.Queue[_Slot] = asyncio.Queue()
        self._closed = False

    async def __aenter__(self) -> Self:
        for seat in self._seats:
            self._free(seat)
        try:
            await asyncio.gather(*(seat.child() for seat in self._seats))
        except ChildLost as problem:
            await self.close()
            raise Unreadable(str(problem)) from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Kill all children; callers that still wait get Unreadable."""
        self._closed = True
        await asyncio.gather(*(seat.clear() for seat in self._seats))

    async def ask(self, message: bytes) -> Any:
        """Return the child's answer, or raise ChildLost."""
        seat = await self._idle.get()
        if self._closed:
            self._free(seat)  # so that the next waiting caller gets the same error
            raise Unreadable("Reading pages has ended.")
        try:
            child = await seat.child()
        except BaseException:
            self._free(seat)
            raise
        return await child.ask(message)

    def _free(self, seat: _Slot) -> None:
        self._idle.put_nowait(seat)


class ChildLost(Exception):
    """No answer came; the child has ended or will be killed."""


class _Slot:
    """The slot of one child; when the child is lost, the next caller starts another."""

    def __init__(self, module: str, seconds: float, free: Callable[[_Slot], None]) -> None:
        self._module = module
        self._seconds = seconds
        self._free = free
        self._child: _Child | None = None

    async def child(self) -> _Child:
        if self._child is None or self._child.spent:
            await self.clear()
            self._child = await _started(self._module, self._seconds, lambda: self._free(self))
        return self._child

    async def clear(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.end()


async def _started(module: str, seconds: float, free: Callable[[], None]) -> _Child:
    _, child = await asyncio.get_running_loop().subprocess_exec(
        lambda: _Child(seconds, free),
        sys.executable,
        "-P",
        "-m",
        module,
        str(int(2 * seconds) + 1),
        stderr=None,
        env={name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)} | MEMORY,
    )
    try:
        await asyncio.wait_for(child.ready, START_SECONDS)
    except BaseException as problem:
        await child.end()
        if isinstance(problem, TimeoutError):
            raise ChildLost(NOT_STARTED) from None
        raise
    return child


class _Child(asyncio.SubprocessProtocol):
    """One process and the question it is working on."""

    def __init__(self, seconds: float, free: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.spent = False
        self._ended: asyncio.Future[None] = loop.create_future()
        self._seconds = seconds
        self._free = free
        self._answer: asyncio.Future[Any] | None = None
        self._received = bytearray()
        self._problem = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process = cast(asyncio.SubprocessTransport, transport)
        self._input = cast(asyncio.WriteTransport, self._process.get_pipe_transport(0))

    async def ask(self, message: bytes) -> Any:
        """Send a question; `free` is called once the child is idle or dead, even if the caller was cancelled."""
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        self._timer = loop.call_later(self._seconds, self._run_out)
        self._input.write(message)
        return await self._answer

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._received += data
        while len(self._received) >= SIZE.size:
            end = SIZE.size + SIZE.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            message = bytes(self._received[SIZE.size : end])
            del self._received[:end]
            self._take(message)

    def _take(self, message: bytes) -> None:
        if not message:
            self.ready.set_result(None)
            return
        values, problem, spent = marshal.loads(message)  # noqa: S302 - from our own child
        if spent:
            self._kill()
        answer = self._finished()
        if answer.done():  # the caller was cancelled
            return
        if problem:
            answer.set_exception(ChildLost(problem))
        else:
            answer.set_result(values)

    def _finished(self) -> asyncio.Future[Any]:
        answer, self._answer = self._answer, None
        assert answer is not None  # noqa: S101 - the child speaks only when asked
        self._timer.cancel()
        self._free()
        return answer

    def _run_out(self) -> None:
        self._problem = f"Reading it took more than {self._seconds:g} seconds."
        self._kill()

    def _kill(self) -> None:
        self.spent = True
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def connection_lost(self, exc: Exception | None) -> None:
        self.spent = True
        self._ended.set_result(None)
        if not self.ready.done():
            self.ready.set_exception(ChildLost(NOT_STARTED))
        if self._answer is not None:
            answer = self._finished()
            if not answer.done():
                answer.set_exception(ChildLost(self._problem or DIED))

    async def end(self) -> None:
        self.spent = True
        self._process.close()  # kills it
        await asyncio.shield(self._ended)
