"""Background jobs: retries of jobs whose worker died, and counts by status."""

from __future__ import annotations

import structlog
from django.db.models import Count
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 10
STALLED_AFTER_SECONDS = 30


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="sweep_stalled_jobs")
async def sweep_stalled_jobs(timestamp: int) -> None:
    """Return jobs of workers without a heartbeat to the queue, within two minutes at the latest."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER_SECONDS):
        log.warning("the worker of a job died; the job is run again", job=job.id, task=job.task_name)
        await _retry(job)


async def _retry(job: Job) -> None:
    """Retry one job, or give it up if the same job is already queued."""
    try:
        await app.job_manager.retry_job(job)
    except UniqueViolation:
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=False)
    except ConnectorException:
        log.exception("a stalled job could not be returned to the queue; the next sweep tries again", job=job.id)


def counts() -> dict[str, int]:
    rows = ProcrastinateJob.objects.values("status").annotate(count=Count("id"))
    return {row["status"]: row["count"] for row in rows}
