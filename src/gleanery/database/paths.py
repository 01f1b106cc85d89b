"""Paths of the embedded server below its data directory."""

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
class ServerPaths:
    """Paths derived from the data directory alone, so that every process finds the same ones."""

    root: Path

    @classmethod
    def of(cls, data_dir: Path) -> ServerPaths:
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
    def start_lock(self) -> Path:
        """Locked while the server is started or stopped."""
        return self.home / "turn.lock"

    @property
    def users_lock(self) -> Path:
        """Locked, shared, by every process that uses the server."""
        return self.home / "users.lock"

    @property
    def server_lock(self) -> Path:
        """Locked by the server: its processes inherit the lock, and the kernel releases it with the last of them."""
        return self.home / "life.lock"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def socket_dir(self) -> Path:
        """The server's private data directory, or a short directory if that path cannot be a socket path."""
        # In libpq a comma separates several hosts.
        if len(os.fsencode(self.data / SOCKET)) <= LONGEST_SOCKET_PATH and "," not in str(self.data):
            return self.data
        return Path("/tmp") / f"gleanery-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]}"  # noqa: S108
