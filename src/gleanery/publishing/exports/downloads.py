"""Files that visitors download: written at most every few minutes, kept on disk, the same file for everybody."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.functional import Promise

from gleanery import __version__
from gleanery.errors import Conflict
from gleanery.publishing.exports import statements
from gleanery.publishing.exports.format import Format
from gleanery.publishing.exports.formats import FORMATS
from gleanery.publishing.exports.services import Wanted, export
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.sql import one_at_most, rows

EVERYTHING: Final = "all"
FRESH_SECONDS: Final = 300
BUSY = "This file is being written: try again in a minute."


@dataclass(frozen=True, slots=True)
class Download:
    """One file that is offered. `name` is the end of its address."""

    name: str
    kind: str  # empty for all kinds
    format: Format

    @property
    def kind_words(self) -> str | Promise:
        return KIND_WORDS[self.kind].many if self.kind else ""


@dataclass(frozen=True, slots=True)
class File:
    path: Path
    etag: str
    written_at: datetime


def _offered() -> dict[str, Download]:
    found = {}
    for each in FORMATS:
        for kind in ("", *KIND_WORDS):
            is_offered = kind in each.kinds if kind else each.kinds == frozenset(KIND_WORDS)
            if is_offered and not each.whole_name:
                name = f"{kind or EVERYTHING}.{each.ending}"
                found[name] = Download(name, kind, each)
        if each.whole_name:
            found[each.whole_name] = Download(each.whole_name, "", each)
    return found


DOWNLOADS: Final = _offered()


def prepared(download: Download, root: str) -> File:
    """Return the newest file; one that somebody else is writing anew is given as it was."""
    folder = settings.ENVIRONMENT.data_dir / "downloads"
    path = folder / download.name
    if (there := _file(path)) is not None and _is_fresh(path):
        return there
    with one_at_most("download", download.name) as is_ours:
        if is_ours:
            folder.mkdir(parents=True, exist_ok=True)
            _write(download, settings.ENVIRONMENT.public_url or root, path)
            there = _file(path)
    if there is None:
        raise Conflict(BUSY)
    return there


def _write(download: Download, root: str, path: Path) -> None:
    """Only if something changed; else the file is fresh again as it is."""
    etag, mark = _state(root), path.with_name(f"{path.name}.etag")
    if path.exists() and mark.exists() and mark.read_text() == etag:
        mark.touch()
        return
    export(Wanted(format=download.format, filters=Filters(kind=download.kind), root=root, with_sources=True), path)
    mark.write_text(etag)


def _state(root: str) -> str:
    """All that a file depends on: records name one another, and some things follow from the day."""
    ((count, changed),) = rows(statements.STATE)
    state = f"{__version__} {root} {count} {changed} {datetime.now(UTC).date()}"
    return hashlib.sha256(state.encode()).hexdigest()[:32]


def _file(path: Path) -> File | None:
    try:
        etag, at = path.with_name(f"{path.name}.etag").read_text(), path.stat().st_mtime
    except FileNotFoundError:
        return None
    return File(path, f'"{etag}"', datetime.fromtimestamp(at, UTC))


def _is_fresh(path: Path) -> bool:
    return time.time() - path.with_name(f"{path.name}.etag").stat().st_mtime < FRESH_SECONDS
