"""The statements about what feeds say: what may be joined with a page, and what is said no longer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from gleanery.extraction.joining import Fed, spellings
from gleanery.extraction.storing.changes import Key
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
FED = f"""
    {_CURRENT} AND in_feed
       AND (link <> '' AND link = ANY(%(links)s::text[]) OR external_id = ANY(%(keys)s::text[]))
    ORDER BY external_id
"""
KNOWN = f"{_CURRENT} AND external_id = ANY(%(keys)s::text[])"
# What pages said of the things that a feed links to. Indexes: page_url_once, observation_current_once.
ON_PAGES = f"""
    {_CURRENT} AND feed IS NULL
       AND (page.url = ANY(%(urls)s::text[]) OR payload->>'url' = ANY(%(urls)s::text[]))
    ORDER BY external_id
"""
SEEN = """
    UPDATE observation
    SET last_seen = now(), not_seen_since = NULL, in_feed = true, link = told.link,
        feed = CASE WHEN in_feed THEN feed ELSE %(feed)s END
    FROM unnest(%(keys)s::text[], %(links)s::text[]) AS told (key, link)
    WHERE source_id = %(source)s AND superseded_at IS NULL AND kind = 'event' AND external_id = told.key
"""
SEEN_AGAIN = """
    UPDATE observation SET last_seen = now()
    WHERE source_id = %(source)s AND superseded_at IS NULL AND kind = 'event'
      AND external_id = ANY(%(keys)s::text[])
"""
# Pages may say it still: that is for them to tell.
GONE = """
    UPDATE observation SET in_feed = false, not_seen_since = coalesce(not_seen_since, now())
    WHERE source_id = %(source)s AND superseded_at IS NULL AND in_feed AND kind = 'event'
      AND NOT (external_id = ANY(%(keys)s::text[]))
    RETURNING id
"""


def fed(source: UUID, links: Iterable[str], keys: Iterable[Key]) -> list[Fed]:
    """What feeds say now that has one of these links or ids."""
    wanted = {"links": sorted(set(links)), "keys": sorted({key for kind, key in keys if kind == "event"})}
    return [_fed(row) for row in rows(FED, source=source, **wanted)]


def known(source: UUID, keys: Iterable[str]) -> dict[str, Fed]:
    """What holds now of these events, whoever said so."""
    return {row[2]: _fed(row) for row in rows(KNOWN, source=source, keys=list(keys))}


def on_pages(source: UUID, links: Iterable[str]) -> list[Fed]:
    """Events of pages alone that have one of these links; their own link is that of the page, or of their address."""
    urls = [url for link in links for url in spellings(link)]
    return [_fed(row) for row in rows(ON_PAGES, source=source, urls=urls)] if urls else []


def seen(source: UUID, feed: UUID, links: Mapping[str, str]) -> None:
    """The feed says so now; of each thing the page to which it links."""
    execute(SEEN, source=source, feed=feed, keys=list(links), links=list(links.values()))


def seen_again(source: UUID, keys: Iterable[str]) -> None:
    execute(SEEN_AGAIN, source=source, keys=list(keys))


def gone(source: UUID, still: Iterable[str]) -> int:
    """Marks what no feed of the source says any more; how many that are."""
    return len(rows(GONE, source=source, keys=list(still)))


def _fed(row: tuple[Any, ...]) -> Fed:
    row_id, kind, key, payload, digest, evidence, original, *rest = row
    extractor, version, feed, link, parts, *page = rest
    payload, evidence, original, parts = (_loaded(each) for each in (payload, evidence, original, parts))
    texts = row_id, kind, key, payload, bytes(digest), evidence, original
    return Fed(*texts, extractor, version, feed, link, parts, *page)


def _loaded(value: Any) -> Any:
    """jsonb comes as text on a bare cursor."""
    return json.loads(value) if isinstance(value, str) else value
