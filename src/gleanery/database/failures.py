"""Translates a lost database or a full disk, in the middle of any work, into one DatabaseProblem."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from gleanery.database import problems
from gleanery.errors import DatabaseProblem

DISK_FULL = "53100"
# SQLSTATE classes: connection, resources, operator intervention, system error. Others are errors of a statement.
AWAY = ("08", "53", "57P", "58")
LOST = (
    "The database stopped responding: what was stored is kept, and the last step may be missing. "
    "Try again once it responds."
)
FULL = (
    "The disk that holds the database is full: what was stored is kept, and the last step was not stored. "
    "Free some space there and try again."
)


@contextmanager
def translated() -> Iterator[None]:
    """Replace errors caused by the database or a full disk with DatabaseProblem; other errors pass."""
    try:
        yield
    except Exception as error:
        problem = of(error)
        if problem is None or problem is error:
            raise
        raise problem from error


def of(error: BaseException) -> DatabaseProblem | None:
    """Return the DatabaseProblem behind an error, if any; Django and procrastinate chain the original to theirs."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, DatabaseProblem):
            return cause
        if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
            return _of_database(cause)
        if isinstance(cause, OSError) and cause.errno in problems.FULL:
            return problems.full(cause.filename or "the file being written")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return None


def _of_database(error: psycopg.Error) -> DatabaseProblem | None:
    if error.sqlstate == DISK_FULL or problems.is_disk_full(str(error)):
        return DatabaseProblem(FULL)
    return DatabaseProblem(LOST) if not error.sqlstate or error.sqlstate.startswith(AWAY) else None
