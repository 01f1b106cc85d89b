"""Occurrences of a recurring event: rules, extra dates and exceptions within the horizon. Pure.

Rules are expanded in local time, so that a meeting at seven stays at seven when the clocks change.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any

from dateutil.rrule import rrulestr

from gleanery.extraction.values.horizon import DAYS_AHEAD

MOST_OCCURRENCES = 200
MOST_STEPS = 20_000
FREQUENCIES = frozenset({"DAILY", "WEEKLY", "MONTHLY", "YEARLY"})
# Rules that repeat more often than daily are mistakes or attacks.
TOO_FINE = frozenset({"BYHOUR", "BYMINUTE", "BYSECOND"})
MOST_PARTS = 40
# Checked day by day: the library could search for ever for a day that never comes.
CHECKED_BY_DAY = {
    "DAILY": frozenset({"BYDAY", "BYMONTH", "BYMONTHDAY"}),
    "WEEKLY": frozenset({"BYMONTH"}),
}
NOT_WITH_THESE = frozenset({"BYYEARDAY", "BYWEEKNO", "BYSETPOS"})
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
EARLIEST = 1900
STEPS = {"DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}
SPARE = timedelta(days=DAYS_AHEAD + 400)  # before the horizon, since long occurrences may not be over

Day = date | datetime


@dataclass(frozen=True, slots=True)
class Span:
    start: Day
    end: Day | None = None

    def as_fields(self) -> dict[str, str]:
        fields = {"start": self.start.isoformat()}
        return fields | {"end": self.end.isoformat()} if self.end is not None else fields


@dataclass(frozen=True, slots=True)
class Series:
    """A recurring event. `instances` maps original times to moved (or None: cancelled) occurrences."""

    first: Span
    rules: tuple[Mapping[str, Any], ...] = ()
    extra: tuple[Day, ...] = ()
    without: tuple[Day, ...] = ()
    instances: tuple[tuple[Day, Span | None], ...] = ()

    @property
    def repeats(self) -> bool:
        return bool(self.rules or self.extra or self.instances)


def occurrences(series: Series, fetched: date) -> list[Span]:
    """Return the upcoming occurrences within the horizon, in order."""
    until = fetched + timedelta(days=DAYS_AHEAD)
    zone = _zone(series.first.start)
    changed = {_local_time(moment, zone): span for moment, span in series.instances}
    without = {_local_time(moment, zone) for moment in series.without}
    # An exception given as a day removes all occurrences of that day.
    days = {
        each.date()
        for each, given in zip(map(_local_time_in(zone), series.without), series.without, strict=True)
        if not _timed(given)
    }
    found: dict[str, Span] = {}
    for wall in _local_times(series, zone, until):
        if wall not in without and wall.date() not in days and wall not in changed:
            _add(found, _moved_to(series.first, wall, zone))
    for span in changed.values():
        if span is not None:
            _add(found, span)
    ahead = [each for each in found.values() if fetched <= _last_day(each) and _day(each.start) < until]
    return sorted(ahead, key=lambda each: _local_time(each.start, zone))[:MOST_OCCURRENCES]


def is_followed(rule: Mapping[str, Any]) -> bool:
    """Return True if the rule can be expanded in bounded time."""
    frequency = "".join(map(str, rule.get("FREQ", ())))
    parts = sum(len(value) for value in rule.values() if isinstance(value, list))
    refused = TOO_FINE | NOT_WITH_THESE if frequency in CHECKED_BY_DAY else TOO_FINE
    steps = all(isinstance(each, int) and each > 0 for each in rule.get("INTERVAL", ()))
    return frequency in FREQUENCIES and refused.isdisjoint(rule) and parts <= MOST_PARTS and steps


def _local_times(series: Series, zone: tzinfo | None, until: date) -> Iterator[datetime]:
    first = _local_time(series.first.start, zone)
    yield first
    for rule in series.rules:
        yield from _by_rule(rule, first, zone, until)
    for each in series.extra:
        yield _local_time(each, zone)


def _by_rule(rule: Mapping[str, Any], first: datetime, zone: tzinfo | None, until: date) -> Iterator[datetime]:
    """Expand a rule up to the horizon; without that limit the library would search until the year 9999."""
    if not is_followed(rule) or first.year < EARLIEST:
        return
    count = next((int(each) for each in rule.get("COUNT", ()) if str(each).isdigit()), None)
    ends = [_local_time(each, zone, last=True) for each in rule.get("UNTIL", ()) if isinstance(each, date)]
    end = min([datetime.combine(until, time.max), *ends])
    if end < first:
        return
    wanted = _DayFilter(rule)
    parts = [f"{name}={','.join(map(_as_text, values))}" for name, values in rule.items() if name in wanted.followed]
    near = first if count is not None else _closer_start(rule, first, until)
    moments = rrulestr(";".join([*parts, f"UNTIL={end:%Y%m%dT%H%M%S}"]), dtstart=near)
    yield from islice(filter(wanted, islice(moments, MOST_STEPS)), count)


def _closer_start(rule: Mapping[str, Any], first: datetime, until: date) -> datetime:
    """Return a later start of the same series, to skip its distant past."""
    step = STEPS.get("".join(map(str, rule["FREQ"])))
    if step is None:
        return first
    step *= next(iter(rule.get("INTERVAL", ())), 1)
    return first + max(0, (datetime.combine(until, time.min) - SPARE - first) // step) * step


class _DayFilter:
    """Filter for parts of a daily or weekly rule that only exclude days."""

    def __init__(self, rule: Mapping[str, Any]) -> None:
        asked = CHECKED_BY_DAY.get("".join(map(str, rule["FREQ"])), frozenset())
        self.followed = rule.keys() - asked - {"COUNT", "UNTIL"}
        self._months = _numbers(rule, "BYMONTH", asked)
        self._days = _numbers(rule, "BYMONTHDAY", asked)
        self._weekdays = {_as_text(each)[-2:] for each in rule.get("BYDAY", ())} if "BYDAY" in asked else set()

    def __call__(self, moment: datetime) -> bool:
        if self._months and moment.month not in self._months:
            return False
        if self._weekdays and WEEKDAYS[moment.weekday()] not in self._weekdays:
            return False
        from_the_end = moment.day - monthrange(moment.year, moment.month)[1] - 1
        return not self._days or not self._days.isdisjoint({moment.day, from_the_end})


def _numbers(rule: Mapping[str, Any], name: str, asked: frozenset[str]) -> set[int]:
    return {int(each) for each in rule.get(name, ())} if name in asked else set()


def _as_text(value: Any) -> str:
    return str(value.to_ical().decode() if hasattr(value, "to_ical") else value)


def _moved_to(first: Span, wall: datetime, zone: tzinfo | None) -> Span:
    """Return the first occurrence moved to another time, with the same length."""
    if not _timed(first.start):
        end = wall.date() + (first.end - first.start) if first.end is not None else None
        return Span(wall.date(), end)
    start = wall.replace(tzinfo=zone)
    if first.end is None:
        return Span(start)
    length = _local_time(first.end, zone) - _local_time(first.start, zone)
    return Span(start, (wall + length).replace(tzinfo=zone))


def _add(found: dict[str, Span], span: Span) -> None:
    found.setdefault(span.start.isoformat(), span)


def _local_time(moment: Day, zone: tzinfo | None, *, last: bool = False) -> datetime:
    """Return the local time at the place of the series."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time.max if last else time.min)
    if moment.tzinfo is None:
        return moment
    return moment.astimezone(zone or UTC).replace(tzinfo=None)


def _local_time_in(zone: tzinfo | None) -> Any:
    return lambda moment: _local_time(moment, zone)


def _zone(moment: Day) -> tzinfo | None:
    return moment.tzinfo if isinstance(moment, datetime) else None


def _timed(moment: Day) -> bool:
    return isinstance(moment, datetime)


def _day(moment: Day) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _last_day(span: Span) -> date:
    return _day(span.end if span.end is not None else span.start)
