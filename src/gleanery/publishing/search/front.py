"""Contents of the start page: what is on this week or next, what closes soon, what is new, how much there is of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from django.conf import settings
from django.core.cache import cache
from django.utils.functional import Promise
from django.utils.translation import get_language

from gleanery.publishing.search import statements
from gleanery.publishing.search.facets import MOST_COUNTED, total_of
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import moments
from gleanery.publishing.showing.cards import SOON, Card, by_hour, card
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.sql import rows

COMING, CLOSING, NEW = 14, 5, 6
# How much is published of each kind. Index: search_kind.
KINDS = "SELECT kind, count(*) FROM search_entry GROUP BY kind"
# How many sources speak of anything, and when one was last read. Indexes: observation_current_once; few feeds.
GATHERED = """
    SELECT count(*), greatest(max(last_crawled_at), (SELECT max(read_at) FROM feed))
    FROM source LEFT JOIN domain ON domain.id = source.domain_id
    WHERE EXISTS (SELECT FROM observation WHERE source_id = source.id AND superseded_at IS NULL)
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
    closing_by: date
    new: list[Card]
    sources: int
    gathered: str  # "today"

    @property
    def is_week_counted(self) -> bool:
        return 0 < self.week_count < MOST_COUNTED

    @property
    def is_empty(self) -> bool:
        return not self.kinds


def front_kept(today: date) -> Front:
    """Return the start page as each process keeps it for a minute; an empty one is looked at anew."""
    key = f"front-{today}-{get_language()}"
    found: Front | None = cache.get(key)
    if found is None:
        found = front(today)
        cache.set(key, found, 0 if found.is_empty else settings.FRONT_SECONDS)
    return found


def front(today: date) -> Front:
    counted = dict(rows(KINDS))
    ((sources, gathered),) = rows(GATHERED)
    this_week = Filters(kind="event", when="week")
    coming = _cards(this_week, today, COMING) or _cards(Filters(kind="event"), today, COMING)
    closing_by = today + timedelta(days=SOON)
    return Front(
        kinds=[(kind, words.many, counted[kind]) for kind, words in KIND_WORDS.items() if kind in counted],
        coming=[Day(day, by_hour(cards)) for day, cards in groupby(coming, key=lambda each: each.day or today)],
        week_count=total_of(this_week, today),
        closing=_cards(Filters(deadline=closing_by, sort="soon", confirmed=True), today, CLOSING),
        closing_by=closing_by,
        new=_cards(Filters(sort="new"), today, NEW),
        sources=sources,
        gathered=moments.told_ago(gathered, today) if gathered else "",
    )


def _cards(filters: Filters, today: date, most: int) -> list[Card]:
    found, _ = statements.hits(filters, today, most=most)
    return [card(each, today) for each in found]
