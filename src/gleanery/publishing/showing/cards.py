"""A record as a line of a list shows it. Pure but for the language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from gleanery.publishing.showing import moments
from gleanery.publishing.showing.addresses import path_of
from gleanery.publishing.showing.facts import amount, cost, country_of, status_of
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.publishing.showing.moments import Clocks
from gleanery.publishing.showing.reading import Related

LONGEST_COST = 24
SOON = 14
HERE = 0.1  # kilometres that are not worth a word


@dataclass(frozen=True, slots=True)
class Card:
    kind: str
    kind_word: str | Promise
    name: str
    path: str
    day: date | None
    when: str
    clock: str  # the hour alone, for lists that are grouped by day
    where: str
    about: str
    cost: str
    is_free: bool
    status: str | Promise
    closes: str
    closes_soon: bool
    unlisted: str  # since when no source lists it
    away: str  # "3.2 km"


def card(row: Related, today: date) -> Card:
    fields = row.fields
    clocks = Clocks([fields], country_of(fields))
    start = clocks.at(row.start) if row.start else None
    end = clocks.at(row.end) if row.end else None
    price = amount(fields) if row.kind == "funding" else cost(fields)
    return Card(
        kind=row.kind,
        kind_word=KIND_WORDS[row.kind].one,
        name=row.name,
        path=path_of(row.id, row.name),
        day=max(start.day, today) if start else None,
        when=moments.told_span(start, end) if start else "",
        clock=f"{start.wall:%H:%M}" if start and start.wall is not None else _("all day"),
        where=_where(fields),
        about=" ".join(str(fields.get("description") or "").split())[:220],
        cost=price if len(price) <= LONGEST_COST else "",
        is_free=fields.get("is_accessible_for_free") is True,
        status=status_of(fields),
        closes=_closes(row.deadline, today),
        closes_soon=row.deadline is not None and 0 <= (row.deadline - today).days <= SOON,
        unlisted=moments.told_day(row.unconfirmed_since.date()) if row.unconfirmed_since else "",
        away=distance(row.km) if row.km is not None and row.km >= HERE else "",
    )


def by_hour(cards: Iterable[Card]) -> list[Card]:
    """Sort all-day entries first; clocks that are only known to be local ones are not told apart from others."""
    return sorted(cards, key=lambda each: each.clock if each.clock[:1].isdigit() else "")


def distance(km: float) -> str:
    near = 10
    return _("%(km)s km") % {"km": f"{km:.1f}" if km < near else f"{km:.0f}"}


def _where(fields: dict[str, Any]) -> str:
    parts = [fields.get("venue_name"), fields.get("locality")]
    return " · ".join(dict.fromkeys(str(each) for each in parts if each)) or _by(fields)


def _by(fields: dict[str, Any]) -> str:
    return str(fields.get("funder_name") or fields.get("provider_name") or fields.get("organizer_name") or "")


def _closes(deadline: date | None, today: date) -> str:
    if deadline is None:
        return ""
    left = moments.told_distance(deadline, today)
    told = _("closes %(day)s") % {"day": moments.told_day(deadline)}
    return f"{told} ({left})" if left else told
