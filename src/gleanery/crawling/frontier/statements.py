"""The statements of crawling, set-based: what a slice begins with, and what its visits leave behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gleanery.crawling.frontier import leases
from gleanery.crawling.frontier.columns import Blobs, Bools, Floats, Ids, Ints, Moments, Table, Texts, columns, unnested
from gleanery.crawling.frontier.leases import HOLD, Lease, execute, rows
from gleanery.crawling.pages.page_reader import Reading

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
    id: UUID
    content_type: str
    headers: str
    size: int
    reading: Reading


@dataclass(slots=True, kw_only=True)
class Done:
    """A visit with all that came of it: it is committed whole, or not at all."""

    lease: Lease
    visit: Queued
    state: str
    reason: str = ""
    status: int | None = None
    size: int | None = None
    elapsed_ms: int | None = None
    requests: int = 1
    pause: float = 0.0
    page: PageFacts | None = None
    snapshot: SnapshotFacts | None = None
    found: list[Found] = field(default_factory=list)


QUEUED = """
    SELECT id, url, kind, depth, hops, attempts FROM visit WHERE crawl_id = %(crawl)s AND state = 'queued'
    ORDER BY depth, id LIMIT %(most)s
"""
SEEN = """
    SELECT url, CASE WHEN elapsed_ms IS NOT NULL AND kind = 'page' THEN requests ELSE 0 END
    FROM visit WHERE crawl_id = %(crawl)s ORDER BY id
"""
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


def seen(crawl: UUID) -> list[tuple[str, int]]:
    """Every address of the crawl in the order of its finding, and how many requests for pages it cost."""
    return [(url, asked) for url, asked in rows(SEEN, crawl=crawl)]


def known(domain: UUID) -> dict[str, Known]:
    return {url: Known(*facts) for url, *facts in rows(KNOWN, domain=domain, most=MOST_KNOWN)}


def down(crawl: UUID) -> int:
    """How many pages in a row, asked for the first time, got no answer at all."""
    ((count,),) = rows(DOWN, crawl=crawl)
    return int(count)


# What a batch of visits is made of, a column each: how it travels, and where it comes from.
VISITS: Table[Done] = {
    "token": (Ids, lambda done: done.lease.token),
    "crawl": (Ids, lambda done: done.lease.crawl),
    "domain": (Ids, lambda done: done.lease.domain),
    "pause": (Floats, lambda done: done.pause),
    "visit": (Ids, lambda done: done.visit.id),
    "url": (Texts, lambda done: done.visit.url),
    "depth": (Ints, lambda done: done.visit.depth),
    "state": (Texts, lambda done: done.state),
    "reason": (Texts, lambda done: done.reason),
    "status": (Ints, lambda done: done.status),
    "size": (Ints, lambda done: done.size),
    "elapsed": (Ints, lambda done: done.elapsed_ms),
    "requests": (Ints, lambda done: done.requests),
    "page": (Ids, lambda done: done.page and done.page.id),
    "etag": (Texts, lambda done: done.page and done.page.etag),
    "last_modified": (Texts, lambda done: done.page and done.page.last_modified),
    "changed": (Bools, lambda done: done.page and done.page.changed),
    "unchanged": (Ints, lambda done: done.page and done.page.unchanged),
    "due_at": (Moments, lambda done: done.page and done.page.due_at),
    "due_reason": (Texts, lambda done: done.page and done.page.due_reason),
    "snapshot": (Ids, lambda done: done.snapshot and done.snapshot.id),
    "content_type": (Texts, lambda done: done.snapshot and done.snapshot.content_type),
    "headers": (Texts, lambda done: done.snapshot and done.snapshot.headers),
    "raw_size": (Ints, lambda done: done.snapshot and done.snapshot.size),
    "hash": (Blobs, lambda done: done.snapshot and done.snapshot.reading.content_hash),
    "charset": (Texts, lambda done: done.snapshot and done.snapshot.reading.charset),
    "raw": (Blobs, lambda done: done.snapshot and done.snapshot.reading.raw),
    "title": (Texts, lambda done: done.snapshot and done.snapshot.reading.title),
    "text": (Texts, lambda done: done.snapshot and done.snapshot.reading.text),
    "language": (Texts, lambda done: done.snapshot and done.snapshot.reading.language),
    "canonical": (Texts, lambda done: done.snapshot and done.snapshot.reading.canonical),
    "outbound": (Texts, lambda done: done.snapshot and " ".join(done.snapshot.reading.outbound)),
    "types": (Texts, lambda done: done.snapshot and " ".join(done.snapshot.reading.types)),
    "rendering": (Texts, lambda done: done.snapshot and done.snapshot.reading.rendering),
}
FOUND: Table[tuple[Lease, Found]] = {
    "found_by": (Ids, lambda new: new[0].token),
    "found_in": (Ids, lambda new: new[0].crawl),
    "found_id": (Ids, lambda new: new[1].visit.id),
    "found_url": (Texts, lambda new: new[1].visit.url),
    "found_kind": (Texts, lambda new: new[1].visit.kind),
    "found_depth": (Ints, lambda new: new[1].visit.depth),
    "found_hops": (Ints, lambda new: new[1].visit.hops),
    "found_refusal": (Texts, lambda new: new[1].refusal),
}
FIND = f"""
    INSERT INTO visit (id, crawl_id, url, kind, depth, hops, state, reason)
    SELECT found_id, found_in, found_url, found_kind, found_depth, found_hops,
           CASE found_refusal WHEN '' THEN 'queued' ELSE 'refused' END, found_refusal
    FROM {unnested("found", FOUND)}
