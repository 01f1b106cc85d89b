"""Jobs that tests give to real worker processes."""

import time
from pathlib import Path

from django.db import connection, transaction
from procrastinate import JobContext, RetryStrategy
from procrastinate.contrib.django import app


@app.task(pass_context=True)
def note_and_wait(context: JobContext, path: str) -> None:
    """Notes each run in a file. The first run then hangs, for the test to kill its worker."""
    with Path(path).open("a") as file:
        file.write("run\n")
    if context.job.attempts == 0:
        time.sleep(60)


@app.task(pass_context=True, retry=RetryStrategy(max_attempts=5))
def write_and_wait(context: JobContext, table: str) -> None:
    """Adds a row to the table of this name. The first run stays in its transaction, for the test to cut it off."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} VALUES (%s)", [context.job.id])  # noqa: S608 - the test's own
        if context.job.attempts == 0:
            cursor.execute("SELECT pg_sleep(60)")
