"""The values of a calendar's properties, whatever their writer made of them: texts, moments, people. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from gleanery.extraction.calendars.recurrence import Span
from gleanery.extraction.values.emails import find_emails
from gleanery.text import clean_text

MOST_DATES = 2_000  # extra dates and exceptions of one event
YEARS = range(1900, 2200)
LONGEST_WORD = 200


def text_of(component: icalendar.Component, name: str) -> str:
    """The first value of a property as text; "" if it is broken or not there."""
    value = next(iter(listed(component.get(name))), "")
    try:
        return str(value).strip()
    except (ValueError, TypeError):
        return ""


def listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def words_of(value: Any) -> list[str]:
    found: dict[str, None] = {}
    for each in listed(value):
        for word in getattr(each, "cats", ()):
            if cleaned := clean_text(str(word), limit=100):
                found[cleaned] = None
    return list(found)[:50]


def person_of(value: Any) -> tuple[str, str]:
    """Name and address of an organiser; a name that is only the address once more is none."""
    organizer = next(iter(listed(value)), "")
    parameters = getattr(organizer, "params", {})
    mails = find_emails(unquote(str(organizer)))
    mail = mails[0].address if mails else ""
    name = clean_text(str(parameters.get("CN", "")), limit=LONGEST_WORD).strip("\"'")
    return ("" if "@" in name else name), mail


def span_of(component: icalendar.Component, zone: tzinfo | None) -> Span | None:
    start = moment_of(component.get("DTSTART"), zone)
    if start is None:
        return None
    end = moment_of(component.get("DTEND"), zone)
    if end is None and (length := _length(component)):
        end = start + length
    if end is None or isinstance(end, datetime) != isinstance(start, datetime):
        return Span(start)
    if not isinstance(end, datetime):
        end -= timedelta(days=1)  # the first day on which it is over
    elif isinstance(start, datetime) and (end.tzinfo is None) != (start.tzinfo is None):
        return Span(start)
    return Span(start, end) if end > start else Span(start)


def _length(component: icalendar.Component) -> timedelta | None:
    try:
        length = getattr(component.get("DURATION"), "td", None) or getattr(component.get("DURATION"), "dt", None)
    except ValueError:
        return None
    return length if isinstance(length, timedelta) and timedelta(0) < length < timedelta(days=366) else None


def dates_of(value: Any, zone: tzinfo | None) -> Iterator[date]:
    """Extra dates and exceptions, however many lines they stand in; of a period its beginning."""
    count = 0
    for line in listed(value):
        for each in getattr(line, "dts", ()):
            count += 1
            if count > MOST_DATES:
                return
            moment = moment_of(each, zone)
            if moment is not None:
                yield moment


def moment_of(value: Any, zone: tzinfo | None) -> date | None:
    """A day, or a time on the clock of its place. What is given in UTC is told on the clock of the calendar."""
    if isinstance(value, list):
        value = value[0]
    try:
        moment = getattr(value, "dt", None)
    except ValueError:  # a broken property says so when it is looked at
        return None
    if isinstance(moment, tuple):
        moment = moment[0]
    if not isinstance(moment, date) or moment.year not in YEARS:
        return None
    if isinstance(moment, datetime) and zone is not None:
        if moment.tzinfo is None:
            return moment.replace(tzinfo=zone)
        if moment.utcoffset() == timedelta(0) and str(moment.tzinfo) in ("UTC", "UTC+00:00"):
            return moment.astimezone(zone)
    return moment.replace(tzinfo=UTC) if isinstance(moment, datetime) and str(moment.tzinfo) == "UTC" else moment


@lru_cache(maxsize=64)
def named_zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def day_of(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def last_day_of(span: Span) -> date:
    return day_of(span.end if span.end is not None else span.start)
