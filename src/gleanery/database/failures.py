"""What breaks off in the middle of something, the database lost or a disk full: one error with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from gleanery.database import problems
from gleanery.errors import DatabaseProblem

DISK_FULL = "53100"
# Connections, resources, interventions of an operator and the system below; what else fails, failed for its own sake.
AWAY = ("08", "53", "57P", "58")
LOST = (
    "The database stopped answering in the middle of this: what was stored is kept, and the last step may be missing. "
    "Try again once it answers."
)
FULL = (
    "The disk that holds the database is full: what was stored is kept, and the last step was not stored. "
    "Free some space there and try again."
)


@contextmanager
def told() -> Iterator[None]:
    """Raises DatabaseProblem in the place of what lies behind it; every other error passes."""
    try:
        yield
    except Exception as error:
        problem = of(error)
        if problem is None or problem is error:
            raise
        raise problem from error


def of(error: BaseException) -> DatabaseProblem | None:
    """None for an error that has another reason. Django and procrastinate keep the first one behind their own."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, DatabaseProblem):
            return cause
        if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
            return _of_database(cause)
        if isinstance(cause, OSError) and cause.errno in problems.FULL:
            return problems.full(cause.filename or "what was being written")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return None


def _of_database(error: psycopg.Error) -> DatabaseProblem | None:
    if error.sqlstate == DISK_FULL or problems.tells_of_a_full_disk(str(error)):
        return DatabaseProblem(FULL)
    return DatabaseProblem(LOST) if not error.sqlstate or error.sqlstate.startswith(AWAY) else None
