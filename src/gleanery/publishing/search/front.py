"""What the start page shows: what is on this week or next, what closes soon, what is new, how much there is of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from django.utils.functional import Promise

from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.cards import SOON, Card, card
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.sql import rows

COMING, CLOSING, NEW = 14, 5, 6
# How much is published of each kind. Index: search_kind.
KINDS = "SELECT kind, count(*) FROM search_entry GROUP BY kind"
# How many sources speak of anything that is published, and when one last did.
GATHERED = """
    SELECT count(*), (SELECT max(last_seen) FROM observation WHERE superseded_at IS NULL)
    FROM source WHERE EXISTS (SELECT FROM observation WHERE source_id = source.id AND superseded_at IS NULL)
"""


@dataclass(frozen=True, slots=True)
class Day:
    date: date
    cards: list[Card]


@dataclass(frozen=True, slots=True)
class Front:
    kinds: list[tuple[str, str | Promise, int]]
    coming: list[Day]
    week_count: int
    closing: list[Card]
    new: list[Card]
    sources: int
    gathered: datetime | None

    @property
    def is_empty(self) -> bool:
        return not self.kinds


def front(today: date) -> Front:
    counted = dict(rows(KINDS))
    ((sources, gathered),) = rows(GATHERED)
    this_week = Filters(kind="event", when="week")
    coming = _cards(this_week, today, COMING) or _cards(Filters(kind="event"), today, COMING)
    return Front(
        kinds=[(kind, words.many, counted[kind]) for kind, words in KIND_WORDS.items() if kind in counted],
        coming=[Day(day, _by_hour(cards)) for day, cards in groupby(coming, key=lambda each: each.day or today)],
        week_count=dict(statements.kinds_of(this_week, today)).get("event", 0),
        closing=_cards(Filters(deadline=today + timedelta(days=SOON), sort="soon"), today, CLOSING),
        new=_cards(Filters(sort="new"), today, NEW),
        sources=sources,
        gathered=gathered,
    )


def _by_hour(cards: Iterable[Card]) -> list[Card]:
    """What lasts all day comes first."""
    return sorted(cards, key=lambda each: each.clock if each.clock[:1].isdigit() else "")


def _cards(filters: Filters, today: date, most: int) -> list[Card]:
    found, _ = statements.hits(filters, today, most=most)
    return [card(each, today) for each in found]
