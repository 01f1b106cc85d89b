"""Numbered pages of published records, as the open-data shapes of others want them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.statements import conditions
from gleanery.publishing.showing.reading import Published
from gleanery.publishing.showing.reading_many import published_many
from gleanery.sql import rows

MOST_PAGES: Final = 100_000
ORDERS: Final = {
    "id": "record.id",
    "changed": "record.updated_at DESC, record.id",
    "oldest change": "record.updated_at, record.id",
    "title": "record.name, record.id",
    "title backwards": "record.name DESC, record.id",
    "deadline": "record.deadline NULLS LAST, record.id",
    "deadline backwards": "record.deadline DESC NULLS LAST, record.id",
}
# Indexes: search_kind or those of the filters, record_pkey.
PAGE = """
    SELECT record.id FROM search_entry AS entry JOIN record ON record.id = entry.record_id
    WHERE {where} ORDER BY {order} LIMIT %(most)s::int OFFSET %(before)s::bigint
"""
STANDING = """
    CASE WHEN record.deadline < %(today)s THEN 'closed' WHEN record.start_date > %(today)s THEN 'forecasted'
         ELSE 'open' END = ANY(%(standings)s::text[])
"""
NARROWED: Final = ("organization", "changed_since", "closes_from", "closes_until", "standings")
COUNT = "SELECT count(*) FROM search_entry AS entry JOIN record ON record.id = entry.record_id WHERE {where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One page of a listing. The last five narrow it beyond what the search does."""

    filters: Filters
    page: int = 1
    size: int = 20
    order: str = "id"
    organization: UUID | None = None
    changed_since: datetime | None = None
    closes_from: date | None = None
    closes_until: date | None = None
    standings: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    asked: Asked
    total: int
    records: list[Published]

    @property
    def count(self) -> int:
        """The number of pages."""
        return -(-self.total // self.asked.size)


def page(asked: Asked, today: date) -> Page:
    where, values = _conditions(asked, today)
    ((total,),) = rows(COUNT.format(where=where), **values)
    before = (asked.page - 1) * asked.size
    found = rows(PAGE.format(where=where, order=ORDERS[asked.order]), **values, most=asked.size, before=before)
    return Page(asked, total, published_many([record for (record,) in found]))


def _conditions(asked: Asked, today: date) -> tuple[str, dict[str, Any]]:
    where, values = conditions(replace(asked.filters, past=True), today)
    more = {
        "record.organization_id = %(organization)s": asked.organization,
        "record.updated_at >= %(changed_since)s": asked.changed_since,
        "record.deadline >= %(closes_from)s": asked.closes_from,
        "record.deadline <= %(closes_until)s": asked.closes_until,
        STANDING: None if asked.standings is None else list(asked.standings),
    }
    clauses = [where, *(clause for clause, value in more.items() if value is not None)]
    given = dict(zip(NARROWED, more.values(), strict=True))
    return " AND ".join(clauses), values | given
