"""Timestamps of platforms (local, UTC, or in seconds) as ISO values. Pure."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from gleanery.extraction.calendars.zones import named_zone
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import is_before, iso

DAY = len("2026-12-01")
YEARS = range(1900, 2200)
MOST_OFFSET = 15  # hours
# WordPress names offsets UTC+2 or UTC-3.5.
_BY_HAND = re.compile(r"UTC(?P<hours>[+-]?\d{1,2})(?:[.:](?P<part>\d{1,2}))?")
_LAST_MINUTE = re.compile(r"T23:59(?::\d\d)?(?:\.\d+)?(?:[+-]\d\d:\d\d)?$")
_MIDNIGHT = re.compile(r"T00:00(?::00)?(?:\.0+)?(?:[+-]\d\d:\d\d)?$")


def clock(name: str, country: str = "") -> tzinfo | None:
    """Return the time zone of that name, else that of a country with only one."""
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
    """Return an ISO time in that zone for 2026-12-05 19:00:00 with or without offset, or ""."""
    found = iso(written, country=country, zone=zone)
    if zone is None or len(found) <= DAY:
        return found
    try:
        at = datetime.fromisoformat(found)
        # Convert UTC to local time.
        return at.astimezone(zone).isoformat() if at.utcoffset() == timedelta(0) else found
    except (ValueError, OverflowError):
        return found


def from_seconds(seconds: float | None, zone: tzinfo | None) -> str:
    """Return an ISO time for seconds since 1970, in the zone or in UTC."""
    try:
        at = datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
        return at.astimezone(zone or UTC).isoformat() if at is not None and at.year in YEARS else ""
    except (ValueError, OverflowError, OSError):
        return ""


def span(start: str, end: str, *, whole_days: bool = False) -> tuple[str, str]:
    """Return start and end, as days for whole-day events and without an end before the start."""
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
