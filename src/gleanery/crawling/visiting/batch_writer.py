"""Where the slices of one worker meet its one database connection: what comes together is written together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sized
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, ParamSpec, Self, TypeVar
from uuid import UUID

import structlog
from django.db import connection
from psycopg import DataError, IntegrityError

from gleanery.crawling.frontier import leases
from gleanery.crawling.frontier import statements as storage
from gleanery.crawling.frontier.leases import Lease
from gleanery.crawling.frontier.statements import Done
from gleanery.database import failures
from gleanery.errors import DatabaseProblem

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Given = TypeVar("Given")

# To write at all costs as much as to write several pages more. So a batch waits for this part of the sites at work, but
# no longer than a moment: those that rest or are slow need not hold up the others.
SHARE = 3
MOMENT = 0.05
# Nobody waits for the disk: should the server itself crash, the last moment is lost as a whole. Crawls, frontier and
# pages go back together then, and what was done in that moment is done again.
# A plan that is kept must not read whole tables because they were empty when it was made.
MANNERS = "SET synchronous_commit = off; SET enable_seqscan = off"
SEEN_BEFORE = 2  # so often a statement comes before its plan is kept; Django keeps none


class LeaseLost(Exception):
    """The site is no longer ours to ask, or its crawl was stopped; whatever was under way is thrown away."""


class Desk:
    """`async with Desk(slices) as desk`; all statements run in one thread of its own, in the order in which they came.

    `trouble` is set when the database was lost, or has no room. The next statement opens another connection, but the
    leases were those of the first: they are free for anybody by now.
    """

    def __init__(self, slices: Sized) -> None:
        self._slices = slices
        self._connection: Any = None

    async def __aenter__(self) -> Self:
        self.trouble: DatabaseProblem | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="crawling-desk")
        self._commits = Batch(self, _commit, lambda: len(self._slices) // SHARE)
        self._holds = Batch(self, _hold)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, _hang_up)
        self._thread.shutdown()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """A piece of work that touches the database."""

        def run() -> T:
            try:
                with failures.told():
                    self._open()
                    return work(*args, **kwargs)
            except DatabaseProblem as problem:
                self.trouble = problem
                raise
            finally:
                _drop_if_closed()

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    def _open(self) -> None:
        connection.ensure_connection()
        if connection.connection is not self._connection:
            leases.execute(MANNERS)
            self._connection = connection.connection
            self._connection.prepare_threshold = SEEN_BEFORE

    async def commit(self, done: Done) -> None:
        if not await self._commits.add(done):
            raise LeaseLost

    async def hold(self, lease: Lease, pause: float) -> None:
        """Before a request: may it still be made? The site rests so long from now on, even if we die meanwhile."""
        if not await self._holds.add((lease, pause)):
            raise LeaseLost


class Batch(Generic[Given]):
    """Gathers what many slices hand in while the desk is busy, or until it is enough, and hands it over as one."""

    def __init__(
        self, desk: Desk, work: Callable[[list[Given]], list[bool]], enough: Callable[[], int] = lambda: 1
    ) -> None:
        self._desk = desk
        self._work = work
        self._enough = enough
        self._full = asyncio.Event()
        self._waiting: list[tuple[Given, asyncio.Future[bool]]] = []
        self._running: asyncio.Task[None] | None = None

    def add(self, given: Given) -> asyncio.Future[bool]:
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((given, future))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._hand_over())
        elif len(self._waiting) >= self._enough():
            self._full.set()
        return future

    async def _hand_over(self) -> None:
        while self._waiting:
            await self._gather()
            batch, self._waiting = self._waiting, []
            try:
                answers: list[Any] = list(await self._desk.run(self._work, [given for given, _ in batch]))
            except Exception as problem:
                answers = [problem] * len(batch)
            for (_, future), answer in zip(batch, answers, strict=True):
                _settle(future, answer)

    async def _gather(self) -> None:
        if len(self._waiting) >= self._enough():
            return
        self._full.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                await self._full.wait()


def _drop_if_closed() -> None:
    """Django would use such a connection for ever, since it sees nothing of statements that go past it."""
    if connection.connection is not None and connection.connection.closed:
        connection.close()


def _hang_up() -> None:
    """Of the thread in which it runs: each has a connection of its own."""
    connection.close()


def _settle(future: asyncio.Future[bool], answer: Any) -> None:
    if future.done():
        return  # its slice was cancelled meanwhile
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def _commit(batch: list[Done]) -> list[bool]:
    held = _stored(batch)
    return [done.lease.token in held for done in batch]


def _stored(batch: list[Done]) -> set[UUID]:
    """One page that cannot be stored must not cost the others theirs: then each is tried alone."""
    try:
        return storage.commit(batch)
    except (DataError, IntegrityError):
        log.exception("a batch of pages could not be stored; each is tried alone")
    held: set[UUID] = set()
    for done in batch:
        try:
            held |= storage.commit([done])
        except (DataError, IntegrityError):
            log.exception("a page could not be stored", url=done.visit.url)
            held |= storage.commit([_without_content(done)])
    return held


def _without_content(done: Done) -> Done:
    reason = "It was read, but could not be stored; the log of the worker says why."
    return replace(done, state="failed", reason=reason, page=None, snapshot=None, found=[])


def _hold(batch: list[tuple[Lease, float]]) -> list[bool]:
    held = leases.hold([lease for lease, _ in batch], [pause for _, pause in batch])
    return [lease.token in held for lease, _ in batch]
