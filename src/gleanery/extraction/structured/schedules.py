"""Occurrences of a schema.org Schedule that repeats by days or weeks, within the horizon."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gleanery.extraction.structured.draft_builder import DraftBuilder
from gleanery.extraction.structured.nodes import Node
from gleanery.extraction.structured.schema_places import number
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.iso import iso, local

HORIZON = timedelta(days=180)  # ahead of the visit
MOST = 100
MOST_STEPS = 10_000
WEEK = 7
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_EVERY = re.compile(r"P(\d{1,2})([DW])")
_WORDS = {"daily": "P1D", "weekly": "P1W", "biweekly": "P2W"}


def occurrences(builder: DraftBuilder, schedule: Node) -> list[dict[str, str]]:
    """Return the next occurrences from the day of the visit, or none if the schedule is unclear."""
    graph = builder.graph
    first = _day(iso(graph.text(schedule, "startDate"), country=builder.country))
    every = graph.text(schedule, "repeatFrequency")
    match = _EVERY.fullmatch(_WORDS.get(every.lower(), every))
    if first is None or match is None or not int(match[1]):
        return []
    step = int(match[1]) * (WEEK if match[2] == "W" else 1)
    until = min(filter(None, (_day(iso(graph.text(schedule, "endDate"), country=builder.country)), _horizon(builder))))
    count = int(number(graph.text(schedule, "repeatCount")) or 0)
    without = {_day(iso(graph.text_of(each), country=builder.country)) for each in graph.values(schedule, "exceptDate")}
    found: list[dict[str, str]] = []
    today = builder.graph.page.source.fetched
    # Without a count the schedule may have begun long ago, so skip its past.
    turn = 0 if count else max(0, (today - first).days // step - 1)
    for day in _days(first, until, step, _weekdays(builder, schedule), count, turn):
        if day not in without and day >= today and len(found) < MOST:
            found.append(_occurrence(builder, schedule, day))
    return found


def weekday(written: str) -> int | None:
    """Return the weekday number: 0 for Monday, https://schema.org/Monday, Mo and MO."""
    name = written.rsplit("/", 1)[-1].strip().lower()
    return next((i for i, day in enumerate(DAYS) if len(name) > 1 and day.lower().startswith(name)), None)


def _days(first: date, until: date, step: int, weekdays: set[int], count: int, begin: int) -> list[date]:
    """Return the days of the schedule, with every named weekday in periods of weeks."""
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


def _occurrence(builder: DraftBuilder, schedule: Node, day: date) -> dict[str, str]:
    graph = builder.graph
    zone = _zone(graph.text(schedule, "scheduleTimezone")) or zone_of(builder.country)
    start = local(day, graph.text(schedule, "startTime"), zone) or day.isoformat()
    end = local(day, graph.text(schedule, "endTime"), zone)
    return {"start": start, "end": end} if end > start else {"start": start}


def _zone(name: str) -> ZoneInfo | None:
    """Return the time zone, or None. Invalid names raise errors of several types."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _weekdays(builder: DraftBuilder, schedule: Node) -> set[int]:
    named = (weekday(builder.graph.text_of(each)) for each in builder.graph.values(schedule, "byDay"))
    return {day for day in named if day is not None}


def _horizon(builder: DraftBuilder) -> date:
    try:
        return builder.graph.page.source.fetched + HORIZON
    except OverflowError:
        return date.max


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None
