"""Strict parser for dates in structured data: one complete value in, one ISO 8601 value out, or ""."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

LONGEST = 80
EARLIEST, LATEST = 1000, 2200  # years; a founding may be old, but "0001" is an empty field

MONTHS = {
    name: number
    for number, names in enumerate(
        str.split("jan/january feb/february mar/march apr/april may jun/june jul/july aug/august sep/september/sept "
                  "oct/october nov/november dec/december"), 1)
    for name in names.split("/")
}  # fmt: skip
# Countries where 05/12/2026 is in May; Canada uses both orders.
MONTH_FIRST = frozenset({"US", "PH", "PR", "GU"})
EITHER = frozenset({"", "CA"})

_CLOCK = r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d)(?:[.,]\d{1,9})?)?)?\s?(?P<half>[ap]\.?m\.?)?"
_OFFSET = r"(?:(?P<utc>Z|UTC|GMT)?\s?(?P<offset>[+-]\d\d(?::?\d\d)?)?(?:\s?\([^()]{1,40}\))?)"
_TAIL = rf"(?:(?:[T,]|\s|\s?at\s|\s?[-–]\s)\s?{_CLOCK}\s?{_OFFSET})?"
_DAY_NAME = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s)?"
_MONTH = r"(?P<word>[a-z]{3,9})\.?"

_FORMATS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_TAIL}",
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"
        rf"(?:T(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<half>(?!))?{_OFFSET})?",
        rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>\d{{4}})(?:\s?(?:г\.?|года?|ч\.))?{_TAIL}",
        rf"(?P<first>\d{{1,2}})[/-](?P<other>\d{{1,2}})[/-](?P<year>\d{{4}}){_TAIL}",
        rf"{_DAY_NAME}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-](?:of\s)?{_MONTH},?[\s-](?P<year>\d{{4}}){_TAIL}",
        rf"{_DAY_NAME}{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<year>\d{{4}}){_TAIL}",
    )
)
# Most values have this form and need no further parsing.
_USUAL = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?")


def iso(text: str, *, country: str = "", zone: tzinfo | None = None) -> str:
    """Return 2026-12-05 or 2026-12-05T19:00:00+02:00, or "" if the value is not a certain date.

    A time without an offset gets that of `zone`, or stays local. `country` decides what 05/12/2026 means; without it
    such a date is rejected.
    """
    text = " ".join(text[: LONGEST + 1].split())
    if len(text) > LONGEST:
        return ""
    if _USUAL.fullmatch(text) and (usual := _usual(text)):
        return usual
    for form in _FORMATS:
        if match := form.fullmatch(text):
            return _written(match, country.upper(), zone)
    return ""


def local(day: date, clock: str, zone: tzinfo | None = None) -> str:
    """Join a day and a time such as 17:00 or 17:00:00; "" if the time is invalid."""
    match = re.fullmatch(rf"T?{_CLOCK}\s?{_OFFSET}", clock.strip()[:LONGEST], re.IGNORECASE)
    return _timed(day, match, zone) if match else ""


def instant(value: str) -> datetime | None:
    """Return the instant of an ISO value, or None for days and local times."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def _usual(text: str) -> str:
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if not EARLIEST <= value.year <= LATEST:
        return ""
    return text[:-1] + "+00:00" if text.endswith("Z") else text


def _written(match: re.Match[str], country: str, zone: tzinfo | None) -> str:
    parts = match.groupdict()
    month, day = _month_and_day(parts, country)
    try:
        found = date(int(parts["year"]), month, day)
    except ValueError:
        return ""
    if not EARLIEST <= found.year <= LATEST:
        return ""
    return _timed(found, match, zone) if parts["hour"] else found.isoformat()


def _month_and_day(parts: dict[str, str | None], country: str) -> tuple[int, int]:
    if word := parts.get("word"):
        return MONTHS.get(word.lower(), 0), int(parts["day"] or 0)
    if parts.get("first") is None:
        return int(parts["month"] or 0), int(parts["day"] or 0)
    first, other = int(parts["first"] or 0), int(parts["other"] or 0)
    if first == other or max(first, other) > 12:  # noqa: PLR2004 - months
        return min(first, other), max(first, other)
    if country in EITHER:
        return 0, 0
    return (first, other) if country in MONTH_FIRST else (other, first)


def _timed(day: date, match: re.Match[str], zone: tzinfo | None) -> str:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:  # noqa: PLR2004 - a clock's face
            return ""
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    elif match["minute"] is None:  # "2026-12-05 19" may be anything
        return day.isoformat()
    try:
        moment = datetime(  # noqa: DTZ001 - a local time until its offset is known
            day.year, day.month, day.day, hour, int(match["minute"] or 0), int(match["second"] or 0)
        )
        return moment.replace(tzinfo=_offset(match) or zone).isoformat()
    except (ValueError, OverflowError):
        return ""


def _offset(match: re.Match[str]) -> tzinfo | None:
    if written := match["offset"]:
        digits = written[1:].replace(":", "").ljust(4, "0")
        shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return timezone(-shift if written[0] == "-" else shift)
    return UTC if match["utc"] else None


def is_before(one: str, other: str) -> bool:
    """Compare as times if both have one, else by day."""
    try:
        first, second = datetime.fromisoformat(one), datetime.fromisoformat(other)
        if min(len(one), len(other)) > len("2026-12-05"):
            return first < second
    except (TypeError, ValueError):
        pass
    return one[:10] < other[:10]
