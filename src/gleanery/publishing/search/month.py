"""A month of events as a calendar: which take place on each day, the first few of them by name."""

from __future__ import annotations

import re
from calendar import Calendar
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

from gleanery.publishing.search.clauses import conditions
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing.cards import Card, by_hour, card
from gleanery.publishing.showing.reading import related
from gleanery.sql import rows

NAMED = 3  # of each day
MOST = 100  # that are read of a day
FIRST, LAST = date(1990, 1, 1), date(2199, 12, 31)
# What takes place on each day of a month, each event once a day; what goes on for days is on its first day here, or on
# the first of the month. Of a day with very many a part is read. Indexes: occurrence_day, occurrence_lasting,
# search_entry_pkey, record_pkey.
MONTH = """
    WITH held AS (
        SELECT DISTINCT ON (day.day, each.record_id) day.day, each.*
        FROM (SELECT generate_series(%(first)s::date, %(last)s::date, '1 day')::date AS day) AS day
             CROSS JOIN LATERAL (
                 SELECT o.record_id, o.start, entry.unconfirmed_since
                 FROM occurrence AS o JOIN search_entry AS entry ON entry.record_id = o.record_id
                 WHERE entry.kind = 'event' AND {where} AND (o.start_date = day.day OR day.day = %(first)s
                     AND o.start_date < %(first)s AND o."end" >= %(first)s AND o."end" - o.start > interval '12 hours')
                 LIMIT %(most)s
             ) AS each
        ORDER BY day.day, each.record_id, each.start
    ), ranked AS (
        SELECT held.*, count(*) OVER (PARTITION BY day) AS many,
               row_number() OVER (PARTITION BY day ORDER BY start, record_id) AS place
        FROM held
    )
    SELECT record.id, record.kind, record.name, record.fields, ranked.start, record.deadline, ranked.unconfirmed_since,
           ranked.day, ranked.many
    FROM ranked JOIN record ON record.id = ranked.record_id
    WHERE ranked.place <= %(named)s ORDER BY ranked.day, ranked.place
"""


class Day(NamedTuple):
    day: date
    is_inside: bool  # the month, and not in the weeks at its ends alone
    cards: list[Card]
    many: int

    @property
    def more(self) -> int:
        return self.many - len(self.cards)

    @property
    def is_full(self) -> bool:
        """Return True if there may be more than were read."""
        return self.many >= MOST


@dataclass(frozen=True, slots=True)
class Month:
    first: date
    weeks: list[list[Day]]

    @property
    def count(self) -> int:
        return sum(each.many for week in self.weeks for each in week)

    @property
    def is_full(self) -> bool:
        return any(each.is_full for week in self.weeks for each in week)

    @property
    def before(self) -> date | None:
        earlier = (self.first - timedelta(days=1)).replace(day=1)
        return earlier if earlier >= FIRST else None

    @property
    def after(self) -> date | None:
        later = _following(self.first)
        return later if later <= LAST else None


def month_named(given: str, today: date) -> date:
    """The first day of "2026-12"; this month where that cannot be read."""
    read = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", given)
    found = date(int(read[1]), int(read[2]), 1) if read and int(read[1]) else today.replace(day=1)
    return min(max(found, FIRST), LAST.replace(day=1))


def month(filters: Filters, first: date, today: date) -> Month:
    """The other filters hold; those of days and of the kind give way to the month and to events."""
    last = _following(first) - timedelta(days=1)
    others = replace(filters, kind="", when="", first=None, last=None, deadline=None, past=True)
    where, values = conditions(others, today)
    found = rows(MONTH.format(where=where), **values, first=first, last=last, named=NAMED, most=MOST)
    days: dict[date, list[tuple[Card, int]]] = {}
    for *row, since, day, many in found:
        days.setdefault(day, []).append((card(related((*row[:5], None, row[5]), since), today), many))
    weeks = Calendar().monthdatescalendar(first.year, first.month)
    return Month(first, [[_day(each, first, days.get(each, [])) for each in week] for week in weeks])


def _day(day: date, first: date, found: list[tuple[Card, int]]) -> Day:
    return Day(day, day.month == first.month, by_hour(shown for shown, _ in found), found[0][1] if found else 0)


def _following(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)
