"""The statements of crawling, set-based: what a slice begins with, and what its visits leave behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from gleanery.crawling.lease import Lease, execute, hold, rows
from gleanery.crawling.reading import Reading
from gleanery.ids import uuid7

MOST_KNOWN = 20_000


class Queued(NamedTuple):
    """An address of the frontier."""

    id: UUID
    url: str
    kind: str
    depth: int
    hops: int = 0
    attempts: int = 0


class Found(NamedTuple):
    """A new address for the frontier, or one that was refused on sight."""

    visit: Queued
    refusal: str = ""


class Known(NamedTuple):
    """What earlier visits left about a page."""

    id: UUID
    depth: int
    etag: str
    last_modified: str
    content_hash: bytes | None
    unchanged: int
    first_fetched_at: datetime
    yielded_at: datetime | None
    due_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    id: UUID
    etag: str
    last_modified: str
    changed: bool
    unchanged: int
    due_at: datetime
    due_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFacts:
    content_type: str
    headers: str
    size: int
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A visit with all that came of it: it is committed whole, or not at all."""

    lease: Lease
    visit: Queued
    state: str
    reason: str = ""
    status: int | None = None
    size: int | None = None
    elapsed_ms: int | None = None
    pause: float = 0.0
    page: PageFacts | None = None
    snapshot: SnapshotFacts | None = None
    found: list[Found] = field(default_factory=list)


QUEUED = """
    SELECT id, url, kind, depth, hops, attempts FROM visit WHERE crawl_id = %(crawl)s AND state = 'queued'
    ORDER BY depth, id LIMIT %(most)s
"""
SEEN = "SELECT url, elapsed_ms IS NOT NULL AND kind = 'page' FROM visit WHERE crawl_id = %(crawl)s ORDER BY id"
# Those due soonest are kept in mind; index: page_due.
KNOWN = """
    SELECT page.url, page.id, depth, etag, last_modified, content_hash, unchanged_count, first_fetched_at, yielded_at,
           due_at
    FROM page LEFT JOIN snapshot ON snapshot.id = page.current_snapshot_id
    WHERE page.domain_id = %(domain)s ORDER BY due_at LIMIT %(most)s
"""
# A slow failure takes longer than a slice, so what the last slices met counts too. After a failure that may pass, a
# visit is queued again; any other came from a site that answers.
DOWN = """
    SELECT count(*) FROM visit
    WHERE crawl_id = %(crawl)s AND state = 'queued' AND attempts = 1 AND coalesce(status, 429) IN (429, 503)
      AND visited_at > coalesce((
        SELECT max(visited_at) FROM visit WHERE crawl_id = %(crawl)s AND elapsed_ms IS NOT NULL
          AND (status NOT IN (429, 503) OR state <> 'queued' AND attempts = 1)
      ), '-infinity')
"""


def queued(crawl: UUID) -> list[Queued]:
    return [Queued(*row) for row in rows(QUEUED, crawl=crawl, most=MOST_KNOWN)]


def seen(crawl: UUID) -> list[tuple[str, bool]]:
    """Every address of the crawl in the order of its finding, and whether it cost a request for a page."""
    return [(url, asked) for url, asked in rows(SEEN, crawl=crawl)]


def known(domain: UUID) -> dict[str, Known]:
    return {url: Known(*facts) for url, *facts in rows(KNOWN, domain=domain, most=MOST_KNOWN)}


def down(crawl: UUID) -> int:
    """How many pages in a row, asked for the first time, got no answer at all."""
    ((count,),) = rows(DOWN, crawl=crawl)
    return int(count)


