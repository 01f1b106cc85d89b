"""SQL for observations from feeds: look-ups for joining with pages, and last-seen marks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from gleanery.extraction.feed_joining import FeedObservation, spellings
from gleanery.extraction.storing.versions import Key
from gleanery.sql import execute, rows

_SAYS_SO = """
    coalesce((
        SELECT extraction.said FROM extraction WHERE extraction.page_id = page.id ORDER BY extracted_at DESC LIMIT 1
    ) ? (kind || ' ' || external_id), false) AND page.last_status NOT IN (404, 410)
"""
_CURRENT = f"""
    SELECT observation.id, kind, external_id, payload, payload_hash, evidence, original, extractor,
           observation.version, feed, link, parts, page.id, snapshot_id, coalesce(page.url, ''),
           coalesce({_SAYS_SO}, false)
    FROM observation LEFT JOIN page ON page.id = observation.page_id
    WHERE source_id = %(source)s AND superseded_at IS NULL AND kind = 'event'
"""  # noqa: S608 - our own words
# Indexes: observation_link, observation_current_once.
SELECT_FED = f"""
    {_CURRENT} AND in_feed
       AND (link <> '' AND link = ANY(%(links)s::text[]) OR external_id = ANY(%(keys)s::text[]))
    ORDER BY external_id
"""
SELECT_BY_KEY = f"{_CURRENT} AND external_id = ANY(%(keys)s::text[])"
# Observations from pages that a feed links to. Indexes: page_url_once, observation_current_once.
SELECT_ON_PAGES = f"""
    {_CURRENT} AND feed IS NULL
       AND (page.url = ANY(%(urls)s::text[]) OR payload->>'url' = ANY(%(urls)s::text[]))
    ORDER BY external_id
"""
CONFIRM_SEEN = """
    UPDATE observation
    SET last_seen = now(), not_seen_since = NULL, in_feed = true, link = given.link,
        feed = CASE WHEN in_feed THEN feed ELSE %(feed)s END
    FROM unnest(%(keys)s::text[], %(links)s::text[]) AS given (key, link)
    WHERE source_id = %(source)s AND superseded_at IS NULL AND kind = 'event' AND external_id = given.key
"""
CONFIRM_UNCHANGED = """
    UPDATE observation SET last_seen = now()
    WHERE source_id = %(source)s AND superseded_at IS NULL AND kind = 'event'
      AND external_id = ANY(%(keys)s::text[])
"""
# Pages may still list it; mark_unseen() decides about those.
MARK_GONE = """
    UPDATE observation SET in_feed = false, not_seen_since = coalesce(not_seen_since, now())
    WHERE source_id = %(source)s AND superseded_at IS NULL AND in_feed AND kind = 'event'
      AND NOT (external_id = ANY(%(keys)s::text[]))
    RETURNING id
"""


def feed_observations(source: UUID, links: Iterable[str], keys: Iterable[Key]) -> list[FeedObservation]:
    """Return current feed observations with one of these links or ids."""
    wanted = {"links": sorted(set(links)), "keys": sorted({key for kind, key in keys if kind == "event"})}
    return [_observation(row) for row in rows(SELECT_FED, source=source, **wanted)]


def current_by_key(source: UUID, keys: Iterable[str]) -> dict[str, FeedObservation]:
    """Return current versions of these events by id, from feeds and pages."""
    return {row[2]: _observation(row) for row in rows(SELECT_BY_KEY, source=source, keys=list(keys))}


def page_observations(source: UUID, links: Iterable[str]) -> list[FeedObservation]:
    """Return events known from pages only, whose page or url has one of these links."""
    urls = [url for link in links for url in spellings(link)]
    return [_observation(row) for row in rows(SELECT_ON_PAGES, source=source, urls=urls)] if urls else []


def confirm_seen(source: UUID, feed: UUID, links: Mapping[str, str]) -> None:
    """Mark events as seen in the feed now. `links` maps each id to the page that it links to."""
    execute(CONFIRM_SEEN, source=source, feed=feed, keys=list(links), links=list(links.values()))


def confirm_unchanged(source: UUID, keys: Iterable[str]) -> None:
    execute(CONFIRM_UNCHANGED, source=source, keys=list(keys))


def mark_gone(source: UUID, still: Iterable[str]) -> int:
    """Mark events that no feed of the source lists any more, and return their number."""
    return len(rows(MARK_GONE, source=source, keys=list(still)))


def _observation(row: tuple[Any, ...]) -> FeedObservation:
    row_id, kind, key, payload, digest, evidence, original, *rest = row
    extractor, version, feed, link, parts, *page = rest
    payload, evidence, original, parts = (_loaded(each) for each in (payload, evidence, original, parts))
    texts = row_id, kind, key, payload, bytes(digest), evidence, original
    return FeedObservation(*texts, extractor, version, feed, link, parts, *page)


def _loaded(value: Any) -> Any:
    """Parse jsonb, which a plain cursor returns as text."""
    return json.loads(value) if isinstance(value, str) else value
