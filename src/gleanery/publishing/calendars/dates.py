"""Dates of a record as calendars write them: days, times on a named clock, in UTC, or on a clock nobody named. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from gleanery.publishing.showing.moments import Clocks, There

Value = datetime | date
UNZONED = ("", "UTC")


class Dated(NamedTuple):
    """One date; `end` is exclusive, and missing where nobody says when it is over."""

    start: Value
    end: Value | None

    @property
    def form(self) -> str:
        """Return the clock it is written by; dates of one series share it. Sorts clear ones before vague ones."""
        if not isinstance(self.start, datetime):
            return "3 day"
        return f"1 {self.start.tzinfo}" if self.start.tzinfo is not None else "2 floating"

    @property
    def day(self) -> date:
        return self.start.date() if isinstance(self.start, datetime) else self.start

    @property
    def length(self) -> timedelta | None:
        if self.end is None:
            return None
        if isinstance(self.start, datetime) and self.start.tzinfo and isinstance(self.end, datetime):
            return self.end.astimezone(UTC) - self.start.astimezone(UTC)
        return self.end - self.start


def dated(spans: Iterable[tuple[datetime, datetime | None]], clocks: Clocks) -> list[Dated]:
    return [_dated(start, end, clocks) for start, end in spans]


def _dated(start: datetime, end: datetime | None, clocks: Clocks) -> Dated:
    first = clocks.at(start)
    last = clocks.at(end) if end is not None and end > start else None
    if first.wall is None:
        return Dated(first.day, (last.day if last else first.day) + timedelta(days=1))
    begins = _value(first, start)
    if last is None or end is None or last.wall is None:
        return Dated(begins, None)
    ends = _value(last, end)
    return Dated(begins, ends if _same_clock(begins, ends) else None)


def _value(moment: There, instant: datetime) -> datetime:
    assert moment.wall is not None  # noqa: S101  # days are written as days
    if moment.exact is None:
        return datetime.combine(moment.day, moment.wall)  # a clock that nobody named
    return instant.astimezone(UTC if moment.zone in UNZONED else ZoneInfo(moment.zone))


def _same_clock(one: datetime, other: datetime) -> bool:
    return (one.tzinfo is None) == (other.tzinfo is None)
