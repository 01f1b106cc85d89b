"""File locks that the kernel releases when their holder dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gleanery.database import private


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Wait for an exclusive lock; unlock it explicitly, since a forked child may hold a copy of the descriptor."""
    descriptor = private.open_file(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        drop(descriptor)


@contextmanager
def attempt(path: Path) -> Iterator[int | None]:
    """Yield the descriptor of an exclusive lock, or None if another process holds one.

    The descriptor is closed and not unlocked, so a process that inherited it keeps the lock.
    """
    descriptor = private.open_file(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        granted = True
    except BlockingIOError:
        granted = False
    try:
        yield descriptor if granted else None
    finally:
        os.close(descriptor)


def share(path: Path) -> int:
    descriptor = private.open_file(path)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def drop(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)
