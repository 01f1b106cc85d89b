"""Searching what is published: one statement for the hits of a page, a few for the counts beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from gleanery.publishing.search.clauses import QUERY
from gleanery.publishing.search.clauses import conditions as conditions  # noqa: PLC0414  # other rooms search by the same ones
from gleanery.publishing.search.facets import MOST_COUNTED, Town, kinds_of, total_of, towns_of
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.orders import KM, Order, cursor_after, order_of, position_of
from gleanery.publishing.search.positions import located
from gleanery.publishing.showing.reading import Related, related
from gleanery.sql import rows

A_PAGE = 20
MOST_RANKED = 500
MOST_RANKED_BY_NAME = 300

# The page is picked first, and only what is on it is read as a whole. Indexes: record_pkey, occurrence_once.
HITS = """
    SELECT record.id, record.kind, record.name, record.fields, coming.start, coming."end", record.deadline,
           page.unconfirmed_since, page.km, page.key::text
    FROM (
        SELECT entry.record_id, entry.unconfirmed_since, {km} AS km, {key} AS key
        FROM search_entry AS entry
        WHERE {where}
          AND (%(after)s::text IS NULL OR ({key}, entry.record_id) {beyond} (%(after)s::{type}, %(id)s::uuid))
        ORDER BY key {direction}, entry.record_id {direction} LIMIT %(most)s
    ) AS page JOIN record ON record.id = page.record_id LEFT JOIN LATERAL (
        SELECT o.start, o."end" FROM occurrence AS o
        WHERE o.record_id = page.record_id AND (o.start_date >= %(from_day)s OR o."end" >= %(from_day)s)
        ORDER BY o.start LIMIT 1
    ) AS coming ON true
    ORDER BY page.key {direction}, page.record_id {direction}
"""
# A word that everything has cannot be ranked in time: of its hits the soonest are, and some that have it in their
# names, whenever they are. `ts_match_vq` is the operator without its index: that of names has led there. Indexes:
# search_words, search_name_words, search_soonest, search_entry_pkey.
RANKED: Final = f"""
    entry.record_id = ANY(ARRAY(
        (SELECT entry.record_id FROM search_entry AS entry
         WHERE {{others}} AND to_tsvector('simple', entry.name) @@ {QUERY} AND ts_match_vq(entry.words, {QUERY})
         LIMIT {MOST_RANKED_BY_NAME})
        UNION
        (SELECT entry.record_id FROM search_entry AS entry WHERE {{where}}
         ORDER BY entry.soon, entry.record_id LIMIT {MOST_RANKED})))
"""  # noqa: S608  # our own words


@dataclass(frozen=True, slots=True)
class Hits:
    rows: list[Related]
    next_cursor: str
    total: int  # counting stops at MOST_COUNTED
    kinds: list[tuple[str, int]]
    towns: list[Town]

    @property
    def has_more_than_total(self) -> bool:
        return self.total >= MOST_COUNTED


def search(filters: Filters, today: date, cursor: str = "") -> Hits:
    """A page of hits, and how many there are of each kind and in each town, were that filter not set."""
    filters = located(filters)
    found, following = hits(filters, today, cursor)
    kinds = kinds_of(filters, today)
    whole = sum(count for _, count in kinds)
    total = dict(kinds).get(filters.kind, 0) if filters.kind else whole
    return Hits(
        found, following, total if whole else total_of(filters, today), kinds=kinds, towns=towns_of(filters, today)
    )


def hits(filters: Filters, today: date, cursor: str = "", most: int = A_PAGE) -> tuple[list[Related], str]:
    statement, values, order = page_of(located(filters), today)
    after, last = position_of(cursor, order)
    found = rows(statement, **values, after=after, id=last, most=most + 1)
    following = cursor_after(found[most - 1][-1], found[most - 1][0]) if len(found) > most else ""
    return [related(row[:7], *row[7:9]) for row in found[:most]], following


def page_of(filters: Filters, today: date) -> tuple[str, dict[str, Any], Order]:
    """Return the statement of a page of hits, its parameters but those of the page, and its order."""
    where, values = conditions(filters, today)
    order = order_of(filters, today)
    statement = HITS.format(
        key=order.key,
        type=order.type,
        where=ranked(filters, where, today) if filters.order == "best" else where,
        km=KM if filters.position else "NULL",
        beyond="<" if order.descending else ">",
        direction="DESC" if order.descending else "ASC",
    )
    first, _ = filters.days(today)
    return statement, values | {"from_day": first or today}, order


def ranked(filters: Filters, where: str, today: date) -> str:
    others, _ = conditions(replace(filters, q=""), today)
    return RANKED.format(where=where, others=others)
