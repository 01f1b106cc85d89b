"""A file that is there whole or not at all, and only its owner's."""

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
def written_whole(target: Path) -> Iterator[BinaryIO]:
    """Written beside its place, and renamed into it when the disk has all of it."""
    if os.path.lexists(target):
        raise Conflict(f"{target} exists already: nothing was written; name another file.")
    draft = None
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{target.name}-", suffix=UNFINISHED, dir=target.parent)
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        os.rename(draft, target)
        _remember_name(target.parent)
    except OSError as problem:
        raise GleaneryError(
            f"{target} could not be written ({problem.strerror}): there is no new backup, and the store is as it was; "
            "mend that, or name a file elsewhere."
        ) from problem
    finally:
        if draft:
            with suppress(OSError):
                os.unlink(draft)


def _remember_name(directory: Path) -> None:
    """A new name is on the disk only when its directory is."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
