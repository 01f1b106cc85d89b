"""Use cases of exports: writing one file from one snapshot, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from django.db import connection, transaction

from gleanery.errors import Invalid
from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.format import Format
from gleanery.publishing.exports.hashed import Hashed
from gleanery.publishing.search.filters import Filters
from gleanery.sql import execute

READABLE = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Request for an export: filters, format and file."""

    format: Format
    filters: Filters
    root: str
    with_past: bool = True
    with_sources: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A finished export: how many records of each kind, its size in bytes and its SHA-256."""

    counts: dict[str, int]
    size: int
    sha256: str


@contextmanager
def snapshot() -> Iterator[None]:
    """One moment of the database for all that is read within; within a transaction, the caller's."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def export(
    wanted: Wanted,
    file: Path,
    begin: Callable[[int], None] = lambda total: None,
    advance: Callable[[int], None] = lambda count: None,
) -> Written:
    """Write the file beside its name and rename it at the end, so that nobody ever reads half of it."""
    with _replaced(file) as out:
        return write(wanted, out, begin, advance)


def write(
    wanted: Wanted,
    out: BinaryIO,
    begin: Callable[[int], None] = lambda total: None,
    advance: Callable[[int], None] = lambda count: None,
) -> Written:
    now = datetime.now(UTC)
    contents = Contents(
        filters=wanted.filters,
        today=now.date(),
        root=wanted.root,
        made_at=now,
        with_past=wanted.with_past,
        with_sources=wanted.with_sources,
        advance=advance,
    )
    kinds = contents.kinds(wanted.format.kinds)
    if not kinds:
        raise Invalid(
            f"{wanted.format.label} holds {', '.join(sorted(wanted.format.kinds))}, not {wanted.filters.kind}: "
            "nothing was written. Choose another format."
        )
    hashed = Hashed(out)
    with snapshot():
        begin(sum(contents.total(kind) for kind in kinds))
        wanted.format.write(contents, hashed)  # type: ignore[arg-type]  # a raw file that takes all that it is given
    return Written(dict(contents.counts), hashed.count, hashed.digest)


@contextmanager
def _replaced(file: Path) -> Iterator[BinaryIO]:
    try:
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as problem:
        raise _unwritable(file, problem) from None
    try:
        with open(descriptor, "wb") as out:
            yield out
            os.fchmod(out.fileno(), READABLE)
        Path(name).replace(file)
    except OSError as problem:
        raise _unwritable(file, problem) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _unwritable(file: Path, problem: OSError) -> Invalid:
    return Invalid(
        f"{file} could not be written ({problem.strerror}), so nothing changed. Make room or name another file."
    )
