"""Jobs that tests give to real worker processes."""

import time
from pathlib import Path

from procrastinate import JobContext
from procrastinate.contrib.django import app


@app.task(pass_context=True)
def note_and_wait(context: JobContext, path: str) -> None:
    """Notes each run in a file. The first run then hangs, for the test to kill its worker."""
    with Path(path).open("a") as file:
        file.write("run\n")
    if context.job.attempts == 0:
        time.sleep(60)
