"""Dates and times given by sources: the instant and the local day. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.extraction.values.countries import country_code, zone_of

IN_UTC = " UTC"
DAY_LENGTH = 10  # of 2027-03-12
EARLIEST, LATEST = timedelta(hours=-12), timedelta(hours=14)  # range of UTC offsets


class Moment(NamedTuple):
    """A date or time. `exact` is the instant, None for a day alone or a time without a known zone."""

    day: date
    exact: datetime | None
    wall: time | None


@lru_cache(maxsize=16_384)
def read(text: str, country: str = "") -> Moment | None:
    """Parse a moment, or return None. A time in UTC is shown in the zone of the country, if it has only one."""
    try:
        if len(text) == DAY_LENGTH:
            return Moment(date.fromisoformat(text), None, None)
        given = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        return None
    if (offset := given.utcoffset()) and not EARLIEST < offset <= LATEST:
        return None  # "10:00-12:00" parses as an offset of -12:00
    zone = zone_of(country_code(country)) if country else None
    try:
        if given.tzinfo is None:
            exact = given.replace(tzinfo=zone).astimezone(UTC) if zone else None
            return Moment(given.date(), exact, given.time())
        there = given.astimezone(zone) if zone and not given.utcoffset() else given
        return Moment(there.date(), given.astimezone(UTC), there.time())
    except (OverflowError, ValueError):
        return None


def day_of(text: Any, country: str = "") -> date | None:
    moment = read(text, country) if isinstance(text, str) else None
    return moment.day if moment else None


def instant(moment: Moment) -> datetime:
    """Return the instant for the table of occurrences; local times without a zone count as UTC."""
    return moment.exact or datetime.combine(moment.day, moment.wall or time.min, UTC)


def as_text(moment: Moment) -> str:
    """Return the moment for people. Local times without a zone are shown as given, not as UTC."""
    if moment.exact is not None:
        return f"{moment.exact:%Y-%m-%d %H:%M}{IN_UTC}"
    return f"{moment.day} {moment.wall:%H:%M}" if moment.wall is not None else f"{moment.day}"


def span_as_text(start: Moment, end: Moment | None) -> str:
    first, last = as_text(start), as_text(end) if end else ""
    if not last or last == first:
        return first
    return f"{first.removesuffix(IN_UTC) if last.endswith(IN_UTC) else first} – {last}"


def other_days(moment: Moment) -> list[date]:
    """Return the other local dates that this instant has in any time zone."""
    if moment.exact is None:
        return []
    try:
        days = {(moment.exact + each).date() for each in (EARLIEST, timedelta(), LATEST)}
    except OverflowError:
        return []
    return sorted(days - {moment.day})
