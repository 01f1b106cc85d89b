"""What there is to tell about the embedded server of a data directory, running or not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from gleanery.database import binaries, liveness
from gleanery.database.account import account_for
from gleanery.database.place import Place


@dataclass(frozen=True, slots=True)
class Facts:
    version: str
    data_directory: Path
    made_by: str | None
    running: bool
    pid: int | None
    bytes_on_disk: int
    user: str
    socket_directory: Path
    log: Path


def facts(data_dir: Path) -> Facts:
    """Looks and changes nothing, so it may be asked at any time."""
    place = Place.of(data_dir)
    pid = liveness.postmaster(place)
    return Facts(
        version=binaries.version(binaries.installed() / binaries.PROGRAMS),
        data_directory=place.data,
        made_by=_made_by(place),
        running=pid is not None,
        pid=pid,
        bytes_on_disk=_bytes_below(place.data),
        user=account_for(place).name,
        socket_directory=place.socket_dir,
        log=place.log,
    )


def _made_by(place: Place) -> str | None:
    try:
        return (place.data / "PG_VERSION").read_text().strip()
    except OSError:
        return None


def _bytes_below(directory: Path) -> int:
    return sum(_blocks(Path(above) / name) for above, _, names in os.walk(directory) for name in names) * 512


def _blocks(path: Path) -> int:
    try:
        return path.lstat().st_blocks
    except FileNotFoundError:
        # A running server removes files while we count.
        return 0
