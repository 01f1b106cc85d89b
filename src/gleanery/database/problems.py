"""Messages for database problems: what happened, what was kept, what to do."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gleanery.database.account import name_of
from gleanery.errors import DatabaseProblem

FULL = {errno.ENOSPC, errno.EDQUOT}
FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP}
NOT_A_DIRECTORY = {errno.ENOTDIR, errno.EEXIST}

COMPLAINT = re.compile(r"(?:FATAL|PANIC|initdb: error|initdb): +(.+)")
ADVICE = re.compile(r"(?:DETAIL|HINT|initdb: hint): +(.+)")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn operating-system errors below this directory into DatabaseProblem."""
    try:
        yield
    except OSError as error:
        raise _refused(error, path) from error


def from_output(output: str, directory: Path, log: Path | None = None) -> DatabaseProblem:
    """Return the problem that PostgreSQL's output describes."""
    if is_disk_full(output):
        return full(directory)
    said = [found[-1].strip().rstrip(".") for found in (COMPLAINT.findall(output), ADVICE.findall(output)) if found]
    reason = "; ".join(said) or (output.strip().splitlines() or ["no message"])[-1]
    more = f"; {log} has the details" if log else ""
    return DatabaseProblem(
        f"PostgreSQL could not start in {directory} ({reason}). What is stored was left unchanged{more}."
    )


def is_disk_full(output: str) -> bool:
    return any(os.strerror(number) in output for number in FULL)


def _refused(error: OSError, path: Path) -> DatabaseProblem:
    if error.errno in FULL:
        return full(error.filename or path)
    if error.errno in FORBIDDEN:
        return DatabaseProblem(
            f"{error.filename or path} cannot be written by user {name_of(os.geteuid())} ({error.strerror}). Nothing "
            "was changed; give that user the directory, or set GLEANERY_DATA_DIR to one it may write."
        )
    if error.errno in NOT_A_DIRECTORY:
        return DatabaseProblem(
            f"{error.filename or path} is in the way, since it is not a directory. Nothing was changed; move it away, "
            "or set GLEANERY_DATA_DIR to a directory."
        )
    return DatabaseProblem(
        f"{error.filename or path} cannot be used ({error.strerror}). What is stored was left unchanged."
    )


def full(path: Path | str) -> DatabaseProblem:
    return DatabaseProblem(
        f"The disk that holds {path} is full. What is stored is kept; free some space there and start again."
    )
