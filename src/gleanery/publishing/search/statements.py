"""Searching what is published: one statement for the hits of a page, one for each count beside them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple
from uuid import UUID

from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.reading import Related, public_fields
from gleanery.resolution.intake.storage import loaded
from gleanery.sql import rows
from gleanery.text import clean_text

A_PAGE = 20
MOST_FACETS = 12


class Clause(NamedTuple):
    """A condition, which names the parameters that it needs."""

    sql: str
    values: dict[str, Any]


# What is over is reached by its address and by asking for its days, and is in no list. Indexes: occurrence_day,
# search_deadline.
IN_TIME = """
    (entry.deadline IS NULL OR entry.deadline >= %(today)s)
    AND (entry.kind <> 'event' OR EXISTS (
        SELECT FROM occurrence AS o WHERE o.record_id = entry.record_id
        AND (o.start_date >= %(today)s OR o."end" >= %(today)s)))
"""
ON_DAYS = """
    EXISTS (SELECT FROM occurrence AS o WHERE o.record_id = entry.record_id
            AND o.start_date <= %(last)s AND (o.start_date >= %(first)s OR o."end" >= %(first)s))
"""
OF_SOURCE = """
    entry.record_id IN (SELECT record FROM observation JOIN source ON source.id = source_id
                        WHERE source.name = %(source)s AND superseded_at IS NULL AND record IS NOT NULL)
"""
# By words, and by names with which the words share six of ten trigrams: one slip in a longer word.
# Indexes: search_words, search_name.
BY_WORDS = "(entry.words @@ websearch_to_tsquery('simple', folded(%(q)s)) OR folded(%(q)s) <%% entry.name)"


def _on_days(filters: Filters, today: date) -> Clause | None:
    first, last = filters.days(today)
    if first is None and last is None:
        return None
    return Clause(ON_DAYS, {"first": first or today, "last": last or date.max})


CLAUSES: tuple[Callable[[Filters, date], Clause | None], ...] = (
    lambda f, _: Clause(BY_WORDS, {"q": f.q}) if f.q else None,
    lambda f, _: Clause("entry.kind = %(kind)s", {"kind": f.kind}) if f.kind else None,
    lambda f, _: Clause("entry.folded_town = folded(%(place)s)", {"place": f.place}) if f.place else None,
    lambda f, _: Clause("entry.is_free", {}) if f.free else None,
    lambda f, _: Clause("entry.is_online", {}) if f.online else None,
    lambda f, _: Clause("entry.is_cancelled = %(off)s", {"off": f.cancelled}) if f.cancelled is not None else None,
    lambda f, _: Clause(OF_SOURCE, {"source": f.source}) if f.source else None,
    lambda f, _: Clause("entry.deadline <= %(closes)s", {"closes": f.deadline}) if f.deadline else None,
    _on_days,
    lambda f, today: None if f.first and f.first < today else Clause(IN_TIME, {}),
)


class Order(NamedTuple):
    key: str  # an expression, never NULL
    type: str
    descending: bool = False


_FAR = "'9999-12-31'::date"
ORDERS: Final[dict[str, Order]] = {
    "best": Order(
        "round((ts_rank(entry.words, websearch_to_tsquery('simple', folded(%(q)s)))"
        " + word_similarity(folded(%(q)s), entry.name))::numeric, 4)",
        "numeric",
        descending=True,
    ),
    "soon": Order(f"coalesce(coming.start_date, entry.deadline, {_FAR})", "date"),
    "new": Order("entry.published_at", "timestamptz", descending=True),
    "name": Order("entry.name", "text"),
}
READERS: Final[dict[str, Callable[[str], object]]] = {
    "numeric": Decimal,
    "date": date.fromisoformat,
    "timestamptz": datetime.fromisoformat,
    "text": clean_text,
}
# Index: occurrence_once.
HITS = """
    SELECT record.id, record.kind, record.name, record.fields, coming.start, coming."end", record.deadline,
           ({key})::text
    FROM search_entry AS entry JOIN record ON record.id = entry.record_id LEFT JOIN LATERAL (
        SELECT o.start, o."end", greatest(o.start_date, %(from_day)s) AS start_date FROM occurrence AS o
        WHERE o.record_id = entry.record_id AND (o.start_date >= %(from_day)s OR o."end" >= %(from_day)s)
        ORDER BY o.start LIMIT 1
    ) AS coming ON true
    WHERE {where} AND (%(after)s::text IS NULL OR (({key}), entry.record_id) {beyond} (%(after)s::{type}, %(id)s::uuid))
    ORDER BY {key} {direction}, entry.record_id {direction} LIMIT %(most)s
