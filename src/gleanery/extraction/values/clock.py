"""Moments as sources write them: the instant, and the day as the clocks there tell it. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from gleanery.extraction.values.countries import country_code, zone_of

IN_UTC = " UTC"
DAY_LENGTH = 10  # of 2027-03-12
EARLIEST, LATEST = timedelta(hours=-12), timedelta(hours=14)  # how far clocks on Earth are from UTC


class Moment(NamedTuple):
    """`exact` is the instant where the source gives one: a day, or a time on nobody knows whose clock, is none."""

    day: date
    exact: datetime | None
    wall: time | None


@lru_cache(maxsize=16_384)
def read(text: str, country: str = "") -> Moment | None:
    """None for what is no moment. A time in UTC is put on the clock of the country, where it has only one."""
    try:
        if len(text) == DAY_LENGTH:
            return Moment(date.fromisoformat(text), None, None)
        given = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        return None
    if (offset := given.utcoffset()) and not EARLIEST < offset <= LATEST:
        return None  # from 10:00-12:00 is no clock on Earth
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
    """For the table of occurrences, which needs one; without a known clock that of UTC."""
    return moment.exact or datetime.combine(moment.day, moment.wall or time.min, UTC)


def told(moment: Moment) -> str:
    """For people. What no zone is known of is told as the source tells it, and never as if it were in UTC."""
    if moment.exact is not None:
        return f"{moment.exact:%Y-%m-%d %H:%M}{IN_UTC}"
    return f"{moment.day} {moment.wall:%H:%M}" if moment.wall is not None else f"{moment.day}"


def told_span(start: Moment, end: Moment | None) -> str:
    first, last = told(start), told(end) if end else ""
    if not last or last == first:
        return first
    return f"{first.removesuffix(IN_UTC) if last.endswith(IN_UTC) else first} – {last}"


def other_days(moment: Moment) -> list[date]:
    """The days on which this very instant may be told of somewhere else on Earth."""
    if moment.exact is None:
        return []
    try:
        days = {(moment.exact + each).date() for each in (EARLIEST, timedelta(), LATEST)}
    except OverflowError:
        return []
    return sorted(days - {moment.day})