"""  # noqa: S608 - our own words
ONCE = "ON CONFLICT (crawl_id, url) DO NOTHING"
# All in one statement, which sees the tables as they were before it: so what is new is known by the id it was given.
# Unique: snapshot (url, content_hash), so a content is kept once, and a page that goes back to an earlier content
# points to that snapshot again. The page may be known under an id that was not in mind.
STORE = f"""
    WITH given AS MATERIALIZED (
        SELECT * FROM {unnested("given", VISITS)}
    ), held AS (
        {HOLD.format(mine="given")}
    ), ours AS MATERIALIZED (
        SELECT given.*, coalesce(known.id, page) AS page_id, coalesce(same.id, given.snapshot) AS snapshot_id,
               given.snapshot IS NOT NULL AND same.id IS NULL AS new
        FROM held JOIN given ON given.token = held.lease
             LEFT JOIN page AS known ON known.url = given.url
             LEFT JOIN snapshot AS same ON same.url = given.url AND same.content_hash = given.hash
    ), snapshots AS (
        INSERT INTO snapshot (id, page_id, url, content_hash, content_type, charset, headers, raw, raw_size, title,
                              text, language, canonical, outbound, types, rendering)
        SELECT snapshot_id, page_id, url, hash, content_type, charset, headers::jsonb, raw, raw_size, title,
               text, language, canonical, to_jsonb(array_remove(string_to_array(outbound, ' '), '')),
               to_jsonb(array_remove(string_to_array(types, ' '), '')), rendering
        FROM ours WHERE new ON CONFLICT (url, content_hash) DO NOTHING
    ), pages AS (
        INSERT INTO page (id, domain_id, url, depth, etag, last_modified, first_fetched_at, last_fetched_at,
                          last_status, last_changed_at, unchanged_count, due_at, due_reason, current_snapshot_id)
        SELECT page_id, domain, url, depth, etag, last_modified, now(), now(), coalesce(status, 0),
               CASE WHEN changed THEN now() END, unchanged, due_at, due_reason, snapshot_id
        FROM ours WHERE page IS NOT NULL
        ON CONFLICT (url) DO UPDATE
            SET depth = least(page.depth, excluded.depth), etag = excluded.etag,
                last_modified = excluded.last_modified, last_fetched_at = now(), last_status = excluded.last_status,
                last_changed_at = coalesce(excluded.last_changed_at, page.last_changed_at),
                unchanged_count = excluded.unchanged_count, due_at = excluded.due_at,
                due_reason = excluded.due_reason,
                current_snapshot_id = coalesce(excluded.current_snapshot_id, page.current_snapshot_id)
    ), visits AS (
        UPDATE visit SET state = ours.state, reason = ours.reason, status = ours.status, size = ours.size,
               elapsed_ms = ours.elapsed, requests = ours.requests,
               attempts = visit.attempts + 1, visited_at = clock_timestamp(), snapshot_id = ours.snapshot_id
        FROM ours WHERE visit.id = ours.visit
    ), finds AS (
        {FIND} JOIN held ON held.lease = found_by {ONCE}
    )
    SELECT lease FROM held
"""  # noqa: S608 - our own words


def commit(batch: Sequence[Done]) -> set[UUID]:
    """All visits of the batch whose leases still hold, as a whole; the tokens of those leases."""
    found = [(done.lease, each) for done in batch for each in done.found]
    values = columns(VISITS, batch) | columns(FOUND, found)
    return {token for (token,) in rows(STORE, **values, seconds=leases.LEASE_SECONDS)}


def find(lease: Lease, new: Sequence[Found]) -> None:
    execute(f"{FIND} {ONCE}", **columns(FOUND, [(lease, each) for each in new]))
