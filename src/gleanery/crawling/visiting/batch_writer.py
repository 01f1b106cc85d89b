"""Writes the results of many time slices over one database connection, in batches."""

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
from gleanery.crawling.frontier.statements import FinishedVisit
from gleanery.database import failures
from gleanery.errors import DatabaseProblem

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Given = TypeVar("Given")

# A write costs as much as several more pages in it. So a batch waits for a third of the active sites, but only
# briefly: slow or resting sites must not hold up the others.
BATCH_SHARE = 3
LONGEST_WAIT = 0.05
# Commits do not wait for the disk: if the server crashes, crawls, frontier and pages lose the last moment together and
# the work is repeated. Cached plans must not scan tables that were empty when they were planned.
SESSION_SETTINGS = "SET synchronous_commit = off; SET enable_seqscan = off"
PREPARED_AFTER = 2  # executions of a statement; Django prepares none


class LeaseLost(Exception):
    """The lease is no longer held or the crawl was stopped; unfinished work is discarded."""


class BatchWriter:
    """Use as `async with BatchWriter(slices) as writer`; statements run in order, in a thread of its own.

    `problem` is set when the database was lost or its disk is full. The next statement opens a new connection, but the
    leases belonged to the old one and are free by then.
    """

    def __init__(self, slices: Sized) -> None:
        self._slices = slices
        self._connection: Any = None

    async def __aenter__(self) -> Self:
        self.problem: DatabaseProblem | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="crawling-desk")
        self._commits = Batch(self, _commit, lambda: len(self._slices) // BATCH_SHARE)
        self._holds = Batch(self, _hold)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, _close_connection)
        self._thread.shutdown()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that uses the database in the writer's thread."""

        def run() -> T:
            try:
                with failures.translated():
                    self._open()
                    return work(*args, **kwargs)
            except DatabaseProblem as problem:
                self.problem = problem
                raise
            finally:
                _drop_if_closed()

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    def _open(self) -> None:
        connection.ensure_connection()
        if connection.connection is not self._connection:
            leases.execute(SESSION_SETTINGS)
            self._connection = connection.connection
            self._connection.prepare_threshold = PREPARED_AFTER

    async def commit(self, done: FinishedVisit) -> None:
        if not await self._commits.add(done):
            raise LeaseLost

    async def hold(self, lease: Lease, pause: float) -> None:
        """Extend the lease before a request and set the site's pause, which holds even if this process dies."""
        if not await self._holds.add((lease, pause)):
            raise LeaseLost


class Batch(Generic[Given]):
    """Collects items of many slices while the writer is busy, or until there are enough, and writes them together."""

    def __init__(
        self, writer: BatchWriter, work: Callable[[list[Given]], list[bool]], enough: Callable[[], int] = lambda: 1
    ) -> None:
        self._writer = writer
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
                answers: list[Any] = list(await self._writer.run(self._work, [given for given, _ in batch]))
            except Exception as problem:
                answers = [problem] * len(batch)
            for (_, future), answer in zip(batch, answers, strict=True):
                _settle(future, answer)

    async def _gather(self) -> None:
        if len(self._waiting) >= self._enough():
            return
        self._full.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_WAIT):
                await self._full.wait()


def _drop_if_closed() -> None:
    """Drop a lost connection; Django does not notice, since our statements bypass it."""
    if connection.connection is not None and connection.connection.closed:
        connection.close()


def _close_connection() -> None:
    """Close the connection of the thread this runs in."""
    connection.close()


def _settle(future: asyncio.Future[bool], answer: Any) -> None:
    if future.done():
        return  # its slice was cancelled
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def _commit(batch: list[FinishedVisit]) -> list[bool]:
    held = _stored(batch)
    return [done.lease.token in held for done in batch]


def _stored(batch: list[FinishedVisit]) -> set[UUID]:
    """Store a batch; if that fails, store each visit alone, so that one bad page does not lose the others."""
    try:
        return storage.commit(batch)
    except (DataError, IntegrityError):
        log.exception("a batch of pages could not be stored; each is stored alone")
    held: set[UUID] = set()
    for done in batch:
        try:
            held |= storage.commit([done])
        except (DataError, IntegrityError):
            log.exception("a page could not be stored", url=done.visit.url)
            held |= storage.commit([_without_content(done)])
    return held


def _without_content(done: FinishedVisit) -> FinishedVisit:
    reason = "It was read, but could not be stored. The worker's log says why."
    return replace(done, state="failed", reason=reason, page=None, snapshot=None, found=[])


def _hold(batch: list[tuple[Lease, float]]) -> list[bool]:
    held = leases.hold([lease for lease, _ in batch], [pause for _, pause in batch])
    return [lease.token in held for lease, _ in batch]
