"""SQL of feeds, set-based: due feeds, permission to read, storing of found feeds."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from gleanery.feeds.finding.candidates import Candidate
from gleanery.ids import hex7
from gleanery.sql import rows

# Feeds of an undecided source are read once for a sample, those of an approved one whenever due. Addresses covered by
# another working feed are skipped. Index: feed_due.
_WANTED = """
    FROM feed JOIN domain ON domain.id = feed.domain_id AND domain.processing_status <> 'blacklisted'
    WHERE feed.due_at <= now()
      AND (feed.state = 'approved' AND domain.approval_status = 'approved'
           OR feed.state = 'found' AND domain.approval_status IN ('approved', 'pending_review'))
      AND NOT EXISTS (
          SELECT FROM feed AS other
          WHERE other.domain_id = feed.domain_id AND other.id <> feed.id AND other.covers ? feed.url
            AND other.state IN ('found', 'approved') AND other.failures = 0
      )
"""
# One per host, since hosts get one request at a time. The longest waiting come first; hosts in a pause are skipped.
# Indexes: feed_due, primary keys of host and site.
_NEXT = """
    SELECT id, host FROM waiting
    WHERE NOT EXISTS (SELECT FROM host WHERE host.name = waiting.host AND ready_at > now() + interval '10 seconds')
      AND NOT EXISTS (
          SELECT FROM site JOIN domain ON domain.id = site.domain_id
          WHERE domain.name = waiting.host AND ready_at > now() + interval '10 seconds'
      )
    ORDER BY due_at LIMIT %(most)s
"""
DUE = f"""
    WITH waiting AS (
        SELECT DISTINCT ON (feed.host) feed.id, feed.host, feed.due_at {_WANTED}
          AND NOT (feed.host = ANY(%(busy)s::text[])) AND (%(only)s::uuid[] IS NULL OR feed.id = ANY(%(only)s::uuid[]))
        ORDER BY feed.host, feed.due_at
    ) {_NEXT}
"""
IS_WANTED = f"SELECT feed.id {_WANTED} AND feed.id = %(feed)s"
ARE_WANTED = f"SELECT feed.id {_WANTED} AND feed.id = ANY(%(feeds)s::uuid[])"
# Known feeds are marked as shown again; a direct link makes a guess certain.
FIND = """
    INSERT INTO feed (id, domain_id, url, host, platform, title, found_on, is_guess, covers, said, sample, problems,
                      digest)
    SELECT id, %(domain)s, url, host, platform, title, found_on, is_guess, covers, '[]', '[]', '[]', ''
    FROM json_to_recordset(%(rows)s)
             AS row (id uuid, url text, host text, platform text, title text, found_on text, is_guess bool,
                     covers jsonb)
    ON CONFLICT (domain_id, url) DO UPDATE
        SET shown_at = now(), covers = excluded.covers, is_guess = feed.is_guess AND excluded.is_guess,
            title = coalesce(nullif(feed.title, ''), excluded.title)
    RETURNING id, xmax = 0
"""
# Pages read by a crawl, with their current content.
PAGES = """
    SELECT visit.url, visit.depth, snapshot.raw, snapshot.charset, snapshot.headers
    FROM visit JOIN snapshot ON snapshot.id = visit.snapshot_id
    WHERE visit.crawl_id = %(crawl)s AND visit.url > %(after)s
      AND snapshot.content_type NOT IN ('text/calendar', 'application/pdf')
    ORDER BY visit.url LIMIT %(most)s
"""
# A calendar read as a feed is not crawled as a page as well.
LEAVE_TO_FEEDS = """
    UPDATE page SET due_at = greatest(due_at, now() + interval '60 days'), due_reason = 'It is read as a feed.'
    WHERE url = %(url)s AND domain_id = %(domain)s
"""
# Events that the feeds of a source list; a failing feed keeps its events.
SELECT_EVENTS_BY_FEED = """
    SELECT feed.id, substr(key, length('event ') + 1) FROM feed, jsonb_array_elements_text(feed.said) AS key
    WHERE domain_id = %(domain)s AND state IN ('approved', 'stopped') AND key LIKE 'event %%'
"""


class Due(NamedTuple):
    feed: UUID
    host: str


class PageText(NamedTuple):
    url: str
    depth: int
    raw: bytes
    charset: str
    headers: dict[str, str]


def due_feeds(busy: Collection[str], most: int, only: Sequence[UUID] | None) -> list[Due]:
    return [Due(*row) for row in rows(DUE, busy=sorted(busy), most=most, only=only and list(only))]


def is_wanted(feed: UUID) -> bool:
    """Return True if the feed is due and neither it nor its source was stopped."""
    return bool(rows(IS_WANTED, feed=feed))


def are_wanted(feeds: Iterable[UUID]) -> bool:
    return bool(rows(ARE_WANTED, feeds=list(feeds)))


def store_candidates(domain: UUID, candidates: Sequence[Candidate]) -> list[UUID]:
    """Store candidates and return the ids of new feeds. Writing in the order of addresses prevents deadlocks."""
    new_rows = [
        {
            "id": hex7(),
            "url": each.url,
            "host": each.host,
            "platform": each.platform.name,
            "title": each.title[:200],
            "found_on": each.page,
            "is_guess": each.is_guess,
            "covers": sorted(each.covers - {each.url}),
        }
        for each in sorted(candidates, key=lambda each: each.url)
    ]
    return [row_id for row_id, is_new in rows(FIND, domain=domain, rows=json.dumps(new_rows)) if is_new]


def crawled_pages(crawl: UUID, after: str, most: int) -> list[PageText]:
    found = rows(PAGES, crawl=crawl, after=after, most=most)
    return [
        PageText(url, depth, bytes(raw), charset, json.loads(headers) if isinstance(headers, str) else headers)
        for url, depth, raw, charset, headers in found
    ]


def leave_to_feeds(domain: UUID, url: str) -> None:
    rows(f"{LEAVE_TO_FEEDS} RETURNING id", domain=domain, url=url)


def events_by_feed(domain: UUID) -> dict[UUID, set[str]]:
    """Return the ids of events by feed."""
    found: dict[UUID, set[str]] = {}
    for feed, key in rows(SELECT_EVENTS_BY_FEED, domain=domain):
        found.setdefault(feed, set()).add(key)
    return found
