"""Background jobs: the sweeper that gives the jobs of dead workers to living ones, and what the queue holds."""

from __future__ import annotations

import structlog
from django.db.models import Count
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS = 10
STALLED_AFTER_SECONDS = 30


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="sweep_stalled_jobs", pass_context=False)
async def sweep_stalled_jobs(timestamp: int) -> None:
    """A worker that was killed sends no heartbeat: its jobs go back to the queue, within two minutes at the latest."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER_SECONDS):
        log.warning("a job's worker died; the job is run again", job=job.id, task=job.task_name)
        await app.job_manager.retry_job(job)


def counts() -> dict[str, int]:
    rows = ProcrastinateJob.objects.values("status").annotate(count=Count("id"))
    return {row["status"]: row["count"] for row in rows}
