"""Nightly backups: their file names, which are kept, and a check of the newest."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gleanery.database.backup import services
from gleanery.database.backup.archive import Manifest, opened
from gleanery.database.backup.atomic_file import UNFINISHED
from gleanery.errors import GleaneryError
from gleanery.roles import SYSTEM
from gleanery.sql import rows

TOO_OLD = timedelta(days=2)
ABANDONED = timedelta(days=1)

# Identifies a store: the id of its system user, which is created with the store and kept in its backups.
STORE = "SELECT right(id::text, 12) FROM account WHERE username = %(system)s"


def back_up(directory: Path, keep: int) -> Path:
    """Write a backup and delete the oldest beyond `keep`; files with other names or of other stores are left alone."""
    _must_be_there(directory)
    store, target = _store(), directory / new_name()
    services.save(target, lambda table, count: None)
    for each in [*_of_store(directory, store)[keep:], *_abandoned(directory, store)]:
        each.unlink(missing_ok=True)
    return target


def new_name() -> str:
    """Return a file name with the store and the time."""
    return f"gleanery-{_store()}-{datetime.now(UTC):%Y%m%d-%H%M%S}.backup"


def newest(directory: Path) -> tuple[Path, Manifest] | None:
    """Return the newest backup and its manifest, after verifying every byte."""
    _must_be_there(directory)
    for path in _of_store(directory, _store())[:1]:
        with opened(path) as archive:
            archive.verify(lambda table, count: None)
            return path, archive.manifest
    return None


def _of_store(directory: Path, store: str) -> list[Path]:
    """Return the backups of this store, newest first by name."""
    name = re.compile(rf"gleanery-{store}-\d{{8}}-\d{{6}}\.backup")
    return sorted((each for each in directory.iterdir() if name.fullmatch(each.name) and _is_file(each)), reverse=True)


def _abandoned(directory: Path, store: str) -> list[Path]:
    """Return unfinished files of killed workers."""
    name = re.compile(rf"\.gleanery-{store}-\d{{8}}-\d{{6}}\.backup-\w+{re.escape(UNFINISHED)}")
    before = time.time() - ABANDONED.total_seconds()
    return [
        each
        for each in directory.iterdir()
        if name.fullmatch(each.name) and _is_file(each) and each.stat().st_mtime < before
    ]


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _store() -> str:
    return str(rows(STORE, system=SYSTEM)[0][0])


def _must_be_there(directory: Path) -> None:
    """Refuse a missing directory; it is never created, since its disk may only be unmounted."""
    if not (os.path.isdir(directory) and os.access(directory, os.R_OK | os.W_OK | os.X_OK)):
        raise GleaneryError(
            f"GLEANERY_BACKUP_DIR ({directory}) does not exist or cannot be written. No backup was written; create the "
            "directory, or mount its disk."
        )
