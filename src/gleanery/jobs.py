"""Background jobs: the sweeper that gives the jobs of dead workers to living ones, and what the queue holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, cast

import structlog
from django.db.models import Count
from procrastinate import App
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 10
STALLED_AFTER_SECONDS = 30
# A long job must not keep the sweeper from running.
JOBS_AT_ONCE = 4


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="sweep_stalled_jobs")
async def sweep_stalled_jobs(timestamp: int) -> None:
    """A worker that was killed sends no heartbeat: its jobs go back to the queue, within two minutes at the latest."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER_SECONDS):
        log.warning("a job's worker died; the job is run again", job=job.id, task=job.task_name)
        await _retry(job)


async def _retry(job: Job) -> None:
    """Each alone. Where the same job waits already, the dead one is given up: its twin does the work."""
    try:
        await app.job_manager.retry_job(job)
    except UniqueViolation:
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=False)
    except ConnectorException:
        log.exception("a stalled job could not be given back; the next sweep tries again", job=job.id)


def counts() -> dict[str, int]:
    rows = ProcrastinateJob.objects.values("status").annotate(count=Count("id"))
    return {row["status"]: row["count"] for row in rows}


def run_worker(*beside: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Takes jobs until a signal ends it; a job under way has ten seconds to finish. What runs beside ends with it."""
    connector = cast(DjangoConnector, app.connector)
    with app.replace_connector(connector.get_worker_connector()) as running:
        asyncio.run(_work(running, beside))


async def _work(running: App, beside: Iterable[Callable[[], Coroutine[Any, Any, None]]]) -> None:
    async with running.open_async():
        others = [asyncio.create_task(each()) for each in beside]
        jobs = asyncio.create_task(
            running.run_worker_async(
                concurrency=JOBS_AT_ONCE,
                update_heartbeat_interval=HEARTBEAT_SECONDS,
                stalled_worker_timeout=STALLED_AFTER_SECONDS,
                shutdown_graceful_timeout=10,
            )
        )
        # Nobody else would notice that one of them broke: then all end, and whoever started the worker starts it anew.
        await asyncio.wait([jobs, *others], return_when=asyncio.FIRST_COMPLETED)
        for task in (jobs, *others):
            task.cancel()
        ended = await asyncio.gather(jobs, *others, return_exceptions=True)
    for problem in ended:
        if isinstance(problem, Exception):
            raise problem
