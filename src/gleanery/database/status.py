"""Status of the embedded server of a data directory, running or not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from gleanery.database import binaries, liveness
from gleanery.database.account import account_for
from gleanery.database.paths import ServerPaths


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """Facts that `gleanery doctor` shows."""

    version: str
    data_directory: Path
    made_by: str | None
    running: bool
    pid: int | None
    bytes_on_disk: int
    user: str
    socket_directory: Path
    log: Path


def server_status(data_dir: Path) -> ServerStatus:
    """Return the status without changing anything."""
    paths = ServerPaths.of(data_dir)
    pid = liveness.postmaster(paths)
    return ServerStatus(
        version=binaries.version(binaries.installed() / binaries.PROGRAMS),
        data_directory=paths.data,
        made_by=_made_by(paths),
        running=pid is not None,
        pid=pid,
        bytes_on_disk=_bytes_below(paths.data),
        user=account_for(paths).name,
        socket_directory=paths.socket_dir,
        log=paths.log,
    )


def _made_by(paths: ServerPaths) -> str | None:
    try:
        return (paths.data / "PG_VERSION").read_text().strip()
    except OSError:
        return None


def _bytes_below(directory: Path) -> int:
    return sum(_blocks(Path(above) / name) for above, _, names in os.walk(directory) for name in names) * 512


def _blocks(path: Path) -> int:
    try:
        return path.lstat().st_blocks
    except FileNotFoundError:
        # A running server may remove files while they are counted.
        return 0
