"""Worker: runs jobs and accompanying tasks until a signal stops it, and recovers when the database is lost."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import structlog
from django.conf import settings
from django.db import connection
from procrastinate import App, PsycopgConnector
from procrastinate.contrib.django import app
from procrastinate.contrib.django.utils import connector_params
from procrastinate.exceptions import ConnectorException

from gleanery.database import failures, launcher
from gleanery.database.backoff import pause_after
from gleanery.errors import DatabaseProblem
from gleanery.jobs import HEARTBEAT_SECONDS, STALLED_AFTER_SECONDS

log = structlog.get_logger(__name__)

# More than one, so that a long job does not block the sweeper.
JOBS_AT_ONCE = 4
SECONDS_TO_FINISH = 10
SECONDS_FOR_A_CONNECTION = 3  # short, because the worker cannot restart the server while it waits
STEADY_SECONDS = 60  # after running this long, pauses start short again
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Beside = Callable[[], Coroutine[Any, Any, None]]


class Stop:
    """Signal handler that records a request to stop, and wakes the event loop or interrupts blocking code."""

    def __init__(self) -> None:
        self.asked = False
        self._wake: Callable[[], object] | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if self._wake is None:
            raise KeyboardInterrupt
        self._wake()

    @contextmanager
    def waking(self, event: asyncio.Event) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(event.set)
        try:
            yield
        finally:
            self._wake = None


def run_worker(*beside: Beside) -> None:
    """Run jobs and accompanying tasks until a signal; running jobs then have ten seconds to finish.

    When the database is lost, everything ends and restarts as a new worker, so the sweeper can return jobs whose end
    could not be recorded.
    """
    stop, failed = Stop(), 0
    for number in SIGNALS:
        signal.signal(number, stop)
    with suppress(KeyboardInterrupt):
        while not stop.asked:
            began = time.monotonic()
            try:
                _run(beside, stop)
            except Exception as error:
                problem = failures.of(error)
                if problem is None:
                    raise
                if not stop.asked:
                    failed = 0 if time.monotonic() - began > STEADY_SECONDS else failed + 1
                    log.warning(
                        "the database was lost; the worker restarts when it is available again", reason=str(problem)
                    )
                    time.sleep(pause_after(failed))


def _run(beside: Iterable[Beside], stop: Stop) -> None:
    if not settings.ENVIRONMENT.database_url:
        launcher.revive(settings.ENVIRONMENT.data_dir)
    connection.close()
    connection.ensure_connection()
    connector = PsycopgConnector(kwargs=connector_params(), timeout=SECONDS_FOR_A_CONNECTION)
    with app.replace_connector(connector) as running:
        asyncio.run(_work(running, beside, stop))


async def _work(running: App, beside: Iterable[Beside], stop: Stop) -> None:
    """Run until asked to stop, or raise the error that ended it."""
    over = asyncio.Event()
    _notice_lost_jobs(over)
    with stop.waking(over):
        async with running.open_async():
            # The first task that ends also ends the others, so that a failure is noticed.
            tasks = [asyncio.create_task(each) for each in (over.wait(), _jobs(running), *(each() for each in beside))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
    for problem in ended:
        if isinstance(problem, Exception):
            raise problem
    if not stop.asked:  # a part of procrastinate lost its connection and stopped normally
        raise DatabaseProblem(failures.LOST)


async def _jobs(running: App) -> None:
    await running.run_worker_async(
        concurrency=JOBS_AT_ONCE,
        install_signal_handlers=False,
        update_heartbeat_interval=HEARTBEAT_SECONDS,
        stalled_worker_timeout=STALLED_AFTER_SECONDS,
        shutdown_graceful_timeout=SECONDS_TO_FINISH,
    )


def _notice_lost_jobs(over: asyncio.Event) -> None:
    """End the worker if procrastinate cannot record the end of a job, which it would otherwise ignore."""

    def notice(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), ConnectorException | DatabaseProblem):
            over.set()
        else:
            loop.default_exception_handler(context)

    asyncio.get_running_loop().set_exception_handler(notice)
