"""Finds the processes of a server, beyond what its pid file says."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from gleanery.database import locks
from gleanery.database.paths import ServerPaths


@contextmanager
def nothing_running(paths: ServerPaths) -> Iterator[int | None]:
    """Yield the lock of these files if no server process uses them, else None.

    The process table is checked too, since a server started by hand does not hold our lock.
    """
    with locks.attempt(paths.server_lock) as lock:
        yield None if lock is None or processes(paths) else lock


def processes(paths: ServerPaths) -> list[psutil.Process]:
    """Return all server processes of these files."""
    return [process for process in psutil.process_iter() if _serves(process, paths)]


def postmaster(paths: ServerPaths) -> int | None:
    """Return the pid in the pid file if that process serves these files; pids are reused."""
    try:
        pid = int(paths.pid_file.read_text().split()[0])
        return pid if _serves(psutil.Process(pid), paths) else None
    except (OSError, ValueError, IndexError, psutil.Error):
        return None


def end_orphans(paths: ServerPaths) -> None:
    """Terminate backends whose server was killed and who have not noticed, as during a long query."""
    if postmaster(paths) is None:
        for process in processes(paths):
            with suppress(psutil.Error):
                process.send_signal(signal.SIGTERM)


def _serves(process: psutil.Process, paths: ServerPaths) -> bool:
    """Return True if the process works in this data directory, compared by inode since paths may differ."""
    try:
        return process.name() == "postgres" and os.path.samefile(process.cwd(), paths.data)
    except (OSError, psutil.Error):
        return False
