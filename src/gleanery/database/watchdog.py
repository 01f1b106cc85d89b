"""Restarts the embedded server when it was killed; used by the main process of `gleanery up`."""

from __future__ import annotations

import time
from pathlib import Path

import structlog

from gleanery.database import launcher, liveness
from gleanery.database.backoff import pause_after
from gleanery.database.paths import ServerPaths
from gleanery.errors import DatabaseProblem

log = structlog.get_logger(__name__)


class Watchdog:
    """Watches the server of this data directory, on which its process has a lease."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._failures = 0
        self._not_before = 0.0

    def check(self) -> None:
        """Restart the server if it is gone, with growing pauses if that fails, as on a full disk."""
        if time.monotonic() < self._not_before or liveness.postmaster(ServerPaths.of(self._data_dir)):
            return
        try:
            launcher.revive(self._data_dir)
            log.warning("the database server was killed and has been restarted")
            self._failures = 0
        except DatabaseProblem as problem:
            log.warning("the database server could not be started; trying again", reason=str(problem))
            self._not_before = time.monotonic() + pause_after(self._failures)
            self._failures += 1
