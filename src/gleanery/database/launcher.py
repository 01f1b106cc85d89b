"""Starts the embedded server for the first who needs it, shares it, and stops it when the last one leaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gleanery.database import locks, private, problems, server
from gleanery.database.account import account_for
from gleanery.database.place import Place


def connection_of(data_dir: Path) -> dict[str, str]:
    """How to reach the server of this data directory, whether or not it runs."""
    return server.connection_of(Place.of(data_dir))


@contextmanager
def running(data_dir: Path) -> Iterator[dict[str, str]]:
    lease = acquire(data_dir)
    try:
        yield lease.connection
    finally:
        lease.release()


class Lease:
    """One use of the server. It belongs to the process that took it: a forked child takes its own."""

    def __init__(self, place: Place, share: int) -> None:
        self.connection = server.connection_of(place)
        self._place = place
        self._share: int | None = share
        self._taken_by = os.getpid()

    def release(self) -> None:
        share, self._share = self._share, None
        if share is None:
            return
        if os.getpid() != self._taken_by:
            os.close(share)
            return
        with problems.explained(self._place.root), locks.held(self._place.turn):
            _leave(self._place, share)


def acquire(data_dir: Path) -> Lease:
    """Makes sure that the server runs and the database is there, and counts the caller among its users."""
    place = Place.of(data_dir)
    with problems.explained(place.root):
        private.make_directories(place.home)
        account = account_for(place)
        with locks.held(place.turn):
            share = locks.share(place.users)
            try:
                server.ensure_running(place, account)
            except server.StillRecovering:
                locks.drop(share)
                raise
            except BaseException:
                # It never served anybody, and on a full disk an orderly shutdown could not end.
                _leave(place, share, stop=server.stop_at_once)
                raise
    return Lease(place, share)


def revive(data_dir: Path) -> None:
    """For those who have a lease on a server that was killed: the first starts it anew, the others find it running."""
    place = Place.of(data_dir)
    with problems.explained(place.root), locks.held(place.turn):
        server.ensure_running(place, account_for(place))


def _leave(place: Place, share: int, stop: Callable[[Place], None] = server.stop) -> None:
    """Asks the kernel, not a counter, whether anybody else is there: it never forgets one that was killed."""
    locks.drop(share)
    with locks.attempt(place.users) as alone:
        if alone is not None:
            stop(place)
