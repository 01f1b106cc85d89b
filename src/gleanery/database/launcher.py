"""Starts the embedded server for its first user, shares it, and stops it after the last one leaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gleanery.database import locks, private, problems, server
from gleanery.database.account import account_for
from gleanery.database.paths import ServerPaths


def connection_of(data_dir: Path) -> dict[str, str]:
    """Return the connection parameters of the server of this data directory, running or not."""
    return server.connection_of(ServerPaths.of(data_dir))


@contextmanager
def running(data_dir: Path) -> Iterator[dict[str, str]]:
    lease = acquire(data_dir)
    try:
        yield lease.connection
    finally:
        lease.release()


class Lease:
    """One use of the server, owned by the process that took it; a forked child needs its own."""

    def __init__(self, paths: ServerPaths, share: int) -> None:
        self.connection = server.connection_of(paths)
        self._paths = paths
        self._share: int | None = share
        self._taken_by = os.getpid()

    def release(self) -> None:
        share, self._share = self._share, None
        if share is None:
            return
        if os.getpid() != self._taken_by:
            os.close(share)
            return
        with problems.explained(self._paths.root), locks.held(self._paths.start_lock):
            _leave(self._paths, share)


def acquire(data_dir: Path) -> Lease:
    """Make sure that the server runs and the database exists, and register the caller as a user."""
    paths = ServerPaths.of(data_dir)
    with problems.explained(paths.root):
        private.make_directories(paths.home)
        account = account_for(paths)
        with locks.held(paths.start_lock):
            share = locks.share(paths.users_lock)
            try:
                server.ensure_running(paths, account)
            except server.StillRecovering:
                locks.drop(share)
                raise
            except BaseException:
                # It served nobody yet, and on a full disk an orderly shutdown could not finish.
                _leave(paths, share, stop=server.stop_at_once)
                raise
    return Lease(paths, share)


def revive(data_dir: Path) -> None:
    """Start a killed server again, for a process that has a lease on it; do nothing if another process did."""
    paths = ServerPaths.of(data_dir)
    with problems.explained(paths.root), locks.held(paths.start_lock):
        server.ensure_running(paths, account_for(paths))


def _leave(paths: ServerPaths, share: int, stop: Callable[[ServerPaths], None] = server.stop) -> None:
    """Drop the lease, and stop the server if nobody else holds one; kernel locks cannot miss a killed process."""
    locks.drop(share)
    with locks.attempt(paths.users_lock) as alone:
        if alone is not None:
            stop(paths)
