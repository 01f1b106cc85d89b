"""What still lives of a server, which is more than its pid file knows."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from gleanery.database import locks
from gleanery.database.place import Place


@contextmanager
def silence(place: Place) -> Iterator[int | None]:
    """The lock that says that nothing runs on these files, or None while anything does.

    The process table is asked as well, for a server that somebody started by hand has no part in our lock.
    """
    with locks.attempt(place.life) as life:
        yield None if life is None or processes(place) else life


def processes(place: Place) -> list[psutil.Process]:
    """All server processes of these files."""
    return [process for process in psutil.process_iter() if _serves(process, place)]


def postmaster(place: Place) -> int | None:
    """The pid in the file counts only if that process serves these very files: pids are used again."""
    try:
        pid = int(place.pid_file.read_text().split()[0])
        return pid if _serves(psutil.Process(pid), place) else None
    except (OSError, ValueError, IndexError, psutil.Error):
        return None


def dismiss_orphans(place: Place) -> None:
    """Asks those to leave who did not notice that their server was killed, since they are busy with a long query."""
    if postmaster(place) is None:
        for process in processes(place):
            with suppress(psutil.Error):
                process.send_signal(signal.SIGTERM)


def _serves(process: psutil.Process, place: Place) -> bool:
    """By the identity of the directory it works in: a path may have several names."""
    try:
        return process.name() == "postgres" and os.path.samefile(process.cwd(), place.data)
    except (OSError, psutil.Error):
        return False
