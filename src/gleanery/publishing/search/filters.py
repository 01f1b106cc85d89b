"""Filters of the search as its address has them. Whatever an address has that cannot be read is passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gleanery.publishing.showing import moments
from gleanery.publishing.showing.kinds import KIND_WORDS
from gleanery.text import clean_text

LONGEST = 200
PERIODS: Final[dict[str, tuple[str | Promise, Callable[[date], tuple[date, date]]]]] = {
    "today": (_("Today"), lambda today: (today, today)),
    "weekend": (_("This weekend"), moments.weekend_of),
    "week": (_("Within a week"), moments.week_of),
    "month": (_("This month"), moments.month_of),
}
SORTS: Final[dict[str, str | Promise]] = {
    "best": _("Best match"),
    "soon": _("Soonest first"),
    "new": _("Newest first"),
    "name": _("By name"),
}
FLAGS: Final = ("free", "online", "cancelled")


@dataclass(frozen=True, slots=True)
class Filters:
    q: str = ""
    kind: str = ""
    when: str = ""
    first: date | None = None
    last: date | None = None
    deadline: date | None = None  # closes on this day or before
    place: str = ""
    source: str = ""
    free: bool = False
    online: bool = False
    cancelled: bool | None = None
    sort: str = ""

    def days(self, today: date) -> tuple[date | None, date | None]:
        return PERIODS[self.when][1](today) if self.when else (self.first, self.last)

    @property
    def order(self) -> str:
        """As asked; else by match if words are looked for, else what comes soonest."""
        if self.sort and (self.q or self.sort != "best"):
            return self.sort
        return "best" if self.q else "soon"

    def address(self, **changes: object) -> str:
        """Return the query string of this search, or of one that differs in these."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # of callers that name fields
        told = {
            "q": changed.q,
            "kind": changed.kind,
            "when": changed.when,
            "from": changed.first,
            "to": changed.last,
            "deadline": changed.deadline,
            "place": changed.place,
            "source": changed.source,
            "free": "1" if changed.free else "",
            "online": "1" if changed.online else "",
            "cancelled": {True: "1", False: "0", None: ""}[changed.cancelled],
            "sort": changed.sort,
        }
        return urlencode({name: value for name, value in told.items() if value})


def read(given: Mapping[str, str]) -> Filters:
    def text(name: str) -> str:
        return clean_text(given.get(name, "")[: 2 * LONGEST], limit=LONGEST)

    def one_of(name: str, known: Mapping[str, object]) -> str:
        return value if (value := given.get(name, "")) in known else ""

    when = one_of("when", PERIODS)
    return Filters(
        q=text("q"),
        kind=one_of("kind", KIND_WORDS),
        when=when,
        first=None if when else _day(given.get("from", "")),
        last=None if when else _day(given.get("to", "")),
        deadline=_day(given.get("deadline", "")),
        place=text("place"),
        source=text("source"),
        free=given.get("free") == "1",
        online=given.get("online") == "1",
        cancelled={"1": True, "0": False}.get(given.get("cancelled", "")),
        sort=one_of("sort", SORTS),
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2027-03-12") else None
    except ValueError:
        return None
