"""Filters of the search as its address has them. Whatever an address has that cannot be read is passed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gleanery.publishing.search.positions import Position
from gleanery.publishing.showing import moments
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.text import clean_text

LONGEST = 200
DISTANCES: Final = (2, 5, 10, 25, 50, 100)
DEFAULT_DISTANCE: Final = 25
FARTHEST: Final = 500
PERIODS: Final[dict[str, tuple[str | Promise, Callable[[date], tuple[date, date]]]]] = {
    "today": (_("Today"), lambda today: (today, today)),
    "weekend": (_("This weekend"), moments.weekend_of),
    "week": (_("Within a week"), moments.week_of),
    "month": (_("This month"), moments.month_of),
}
SORTS: Final[dict[str, str | Promise]] = {
    "best": _("Best match"),
    "soon": _("Soonest first"),
    "near": _("Nearest first"),
    "new": _("Newest first"),
    "name": _("By name"),
}


@dataclass(frozen=True, slots=True)
class Filters:
    q: str = ""
    kind: str = ""
    when: str = ""
    first: date | None = None
    last: date | None = None
    deadline: date | None = None  # closes on this day or before
    place: str = ""
    near: str = ""  # as it was typed: "42.7,23.3" or the name of a place
    within: int = DEFAULT_DISTANCE  # kilometres
    topic: str = ""
    language: str = ""
    source: str = ""
    free: bool = False
    accessible: bool = False
    online: bool = False
    cancelled: bool | None = None
    sort: str = ""
    # Not in the address.
    position: Position | None = None  # where `near` is, once `positions.located` has found that
    confirmed: bool = False  # without what no source lists any more
    past: bool = False  # with what is over

    def days(self, today: date) -> tuple[date | None, date | None]:
        return PERIODS[self.when][1](today) if self.when else (self.first, self.last)

    @property
    def order(self) -> str:
        """As asked; else by match if words are looked for, else what comes soonest."""
        if self.sort and (self.q or self.sort != "best") and (self.position or self.sort != "near"):
            return self.sort
        return "best" if self.q else "soon"

    def parts(self, **changes: object) -> dict[str, str]:
        """Return the parts of the address of this search, or of one that differs in these."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # of callers that name fields
        written = {each.name: each.write(getattr(changed, each.field)) for each in PARAMETERS}
        return {name: value for name, value in written.items() if value and (changed.near or name != "within")}

    def address(self, **changes: object) -> str:
        """Return the query string of this search, or of one that differs in these."""
        return urlencode(self.parts(**changes))


def read(given: Mapping[str, str]) -> Filters:
    found = {each.field: value for each in PARAMETERS if (value := each.read(given.get(each.name, ""))) is not None}
    if found.get("when"):
        found |= {"first": None, "last": None}
    return Filters(**found)  # type: ignore[arg-type]  # the table names its fields


class Parameter(NamedTuple):
    name: str  # in the address
    field: str
    read: Callable[[str], object]  # None where it cannot be read
    write: Callable[[object], str]


def _text(given: str) -> str:
    return clean_text(given[: 2 * LONGEST], limit=LONGEST)


def _one_of(known: Mapping[str, object]) -> Callable[[str], str | None]:
    return lambda given: given if given in known else None


def _day(given: str) -> date | None:
    try:
        return date.fromisoformat(given) if len(given) == len("2027-03-12") else None
    except ValueError:
        return None


def _kilometres(given: str) -> int | None:
    return int(given) if re.fullmatch(r"[0-9]{1,3}", given) and 1 <= int(given) <= FARTHEST else None


def _code(given: str) -> str | None:
    return given if re.fullmatch(r"[a-z]{2,3}", given) else None


def _is_set(given: str) -> bool:
    return given == "1"


def _plain(value: object) -> str:
    return str(value) if value else ""


def _flag(value: object) -> str:
    return {True: "1", False: "0"}.get(value, "") if isinstance(value, bool) else ""


def _if_set(value: object) -> str:
    return "1" if value else ""


PARAMETERS: Final = (
    Parameter("q", "q", _text, _plain),
    Parameter("kind", "kind", _one_of(KIND_WORDS), _plain),
    Parameter("when", "when", _one_of(PERIODS), _plain),
    Parameter("from", "first", _day, _plain),
    Parameter("to", "last", _day, _plain),
    Parameter("deadline", "deadline", _day, _plain),
    Parameter("place", "place", _text, _plain),
    Parameter("near", "near", _text, _plain),
    Parameter("within", "within", _kilometres, _plain),
    Parameter("topic", "topic", _text, _plain),
    Parameter("language", "language", _code, _plain),
    Parameter("source", "source", _text, _plain),
    Parameter("free", "free", _is_set, _if_set),
    Parameter("accessible", "accessible", _is_set, _if_set),
    Parameter("online", "online", _is_set, _if_set),
    Parameter("cancelled", "cancelled", {"1": True, "0": False}.get, _flag),
    Parameter("sort", "sort", _one_of(SORTS), _plain),
)
