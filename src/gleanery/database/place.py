"""Where the embedded server of a data directory keeps its things."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

PORT = "5432"
SOCKET = f".s.PGSQL.{PORT}"

# A socket's path may have 107 bytes on Linux and 103 on macOS.
LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True, slots=True)
class Place:
    """All paths follow from the data directory alone, so every process finds the same ones."""

    root: Path

    @classmethod
    def of(cls, data_dir: Path) -> Place:
        return cls(Path(data_dir).resolve())

    @property
    def home(self) -> Path:
        return self.root / "postgres"

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        return self.home / "server.log"

    @property
    def turn(self) -> Path:
        """Locked by whoever starts or stops the server."""
        return self.home / "turn.lock"

    @property
    def users(self) -> Path:
        """Locked, shared, by everybody who uses the server."""
        return self.home / "users.lock"

    @property
    def life(self) -> Path:
        """Locked by the server: its processes inherit the lock, and the kernel drops it with the last of them."""
        return self.home / "life.lock"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def socket_dir(self) -> Path:
        """The server's own data, which is private; a short directory when clients could not be told that path."""
        # To libpq a comma in a host separates two hosts.
        if len(os.fsencode(self.data / SOCKET)) <= LONGEST_SOCKET_PATH and "," not in str(self.data):
            return self.data
        return Path("/tmp") / f"gleanery-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]}"  # noqa: S108
