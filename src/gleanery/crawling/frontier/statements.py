"""Set-based SQL of crawling: load the state of a crawl, and store the results of visits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gleanery.crawling.frontier import leases
from gleanery.crawling.frontier.columns import Blobs, Bools, Floats, Ids, Ints, Moments, Table, Texts, columns, unnested
from gleanery.crawling.frontier.leases import HOLD, Lease, execute, rows
from gleanery.crawling.pages.page_reader import ParsedPage

MOST_KNOWN = 20_000


class QueuedVisit(NamedTuple):
    """An address in the frontier."""

    id: UUID
    url: str
    kind: str
    depth: int
    hops: int = 0
    attempts: int = 0


class FoundAddress(NamedTuple):
    """A new address for the frontier, or one refused without a visit."""

    visit: QueuedVisit
    refusal: str = ""


class KnownPage(NamedTuple):
    """A page as recorded by earlier visits."""

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
    """New values of a page row."""

    id: UUID
    etag: str
    last_modified: str
    changed: bool
    unchanged: int
    due_at: datetime
    due_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFacts:
    """Values of a snapshot row."""

    id: UUID
    content_type: str
    headers: str
    size: int
    reading: ParsedPage


@dataclass(slots=True, kw_only=True)
class FinishedVisit:
    """A visit with all its results, committed as a whole."""

    lease: Lease
    visit: QueuedVisit
    state: str
    reason: str = ""
    status: int | None = None
    size: int | None = None
    elapsed_ms: int | None = None
    requests: int = 1
    pause: float = 0.0
    page: PageFacts | None = None
    snapshot: SnapshotFacts | None = None
    found: list[FoundAddress] = field(default_factory=list)


QUEUED = """
    SELECT id, url, kind, depth, hops, attempts FROM visit WHERE crawl_id = %(crawl)s AND state = 'queued'
    ORDER BY depth, id LIMIT %(most)s
"""
SEEN = """
    SELECT url, CASE WHEN elapsed_ms IS NOT NULL AND kind = 'page' THEN requests ELSE 0 END
    FROM visit WHERE crawl_id = %(crawl)s ORDER BY id
"""
# Pages due soonest; index: page_due.
KNOWN = """
    SELECT page.url, page.id, depth, etag, last_modified, content_hash, unchanged_count, first_fetched_at, yielded_at,
           due_at
    FROM page LEFT JOIN snapshot ON snapshot.id = page.current_snapshot_id
    WHERE page.domain_id = %(domain)s ORDER BY due_at LIMIT %(most)s
"""
# Failures in a row, over all slices of the crawl, since a slow failure outlasts a slice. A visit is only queued again
# after a temporary failure; any other result means that the site responds.
DOWN = """
    SELECT count(*) FROM visit
    WHERE crawl_id = %(crawl)s AND state = 'queued' AND attempts = 1 AND coalesce(status, 429) IN (429, 503)
      AND visited_at > coalesce((
        SELECT max(visited_at) FROM visit WHERE crawl_id = %(crawl)s AND elapsed_ms IS NOT NULL
          AND (status NOT IN (429, 503) OR state <> 'queued' AND attempts = 1)
      ), '-infinity')
"""


def queued(crawl: UUID) -> list[QueuedVisit]:
    return [QueuedVisit(*row) for row in rows(QUEUED, crawl=crawl, most=MOST_KNOWN)]


def seen(crawl: UUID) -> list[tuple[str, int]]:
    """Return every address of the crawl in the order it was found, with its number of page requests."""
    return [(url, asked) for url, asked in rows(SEEN, crawl=crawl)]


def known(domain: UUID) -> dict[str, KnownPage]:
    return {url: KnownPage(*facts) for url, *facts in rows(KNOWN, domain=domain, most=MOST_KNOWN)}


def down(crawl: UUID) -> int:
    """Return how many pages in a row failed at the first try without a response."""
    ((count,),) = rows(DOWN, crawl=crawl)
    return int(count)


# Columns of a batch of visits: the type of each, and where its value comes from.
VISITS: Table[FinishedVisit] = {
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
FOUND: Table[tuple[Lease, FoundAddress]] = {
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
# One statement, so every part sees the tables as they were before it. Snapshots are unique by (url, content_hash): a
# page that returns to an earlier content points to that snapshot again. A page may exist under another id than the
# one given, if it was not loaded.
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


def commit(batch: Sequence[FinishedVisit]) -> set[UUID]:
    """Store the visits whose leases are still held, all together; return the tokens of these leases."""
    found = [(done.lease, each) for done in batch for each in done.found]
    values = columns(VISITS, batch) | columns(FOUND, found)
    return {token for (token,) in rows(STORE, **values, seconds=leases.LEASE_SECONDS)}


def find(lease: Lease, new: Sequence[FoundAddress]) -> None:
    execute(f"{FIND} {ONCE}", **columns(FOUND, [(lease, each) for each in new]))
