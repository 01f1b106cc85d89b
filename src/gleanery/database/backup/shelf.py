"""The directory of nightly backups: what they are called, which are kept, whether the newest one will do."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gleanery.database.backup import services
from gleanery.database.backup.archive import Manifest, opened
from gleanery.database.backup.whole import UNFINISHED
from gleanery.errors import GleaneryError
from gleanery.roles import SYSTEM
from gleanery.sql import rows

TOO_OLD = timedelta(days=2)
ABANDONED = timedelta(days=1)

# The system user is made with the store and goes where it goes, into every backup too.
STORE = "SELECT right(id::text, 12) FROM account WHERE username = %(system)s"


def nightly(directory: Path, keep: int) -> Path:
    """One more, and away with those that are one too many. Files of other names, or of other stores, are left alone."""
    _must_be_there(directory)
    store, target = _store(), directory / new_name()
    services.save(target, lambda table, count: None)
    for each in [*_of_store(directory, store)[keep:], *_abandoned(directory, store)]:
        each.unlink(missing_ok=True)
    return target


def new_name() -> str:
    """Tells of which store it is and when it was begun."""
    return f"gleanery-{_store()}-{datetime.now(UTC):%Y%m%d-%H%M%S}.backup"


def newest(directory: Path) -> tuple[Path, Manifest] | None:
    """Read to its last byte, since only then it is known to be of use."""
    _must_be_there(directory)
    for path in _of_store(directory, _store())[:1]:
        with opened(path) as archive:
            archive.verify(lambda table, count: None)
            return path, archive.manifest
    return None


def _of_store(directory: Path, store: str) -> list[Path]:
    """The newest first, as their names tell."""
    name = re.compile(rf"gleanery-{store}-\d{{8}}-\d{{6}}\.backup")
    return sorted((each for each in directory.iterdir() if name.fullmatch(each.name) and _is_file(each)), reverse=True)


def _abandoned(directory: Path, store: str) -> list[Path]:
    """What workers that were killed left behind."""
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
    """Never made by us: where a disk is not mounted, the backups would fill the one below."""
    if not (os.path.isdir(directory) and os.access(directory, os.R_OK | os.W_OK | os.X_OK)):
        raise GleaneryError(
            f"{directory}, the GLEANERY_BACKUP_DIR, is not there or cannot be written: no backup is written; make that "
            "directory, or mount the disk that it is on."
        )
