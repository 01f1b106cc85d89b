"""Entries of one digest: what the search found anew in its window, and which deadlines come near."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from gleanery.publishing.digests.rhythm import reminded
from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.reading import Published
from gleanery.publishing.showing.reading_many import published_many
from gleanery.publishing.syndication.selection import followed
from gleanery.sql import rows

MOST = 30
# Index: search_newest.
NEW = "entry.published_at > %(window_since)s AND entry.published_at <= %(window_until)s"
# Index: search_deadline.
CLOSING = "entry.deadline > %(after_day)s AND entry.deadline <= %(last_day)s AND entry.published_at <= %(window_since)s"
FOUND = """
    SELECT entry.record_id, count(*) OVER () FROM search_entry AS entry WHERE {where} AND {window}
    ORDER BY coalesce(greatest(entry.start_date, %(today)s), entry.deadline), entry.record_id LIMIT %(most)s
"""


class Window(NamedTuple):
    since: datetime
    until: datetime
    rhythm: str
    reminds: bool


class Found(NamedTuple):
    entries: list[Published]
    total: int  # also of those that are too many for one e-mail


def new_entries(filters: Filters, window: Window, today: date) -> Found:
    return _found(filters, today, NEW, window_since=window.since, window_until=window.until)


def closing_entries(filters: Filters, window: Window, today: date) -> Found:
    """Return what was known before; a new entry says by itself until when it is open."""
    if not window.reminds:
        return Found([], 0)
    first, last = reminded(window.rhythm, window.since, window.until)
    return _found(filters, today, CLOSING, window_since=window.since, after_day=first, last_day=last)


def _found(filters: Filters, today: date, window: str, **values: Any) -> Found:
    where, known = statements.conditions(followed(filters), today)
    found = rows(FOUND.format(where=where, window=window), **{**known, **values, "today": today, "most": MOST})
    return Found(published_many([record for record, _ in found]), found[0][1] if found else 0)