# The page may be known under an id that was not in mind. Unique: (url, content_hash), so a content is kept once.
STORE_SNAPSHOTS = """
    INSERT INTO snapshot (id, page_id, url, content_hash, content_type, charset, headers, raw, raw_size, title, text,
                          language, canonical, outbound, types)
    SELECT given.id, coalesce(page.id, given.page), given.url, hash, content_type, charset, headers, raw, raw_size,
           title, text, language, canonical, to_jsonb(array_remove(string_to_array(outbound, ' '), '')),
           to_jsonb(array_remove(string_to_array(types, ' '), ''))
    FROM unnest(%(ids)b::uuid[], %(pages)b::uuid[], %(urls)b::text[], %(hashes)b::bytea[], %(content_types)s::text[],
                %(charsets)s::text[], %(headers)s::jsonb[], %(raws)b::bytea[], %(sizes)s::int[], %(titles)b::text[],
                %(texts)b::text[], %(languages)s::text[], %(canonicals)s::text[], %(outbounds)s::text[],
                %(types)s::text[])
         AS given (id, page, url, hash, content_type, charset, headers, raw, raw_size, title, text, language,
                   canonical, outbound, types)
         LEFT JOIN page ON page.url = given.url
    ON CONFLICT (url, content_hash) DO NOTHING
"""
# A page that goes back to an earlier content points to that snapshot again.
STORE_PAGES = """
    INSERT INTO page (id, domain_id, url, depth, etag, last_modified, first_fetched_at, last_fetched_at, last_status,
                      last_changed_at, unchanged_count, due_at, due_reason, current_snapshot_id)
    SELECT given.id, domain, given.url, depth, etag, last_modified, now(), now(), status,
           CASE WHEN changed THEN now() END, unchanged, due_at, due_reason, snapshot.id
    FROM unnest(%(ids)b::uuid[], %(domains)b::uuid[], %(urls)b::text[], %(depths)s::int[], %(etags)s::text[],
                %(modified)s::text[], %(statuses)s::int[], %(changed)s::bool[], %(unchanged)s::int[],
                %(due)s::timestamptz[], %(due_reasons)s::text[], %(hashes)b::bytea[])
         AS given (id, domain, url, depth, etag, last_modified, status, changed, unchanged, due_at, due_reason, hash)
         LEFT JOIN snapshot ON snapshot.url = given.url AND snapshot.content_hash = given.hash
    ON CONFLICT (url) DO UPDATE
        SET depth = least(page.depth, excluded.depth), etag = excluded.etag, last_modified = excluded.last_modified,
            last_fetched_at = now(), last_status = excluded.last_status,
            last_changed_at = coalesce(excluded.last_changed_at, page.last_changed_at),
            unchanged_count = excluded.unchanged_count, due_at = excluded.due_at, due_reason = excluded.due_reason,
            current_snapshot_id = coalesce(excluded.current_snapshot_id, page.current_snapshot_id)
"""
STORE_VISITS = """
    UPDATE visit SET state = given.state, reason = given.reason, status = given.status, size = given.size,
           elapsed_ms = given.elapsed, attempts = visit.attempts + 1, visited_at = clock_timestamp(),
           snapshot_id = snapshot.id
    FROM unnest(%(ids)b::uuid[], %(states)s::text[], %(reasons)b::text[], %(statuses)s::int[], %(sizes)s::int[],
                %(elapsed)s::int[], %(urls)b::text[], %(hashes)b::bytea[])
         AS given (id, state, reason, status, size, elapsed, url, hash)
         LEFT JOIN snapshot ON snapshot.url = given.url AND snapshot.content_hash = given.hash
    WHERE visit.id = given.id
"""
FIND = """
    INSERT INTO visit (id, crawl_id, url, kind, depth, hops, state, reason)
    SELECT id, crawl, url, kind, depth, hops, CASE reason WHEN '' THEN 'queued' ELSE 'refused' END, reason
    FROM unnest(%(ids)b::uuid[], %(crawls)b::uuid[], %(urls)b::text[], %(kinds)s::text[], %(depths)s::int[],
                %(hops)s::int[], %(reasons)b::text[]) AS given (id, crawl, url, kind, depth, hops, reason)
    ON CONFLICT (crawl_id, url) DO NOTHING
"""


def commit(batch: Sequence[Done]) -> set[UUID]:
    """All visits of the batch whose leases still hold, in one transaction; the tokens of those leases."""
    with transaction.atomic():
        held = hold([done.lease for done in batch], [done.pause for done in batch])
        ours = [done for done in batch if done.lease.token in held]
        _store_snapshots([done for done in ours if done.snapshot])
        _store_pages([done for done in ours if done.page])
        _store_visits(ours)
        find([(done.lease.crawl, each) for done in ours for each in done.found])
    return held


def find(new: Sequence[tuple[UUID, Found]]) -> None:
    if new:
        execute(
            FIND,
            ids=[each.visit.id for _, each in new],
            crawls=[crawl for crawl, _ in new],
            urls=[each.visit.url for _, each in new],
            kinds=[each.visit.kind for _, each in new],
            depths=[each.visit.depth for _, each in new],
            hops=[each.visit.hops for _, each in new],
            reasons=[each.refusal for _, each in new],
        )


def _store_snapshots(batch: list[Done]) -> None:
    new = [(done, done.page, done.snapshot, done.snapshot.reading) for done in batch if done.snapshot and done.page]
    if not new:
        return
    execute(
        STORE_SNAPSHOTS,
        ids=[uuid7() for _ in new],
        pages=[page.id for _, page, _, _ in new],
        urls=[done.visit.url for done, _, _, _ in new],
        hashes=[reading.content_hash for *_, reading in new],
        content_types=[snapshot.content_type for _, _, snapshot, _ in new],
        charsets=[reading.charset for *_, reading in new],
        headers=[snapshot.headers for _, _, snapshot, _ in new],
        raws=[reading.raw for *_, reading in new],
        sizes=[snapshot.size for _, _, snapshot, _ in new],
        titles=[reading.title for *_, reading in new],
        texts=[reading.text for *_, reading in new],
        languages=[reading.language for *_, reading in new],
        canonicals=[reading.canonical for *_, reading in new],
        outbounds=[" ".join(reading.outbound) for *_, reading in new],
        types=[" ".join(reading.types) for *_, reading in new],
    )


def _store_pages(batch: list[Done]) -> None:
    facts = [(done, done.page) for done in batch if done.page]
    if not facts:
        return
    execute(
        STORE_PAGES,
        ids=[page.id for _, page in facts],
        domains=[done.lease.domain for done, _ in facts],
        urls=[done.visit.url for done, _ in facts],
        depths=[done.visit.depth for done, _ in facts],
        etags=[page.etag for _, page in facts],
        modified=[page.last_modified for _, page in facts],
        statuses=[done.status or 0 for done, _ in facts],
        changed=[page.changed for _, page in facts],
        unchanged=[page.unchanged for _, page in facts],
        due=[page.due_at for _, page in facts],
        due_reasons=[page.due_reason for _, page in facts],
        hashes=_hashes([done for done, _ in facts]),
    )


def _store_visits(batch: list[Done]) -> None:
    if batch:
        execute(
            STORE_VISITS,
            ids=[done.visit.id for done in batch],
            states=[done.state for done in batch],
            reasons=[done.reason for done in batch],
            statuses=[done.status for done in batch],
            sizes=[done.size for done in batch],
            elapsed=[done.elapsed_ms for done in batch],
            urls=[done.visit.url for done in batch],
            hashes=_hashes(batch),
        )


def _hashes(batch: Sequence[Done]) -> list[bytes | None]:
    return [done.snapshot.reading.content_hash if done.snapshot else None for done in batch]
