"""Background jobs: the sweeper that gives the jobs of dead workers to living ones, and what the queue holds."""

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
