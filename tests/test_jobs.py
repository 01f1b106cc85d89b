"""Background jobs survive the death of their worker."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import AlreadyEnqueued

from gleanery.jobs import STALLED_AFTER_SECONDS, counts, sweep_stalled_jobs
from tests.jobs_for_tests import note_and_wait

ROOT = Path(__file__).parents[1]


@contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    name = connection.settings_dict["NAME"]
    process = subprocess.Popen([sys.executable, "-m", "tests.worker_process", name], cwd=ROOT)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(happened: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def sweep() -> None:
    """Run the sweeper now instead of at the next full minute."""
    with suppress(AlreadyEnqueued):
        sweep_stalled_jobs.defer(timestamp=0)


def test_the_sweeper_runs_every_minute() -> None:
    (periodic,) = [
        each for each in app.periodic_registry.periodic_tasks.values() if each.task.name == sweep_stalled_jobs.name
    ]
    assert periodic.cron == "* * * * *"
    assert periodic.task.lock is None
    assert STALLED_AFTER_SECONDS + 60 < 120


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_the_job_of_a_killed_worker_runs_again_once(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    job = note_and_wait.defer(path=str(runs))
    with worker() as first:
        wait_for(lambda: runs.exists() and runs.read_text() == "run\n")  # all of it, before it is killed
        first.kill()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '31 s'")
    sweep()
    with worker():
        wait_for(lambda: ProcrastinateJob.objects.get(pk=job).status == "succeeded")
        sweep()
        wait_for(lambda: not ProcrastinateJob.objects.filter(task_name=sweep_stalled_jobs.name, status="todo").exists())
    assert runs.read_text() == "run\nrun\n"
    assert counts()["succeeded"] >= 2


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_stalled_job_that_is_queued_again_does_not_stop_the_sweep(tmp_path: Path) -> None:
    twin = note_and_wait.configure(queueing_lock="one").defer(path=str(tmp_path / "twin"))
    other = note_and_wait.defer(path=str(tmp_path / "other"))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 h') RETURNING id"
        )
        (dead,) = cursor.fetchone()
        cursor.execute(
            "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s, attempts = 1 WHERE id = ANY(%s)",
            [dead, [twin, other]],
        )
    note_and_wait.configure(queueing_lock="one", schedule_in={"hours": 1}).defer(path=str(tmp_path / "again"))
    sweep()
    with worker():
        wait_for((tmp_path / "other").exists)
        wait_for(lambda: ProcrastinateJob.objects.get(pk=twin).status == "failed")
