"""Tolerant parsers for calendar properties: times, rules, people, coordinates. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from urllib.parse import unquote

import icalendar

from gleanery.extraction.calendars.components import Event
from gleanery.extraction.calendars.content_lines import Property
from gleanery.extraction.calendars.plain_text import plain, unescaped
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.recurrence import Span, is_followed
from gleanery.extraction.calendars.zones import Zones
from gleanery.extraction.values.emails import find_emails
from gleanery.text import clean_text

MOST_DATES = 2_000  # extra dates and exceptions per event
YEARS = range(1900, 2200)
LONGEST_WORD = 200
LONGEST_DAYS = 366
LAST_HOUR, LAST_SECOND = 24, 59
HIGHEST_LATITUDE, HIGHEST_LONGITUDE = 90, 180
TOO_OFTEN = "A rule was skipped because it repeats more often than daily or has too many parts."

_MOMENT = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2})(?:[.,][0-9]+)?)?\s?([Zz]|[+-][0-9]{2}:?[0-9]{2}(?![0-9]))?)?"
)
_LENGTH = re.compile(
    r"\+?P(?:([0-9]{1,3})W)?(?:([0-9]{1,4})D)?(?:T(?:([0-9]{1,5})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,8})S)?)?",
    re.IGNORECASE,
)
_POINT = re.compile(r"(?:geo:)?\s*(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)\s*[;,]\s*(-?[0-9]{1,3}(?:\.[0-9]{1,20})?)(?![0-9.])")


class Unreadable(ValueError):
    """Raised for an unreadable value; its text completes a sentence."""


def moment_of(given: Property, zones: Zones, problems: Problems) -> date | None:
    """Return a day or local time, or None with a problem noted. UTC is converted to the zone of the calendar."""
    try:
        return moment(given.value, given.parameters, zones, problems, given)
    except Unreadable as problem:
        problems.add(given.line, f"{given.name} could not be read ({problem}).")
        return None


def moment(value: str, parameters: Mapping[str, str], zones: Zones, problems: Problems, given: Property) -> date:
    found = _MOMENT.match(value)
    rest = value[found.end() :].strip() if found else ""
    if found is None or rest[:1].isdigit():
        raise Unreadable(f"“{clean_text(value, limit=40)}” is not a date" if value else "it is empty")
    year, month, day, hour, minute, second, offset = found.groups()
    if rest:
        problems.add(
            given.line, f"{given.name} was read up to “{clean_text(rest, limit=40)}”, and the rest was skipped."
        )
    try:
        on = date(int(year), int(month), int(day))
    except ValueError:
        raise Unreadable(f"“{clean_text(value, limit=40)}” is not a valid date") from None
    if on.year not in YEARS:
        raise Unreadable(f"the year {year} is too far away")
    if hour is None or parameters.get("VALUE", "").upper() == "DATE":
        return on
    return _on_the_clock(
        on, (hour, minute, second or "0"), offset, _zone(parameters, zones, problems, given), zones.default
    )


def _on_the_clock(
    on: date, clock: tuple[str, str, str], offset: str | None, zone: tzinfo | None, default: tzinfo | None
) -> datetime:
    hour, minute, second = map(int, clock)
    try:
        if hour == LAST_HOUR:
            on, hour = on + timedelta(days=1), 0
        at = datetime.combine(on, time(hour, minute, min(second, LAST_SECOND)))
    except ValueError:
        raise Unreadable(f"{':'.join(clock[:2])} is not a time of day") from None
    if offset is None:
        known = zone or default
        at = at.replace(tzinfo=known)
        return at.astimezone(default) if known is not None and default is not None and _is_utc(known) else at
    moment_given = at.replace(tzinfo=_offset(offset))
    here = zone if zone is not None and not _is_utc(zone) else default
    return moment_given.astimezone(here) if here is not None else moment_given


def _offset(written: str) -> tzinfo:
    if written in "Zz":
        return UTC
    ahead = timedelta(hours=int(written[1:3]), minutes=int(written[-2:]))
    if ahead >= timedelta(days=1):
        raise Unreadable(f"{written} is not a UTC offset")
    return timezone(-ahead if written[0] == "-" else ahead)


def _zone(parameters: Mapping[str, str], zones: Zones, problems: Problems, given: Property) -> tzinfo | None:
    name = unescaped(parameters.get("TZID", ""))
    zone = zones.named(name) if name else None
    if name and zone is None:
        problems.add(
            given.line, f"The time zone “{clean_text(name, limit=60)}” is unknown. The time was kept as written."
        )
    return zone


def _is_utc(zone: tzinfo) -> bool:
    return str(zone) == "UTC"


def span_of(event: Event, zones: Zones, problems: Problems) -> Span | None:
    """Return the first readable start, with the end if it is later."""
    start = next(filter(None, (moment_of(each, zones, problems) for each in event.all("DTSTART"))), None)
    if start is None:
        return None
    end = next(filter(None, (moment_of(each, zones, problems) for each in event.all("DTEND"))), None)
    try:
        if end is None and (length := _length(event, problems)):
            end = start + length
        if end is None or isinstance(end, datetime) != isinstance(start, datetime):
            return Span(start)
        if not isinstance(end, datetime):
            end -= timedelta(days=1)  # DTEND is the day after the last one
        elif isinstance(start, datetime) and (end.tzinfo is None) != (start.tzinfo is None):
            return Span(start)
        return Span(start, end) if end > start else Span(start)
    except (OverflowError, TypeError):
        return Span(start)


def _length(event: Event, problems: Problems) -> timedelta | None:
    given = event.first("DURATION")
    if given is None:
        return None
    found = _LENGTH.fullmatch(given.value)
    if found is None or not any(found.groups()):
        problems.add(given.line, "DURATION could not be read.")
        return None
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.groups())
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return length if timedelta(0) < length < timedelta(days=LONGEST_DAYS) else None


def dates_of(several: list[Property], zones: Zones, problems: Problems) -> list[date]:
    """Return extra dates or exceptions from all lines; of a period its start."""
    found: list[date] = []
    for given in several:
        parameters = given.parameters
        for written in given.value.split(",")[: MOST_DATES - len(found)]:
            try:
                found.append(moment(written.partition("/")[0].strip(), parameters, zones, problems, given))
            except Unreadable as problem:
                problems.add(given.line, f"A date of {given.name} could not be read ({problem}).")
    return found


def rules_of(event: Event, problems: Problems) -> tuple[Mapping[str, Any], ...]:
    found = []
    for given in event.all("RRULE"):
        try:
            rule = icalendar.vRecur.from_ical(given.value)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
            problems.add(given.line, "RRULE could not be read. Only the listed dates were kept.")
            continue
        if rule.get("FREQ"):
            found.append(rule)
            if not is_followed(rule):
                problems.add(given.line, TOO_OFTEN)
    return tuple(found)


def point_of(given: Property | None) -> tuple[float, float] | None:
    """Return latitude and longitude; 0,0 means unknown."""
    found = _POINT.match(given.value) if given else None
    if found is None:
        return None
    latitude, longitude = float(found[1]), float(found[2])
    if abs(latitude) > HIGHEST_LATITUDE or abs(longitude) > HIGHEST_LONGITUDE or not (latitude or longitude):
        return None
    return latitude, longitude


def words_of(several: list[Property]) -> list[str]:
    found: dict[str, None] = {}
    for given in several:
        for word in re.split(r"(?<!\\),", given.value):
            if cleaned := clean_text(plain(word), limit=100):
                found[cleaned] = None
    return list(found)[:50]


def person_of(given: Property | None) -> tuple[str, str]:
    """Return name and e-mail of an organiser. A name that only repeats the address is dropped."""
    if given is None:
        return "", ""
    mails = find_emails(unquote(given.value))
    name = clean_text(plain(given.parameters.get("CN", "")), limit=LONGEST_WORD).strip("\"'")
    return ("" if "@" in name else name), mails[0].address if mails else ""


def day_of(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def last_day_of(span: Span) -> date:
    return day_of(span.end if span.end is not None else span.start)