"""
KINDS = """
    SELECT entry.kind, count(*) FROM search_entry AS entry WHERE {where}
    GROUP BY entry.kind ORDER BY count(*) DESC, entry.kind
"""
# Each town as most write it, whichever letters others use.
TOWNS = """
    SELECT mode() WITHIN GROUP (ORDER BY entry.town), count(*), entry.folded_town = folded(%(place)s)
    FROM search_entry AS entry WHERE {where} AND entry.folded_town <> ''
    GROUP BY entry.folded_town ORDER BY count(*) DESC, entry.folded_town LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Hits:
    rows: list[Related]
    next_cursor: str
    total: int
    kinds: list[tuple[str, int]]
    towns: list[tuple[str, int, bool]]  # the last says whether it is the one that is asked for


def search(filters: Filters, today: date, cursor: str = "") -> Hits:
    """A page of hits, and how many there are of each kind and in each town, were that filter not set."""
    found, following = hits(filters, today, cursor)
    kinds = kinds_of(filters, today)
    return Hits(
        found,
        following,
        total=dict(kinds).get(filters.kind, 0) if filters.kind else sum(count for _, count in kinds),
        kinds=kinds,
        towns=towns_of(filters, today),
    )


def hits(filters: Filters, today: date, cursor: str = "", most: int = A_PAGE) -> tuple[list[Related], str]:
    where, values = conditions(filters, today)
    order = ORDERS[filters.order]
    after, last = _position(cursor, order)
    statement = HITS.format(
        key=order.key,
        type=order.type,
        where=where,
        beyond="<" if order.descending else ">",
        direction="DESC" if order.descending else "ASC",
    )
    first, _ = filters.days(today)
    values |= {"after": after, "id": last, "most": most + 1, "from_day": first or today}
    found = rows(statement, **values)
    following = _cursor(found[most - 1][-1], found[most - 1][0]) if len(found) > most else ""
    return [Related._make((*row[:3], public_fields(loaded(row[3])), *row[4:7])) for row in found[:most]], following


def kinds_of(filters: Filters, today: date) -> list[tuple[str, int]]:
    where, values = conditions(replace(filters, kind=""), today)
    return [(kind, count) for kind, count in rows(KINDS.format(where=where), **values)]


def towns_of(filters: Filters, today: date) -> list[tuple[str, int, bool]]:
    where, values = conditions(replace(filters, place=""), today)
    found = rows(TOWNS.format(where=where), **{**values, "place": filters.place, "most": MOST_FACETS})
    return [(town, count, is_asked) for town, count, is_asked in found]


def conditions(filters: Filters, today: date) -> tuple[str, dict[str, Any]]:
    """Return the WHERE clause over `search_entry AS entry`, and its parameters."""
    clauses = [clause for make in CLAUSES if (clause := make(filters, today))]
    values: dict[str, Any] = {"today": today, "q": filters.q}
    for clause in clauses:
        values |= clause.values
    return " AND ".join(clause.sql for clause in clauses) or "true", values


def _cursor(key: str, record: object) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, str(record)]).encode()).rstrip(b"=").decode()


def _position(cursor: str, order: Order) -> tuple[str | None, str | None]:
    """Where the page begins; one that cannot be read is the first page."""
    if not cursor:
        return None, None
    try:
        key, record = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=="))
        READERS[order.type](key)
        return key, str(UUID(record))
    except (ValueError, TypeError, AttributeError, ArithmeticError, binascii.Error, RecursionError):
        return None, None
