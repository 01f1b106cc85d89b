"""Use case of the static copy: all public pages written into a folder, by several processes from one snapshot."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from django.db import connections, transaction
from django.utils import timezone

from gleanery.gc_pause import gc_paused
from gleanery.matching.tables.process_pool import in_order, pool
from gleanery.publishing.exports.services import snapshot
from gleanery.publishing.search.sitemap import pages, parts
from gleanery.publishing.site import presentation
from gleanery.publishing.static_site.copying import Copy, Job
from gleanery.publishing.static_site.folder import Folder, files_of
from gleanery.sql import execute, rows

AT_ONCE: Final = 200  # pages of one task
MOST_PROCESSES: Final = 4
WHOLE: Final = ""  # the task of all that is no page of a record


@dataclass(frozen=True, slots=True)
class Copied:
    """A finished copy: pages of records, all files, those that changed, those that were deleted."""

    records: int
    files: int
    written: int
    deleted: int


def usual_processes() -> int:
    return min(MOST_PROCESSES, os.cpu_count() or 1)


def copy_site(  # the last three are how, not what
    root: Path,
    base_url: str,
    live_url: str = "",
    processes: int = 1,
    begin: Callable[[int], None] = lambda total: None,
    advance: Callable[[int], None] = lambda count: None,
) -> Copied:
    """Several processes need connections of their own, so nothing may be open before."""
    before = files_of(root)
    with pool(processes) as workers:
        if workers is not None:
            workers.submit(_begun).result()  # all are forked now, before this one connects
        with snapshot():
            job = Job(
                root, base_url.rstrip("/"), live_url.rstrip("/"), timezone.now().date(), presentation.current().language
            )
            records = [listed.path for number in parts() for listed in pages(number)]
            begin(len(records))
            shared = _shared_snapshot() if workers is not None else ""
            whole = Folder(root)
            for part in in_order(workers, _copy_part, ((job, shared, paths) for paths in _tasks(records))):
                whole.now |= part.now
                whole.written += part.written
                advance(part.records)
    return Copied(len(records), len(whole.now), whole.written, whole.finish(before))


@dataclass(frozen=True, slots=True)
class Part:
    now: set[str]
    written: int
    records: int


@gc_paused()
def _copy_part(job: Job, shared: str, paths: list[str]) -> Part:
    with _same_moment(shared):
        copy = Copy(job)
        folder = copy.rest() if paths == [WHOLE] else copy.pages(paths)
    return Part(folder.now, folder.written, 0 if paths == [WHOLE] else len(paths))


def _begun() -> None:
    """The first task of a helper: it shares no connection with whoever forked it."""
    connections.close_all()


@contextmanager
def _same_moment(shared: str) -> Iterator[None]:
    """The snapshot of the process that began; that process has no name for it."""
    with transaction.atomic():
        if shared:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            execute(f"SET TRANSACTION SNAPSHOT '{shared}'")  # of the server's own making; it takes no parameter
        yield


def _tasks(records: list[str]) -> Iterator[list[str]]:
    yield [WHOLE]
    found = iter(records)
    while batch := list(islice(found, AT_ONCE)):
        yield batch


def _shared_snapshot() -> str:
    ((shared,),) = rows("SELECT pg_export_snapshot()")
    return str(shared)
