"""What finishes, and what starts then: the one place that knows the order of the stages.

Stages do not import later ones; they say here that something is done, and the job that comes next is named.
"""

from __future__ import annotations

from procrastinate.contrib.django import app

#         what finished -> the jobs that start
NEXT: dict[str, tuple[str, ...]] = {
    "session": ("gleanery.judging.tasks.judge_session",),
}


def finished(what: str, which: str) -> None:
    """Belongs into the transaction of what finished: then the next job starts if, and only if, it did."""
    for task in NEXT[what]:
        app.configure_task(task).defer(**{what: which})
