"""The lists of a static copy: all of each kind, and the events of each month, in pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.utils.dateformat import format as formatted
from django.utils.functional import Promise

from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.cards import Card, card
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.reading import Related
from gleanery.publishing.static_site.addresses import list_path, month_path, numbered

A_PAGE: Final = 100
MONTHS_AHEAD: Final = 12


@dataclass(frozen=True, slots=True)
class ListPage:
    path: str
    kind: str
    title: str | Promise
    cards: list[Card]
    months: list[tuple[str, str]]  # title and address
    before: str
    following: str


def list_pages(today: date) -> Iterator[ListPage]:
    months = [(formatted(first, "F Y"), month_path(f"{first:%Y-%m}")) for first in _months(today)]
    for kind, words in KIND_WORDS.items():
        yield from _pages(Filters(kind=kind), today, words.many, months if kind == "event" else [], list_path(kind))
    for first, (title, path) in zip(_months(today), months, strict=True):
        last = _next_month(first) - timedelta(days=1)
        yield from _pages(Filters(kind="event", first=max(first, today), last=last), today, title, months, path)


def coming(today: date) -> Iterator[Related]:
    """All that the lists have, whatever its kind."""
    for kind in KIND_WORDS:
        for found, _ in _batches(Filters(kind=kind), today):
            yield from found


def _pages(
    filters: Filters, today: date, title: str | Promise, months: list[tuple[str, str]], path: str
) -> Iterator[ListPage]:
    for number, (found, has_more) in enumerate(_batches(filters, today), 1):
        yield ListPage(
            path=numbered(path, number),
            kind=filters.kind,
            title=title,
            cards=[card(each, today) for each in found],
            months=months,
            before=numbered(path, number - 1) if number > 1 else "",
            following=numbered(path, number + 1) if has_more else "",
        )


def _batches(filters: Filters, today: date) -> Iterator[tuple[list[Related], bool]]:
    cursor, is_first = "", True
    while cursor or is_first:
        found, cursor = statements.hits(filters, today, cursor, most=A_PAGE)
        yield found, bool(cursor)
        is_first = False


def _months(today: date) -> Iterator[date]:
    first = today.replace(day=1)
    for _ in range(MONTHS_AHEAD):
        yield first
        first = _next_month(first)


def _next_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)
