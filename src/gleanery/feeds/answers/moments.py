"""Moments as platforms write them: on a clock that they name, in UTC, or as seconds; one ISO value out. Pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from gleanery.extraction.calendars.zones import named_zone
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import is_before, iso

DAY = len("2026-12-01")
YEARS = range(1900, 2200)
MOST_OFFSET = 15  # hours
# WordPress calls a clock without a place UTC+2 or UTC-3.5.
_BY_HAND = re.compile(r"UTC(?P<hours>[+-]?\d{1,2})(?:[.:](?P<part>\d{1,2}))?")
_LAST_MINUTE = re.compile(r"T23:59(?::\d\d)?(?:\.\d+)?(?:[+-]\d\d:\d\d)?$")
_MIDNIGHT = re.compile(r"T00:00(?::00)?(?:\.0+)?(?:[+-]\d\d:\d\d)?$")


def clock(name: str, country: str = "") -> tzinfo | None:
    """The clock of that name, else that of a country which has only one."""
    found = _BY_HAND.fullmatch(name)
    if found is None:
        return named_zone(name[:100]) or zone_of(country)
    hours = int(found["hours"])
    part = found["part"] or "0"
    minutes = int(part) if ":" in name else round(float(f"0.{part}") * 60)
    if abs(hours) > MOST_OFFSET or minutes >= 60:  # noqa: PLR2004
        return None
    ahead = timedelta(hours=abs(hours), minutes=minutes)
    return timezone(-ahead if "-" in name else ahead)


def moment(written: str, zone: tzinfo | None, country: str = "") -> str:
    """2026-12-05 19:00:00, with an offset or without, on that clock; "" if it is none."""
    found = iso(written, country=country, zone=zone)
    if zone is None or len(found) <= DAY:
        return found
    try:
        at = datetime.fromisoformat(found)
        # What is told in UTC is shown on the clock of the place.
        return at.astimezone(zone).isoformat() if at.utcoffset() == timedelta(0) else found
    except (ValueError, OverflowError):
        return found


def of_seconds(seconds: float | None, zone: tzinfo | None) -> str:
    """Seconds since 1970 on a clock, in UTC where none is known."""
    try:
        at = datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
        return at.astimezone(zone or UTC).isoformat() if at is not None and at.year in YEARS else ""
    except (ValueError, OverflowError, OSError):
        return ""


def span(start: str, end: str, *, whole_days: bool = False) -> tuple[str, str]:
    """Start and end as an event has them: no end before the start, days where whole days are meant."""
    whole_days = whole_days or bool(_MIDNIGHT.search(start) and _LAST_MINUTE.search(end))
    if whole_days:
        start, end = start[:DAY], end[:DAY]
    elif len(end) == DAY < len(start):
        end = ""
    return start, end if end and end != start and not is_before(end, start) else ""


def last_day(start: str, end: str) -> date | None:
    try:
        return date.fromisoformat((end or start)[:DAY])
    except ValueError:
        return None
