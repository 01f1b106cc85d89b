"""Writes a file atomically, readable only by its owner."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from gleanery.errors import Conflict, GleaneryError

UNFINISHED = ".unfinished"


@contextmanager
def write_atomically(target: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file that is renamed to the target once it is safely on disk."""
    if os.path.lexists(target):
        raise Conflict(f"{target} already exists. Nothing was written; name another file.")
    draft = None
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{target.name}-", suffix=UNFINISHED, dir=target.parent)
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        os.rename(draft, target)
        _sync_directory(target.parent)
    except OSError as problem:
        raise GleaneryError(
            f"{target} could not be written ({problem.strerror}). There is no new backup and the store is unchanged; "
            "fix the cause, or name a file elsewhere."
        ) from problem
    finally:
        if draft:
            with suppress(OSError):
                os.unlink(draft)


def _sync_directory(directory: Path) -> None:
    """Sync the directory, so that the new name is on disk too."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
