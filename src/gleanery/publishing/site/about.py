"""Counts of the page About: entries of each source and of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.cache import cache
from django.utils.functional import Promise

from gleanery.publishing.showing import moments
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.sql import rows

MOST_SOURCES = 200
FRESH = 300  # seconds: a large store takes a while to count
# Index: search_kind.
KINDS = "SELECT kind, count(*) FROM search_entry GROUP BY kind"
# Sources of what is published now, those that gave most first. Index: observation_of_record, search_entry_pkey.
SOURCES = """
    SELECT source.name, count(DISTINCT entry.record_id) AS entries, max(observation.last_seen), count(*) OVER ()
    FROM search_entry AS entry
         JOIN observation ON observation.record = entry.record_id AND superseded_at IS NULL
         JOIN source ON source.id = observation.source_id LEFT JOIN domain ON domain.id = source.domain_id
    WHERE domain.processing_status IS DISTINCT FROM 'blacklisted'
    GROUP BY source.id ORDER BY entries DESC, source.name LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class CountedSource:
    name: str
    entries: int
    seen: str


@dataclass(frozen=True, slots=True)
class About:
    kinds: list[tuple[str, str | Promise, int]]
    sources: list[CountedSource]
    source_count: int
    gathered: datetime | None


def about(today: date) -> About:
    counted, found = cache.get_or_set("about-counts", _count, FRESH) or _count()
    return About(
        kinds=[(kind, words.many, counted[kind]) for kind, words in KIND_WORDS.items() if kind in counted],
        sources=[CountedSource(name, entries, moments.told_ago(seen, today)) for name, entries, seen, _ in found],
        source_count=found[0][3] if found else 0,
        gathered=max((seen for _, _, seen, _ in found), default=None),
    )


def _count() -> tuple[dict[str, int], list[tuple[Any, ...]]]:
    return dict(rows(KINDS)), rows(SOURCES, most=MOST_SOURCES)
