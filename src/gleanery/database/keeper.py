"""Starts the embedded server anew whenever it was killed, for the process that all others hang on."""

from __future__ import annotations

import time
from pathlib import Path

import structlog

from gleanery.database import launcher, liveness
from gleanery.database.patience import pause_after
from gleanery.database.place import Place
from gleanery.errors import DatabaseProblem

log = structlog.get_logger(__name__)


class Keeper:
    """Belongs to a process that has a lease on the server of this data directory."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._failures = 0
        self._not_before = 0.0

    def look(self) -> None:
        """Cheap while the server lives. One that cannot start, on a full disk say, is tried again later and later."""
        if time.monotonic() < self._not_before or liveness.postmaster(Place.of(self._data_dir)):
            return
        try:
            launcher.revive(self._data_dir)
            log.warning("the database server had been killed; it runs again")
            self._failures = 0
        except DatabaseProblem as problem:
            log.warning("the database server does not run; it is tried again", reason=str(problem))
            self._not_before = time.monotonic() + pause_after(self._failures)
            self._failures += 1
