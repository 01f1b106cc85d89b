"""Dates that a schema.org Schedule repeats: days and weeks, within the horizon."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gleanery.extraction.structured.schema_places import number
from gleanery.extraction.structured.sheet import Sheet
from gleanery.extraction.structured.things import Node
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso, local

HORIZON = timedelta(days=180)  # ahead of the visit
MOST = 100
MOST_STEPS = 10_000
WEEK = 7
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_EVERY = re.compile(r"P(\d{1,2})([DW])")
_WORDS = {"daily": "P1D", "weekly": "P1W", "biweekly": "P2W"}


def occurrences(sheet: Sheet, schedule: Node) -> list[dict[str, str]]:
    """The next ones that the schedule gives, from the day of the visit on; none if it is not certain when they are."""
    things = sheet.things
    first = _day(iso(things.text(schedule, "startDate"), country=sheet.country))
    every = things.text(schedule, "repeatFrequency")
    match = _EVERY.fullmatch(_WORDS.get(every.lower(), every))
    if first is None or match is None or not int(match[1]):
        return []
    step = int(match[1]) * (WEEK if match[2] == "W" else 1)
    until = min(filter(None, (_day(iso(things.text(schedule, "endDate"), country=sheet.country)), _horizon(sheet))))
    count = int(number(things.text(schedule, "repeatCount")) or 0)
    without = {_day(iso(things.said(each), country=sheet.country)) for each in things.values(schedule, "exceptDate")}
    found: list[dict[str, str]] = []
    today = sheet.things.page.source.fetched
    # What has no number of times may have begun long ago: its past is passed over.
    turn = 0 if count else max(0, (today - first).days // step - 1)
    for day in _days(first, until, step, _weekdays(sheet, schedule), count, turn):
        if day not in without and day >= today and len(found) < MOST:
            found.append(_occurrence(sheet, schedule, day))
    return found


def weekday(written: str) -> int | None:
    """0 for Monday, https://schema.org/Monday, Mo and MO."""
    name = written.rsplit("/", 1)[-1].strip().lower()
    return next((i for i, day in enumerate(DAYS) if len(name) > 1 and day.lower().startswith(name)), None)


def _days(first: date, until: date, step: int, weekdays: set[int], count: int, begin: int) -> list[date]:
    """The first period begins on the first day; within a period of weeks every named day counts."""
    found: list[date] = []
    monday = first - timedelta(days=first.weekday())
    for turn in range(begin, begin + MOST_STEPS):
        try:
            if step % WEEK == 0 and weekdays:
                period = [monday + timedelta(days=step * turn + day) for day in sorted(weekdays)]
            else:
                period = [first + timedelta(days=step * turn)]
        except OverflowError:
            break
        for day in period:
            if (
                first <= day <= until
                and (not count or len(found) < count)
                and (not weekdays or day.weekday() in weekdays)
            ):
                found.append(day)
        if period[-1] > until or (count and len(found) >= count):
            break
    return found


def _occurrence(sheet: Sheet, schedule: Node, day: date) -> dict[str, str]:
    things = sheet.things
    zone = _zone(things.text(schedule, "scheduleTimezone")) or zone_of(sheet.country)
    start = local(day, things.text(schedule, "startTime"), zone) or day.isoformat()
    end = local(day, things.text(schedule, "endTime"), zone)
    return {"start": start, "end": end} if end > start else {"start": start}


def _zone(name: str) -> ZoneInfo | None:
    """Names that are none, or lead out of the folder of zones, raise errors of many kinds."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _weekdays(sheet: Sheet, schedule: Node) -> set[int]:
    named = (weekday(sheet.things.said(each)) for each in sheet.things.values(schedule, "byDay"))
    return {day for day in named if day is not None}


def _horizon(sheet: Sheet) -> date:
    try:
        return sheet.things.page.source.fetched + HORIZON
    except OverflowError:
        return date.max


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None
