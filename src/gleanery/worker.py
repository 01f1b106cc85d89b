"""The worker: takes jobs, and does what runs beside them, until a signal stops it; a lost database only delays it."""

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
from gleanery.database.patience import pause_after
from gleanery.errors import DatabaseProblem
from gleanery.jobs import HEARTBEAT_SECONDS, STALLED_AFTER_SECONDS

log = structlog.get_logger(__name__)

# A long job must not keep the sweeper from running.
JOBS_AT_ONCE = 4
SECONDS_TO_FINISH = 10
SECONDS_FOR_A_CONNECTION = 3  # while it waits for one, it does not start the server that it waits for
STEADY_SECONDS = 60  # whoever ran so long begins with short pauses again
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Beside = Callable[[], Coroutine[Any, Any, None]]


class Stop:
    """Whether a signal asked the worker to stop. It wakes an event loop that listens and interrupts all else."""

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
    """Returns when a signal asked for it; a job under way has ten seconds to finish, and what runs beside ends with it.

    When the database is lost, all of it ends and begins anew, as another worker to the queue: so a job whose end could
    not be written down is given to somebody by the sweeper.
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
                    log.warning("the database was lost; the worker begins anew once it answers", reason=str(problem))
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
    """Until it is asked to stop; before that an error says why it ended."""
    over = asyncio.Event()
    _notice_lost_jobs(over)
    with stop.waking(over):
        async with running.open_async():
            # Nobody else would notice that one of them broke: the first that ends, ends all.
            tasks = [asyncio.create_task(each) for each in (over.wait(), _jobs(running), *(each() for each in beside))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
    for problem in ended:
        if isinstance(problem, Exception):
            raise problem
    if not stop.asked:  # a part of procrastinate lost its connection, and it stopped in order
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
    """Procrastinate drops the error where it cannot write down the end of a job, which would then stay as if it ran."""

    def notice(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), ConnectorException | DatabaseProblem):
            over.set()
        else:
            loop.default_exception_handler(context)

    asyncio.get_running_loop().set_exception_handler(notice)
