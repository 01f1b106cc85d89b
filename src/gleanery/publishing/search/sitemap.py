"""The pages of all published records, in parts that search engines take."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from gleanery.publishing.showing.addresses import path_of
from gleanery.sql import rows

A_PART = 10_000
MOST_PARTS = 1_000
# Indexes: search_entry_pkey, record_pkey.
PAGES = """
    SELECT record.id, record.name, record.updated_at
    FROM (SELECT record_id FROM search_entry ORDER BY record_id LIMIT %(most)s OFFSET %(before)s) AS entry
         JOIN record ON record.id = entry.record_id ORDER BY record.id
"""
COUNT = "SELECT count(*) FROM search_entry"


class Listed(NamedTuple):
    path: str
    changed: datetime


def parts() -> range:
    """Their numbers, from 1; an empty site has one, with its start page."""
    ((count,),) = rows(COUNT)
    return range(1, min(max(-(-count // A_PART), 1), MOST_PARTS) + 1)


def pages(part: int) -> list[Listed]:
    """Return none for a part that is not there."""
    if not 1 <= part <= MOST_PARTS:
        return []
    found = rows(PAGES, most=A_PART, before=(part - 1) * A_PART)
    return [Listed(path_of(record, name), changed) for record, name, changed in found]
