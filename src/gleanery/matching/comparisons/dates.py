"""Compares start times, deadlines and years. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.facts import Facts
from gleanery.matching.pair import Pair

SAME, NEAR = timedelta(minutes=15), timedelta(minutes=95)
EXTENDED = 31  # days


def _time(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if one.day is None or other.day is None:
        return ""
    apart = _apart(one, other)
    if apart is not None and apart <= SAME:
        return "start"
    if apart is not None and apart <= NEAR:
        return "near"
    if one.day == other.day:
        return "day" if apart is None else "hours"
    return "days" if days_overlap(one, other) else "other"


def _apart(one: Facts, other: Facts) -> timedelta | None:
    """Return the time between the two starts, by instant if known, otherwise by local time."""
    if one.begins and other.begins:
        return abs(one.begins - other.begins)
    if one.day is None or other.day is None or one.minute is None or other.minute is None:
        return None
    return abs(one.day - other.day + timedelta(minutes=one.minute - other.minute))


def days_overlap(one: Facts, other: Facts) -> bool:
    if one.day is None or other.day is None:
        return False
    return one.day <= (other.last_day or other.day) and other.day <= (one.last_day or one.day)


def _deadline(pair: Pair) -> str:
    here, there = pair.one.deadline, pair.other.deadline
    if here is None or there is None:
        return ""
    if here == there:
        return "same"
    return "near" if abs((here - there).days) <= EXTENDED else "other"


def _days(pair: Pair) -> Mapping[str, str]:
    """Return both days formatted for people."""
    here, there = (each.deadline or each.day for each in (pair.one, pair.other))
    return {"left": f"{here:%a %d %b %Y}" if here else "", "right": f"{there:%a %d %b %Y}" if there else ""}


def _year(pair: Pair) -> str:
    here, there = pair.one.year, pair.other.year
    if not here or not there:
        return ""
    return "same" if here == there else "other"


TIME = Comparison(
    "time",
    ("event", "opportunity"),
    _time,
    (
        Level("start", "They start at the same time."),
        Level("near", "They start within an hour and a half of each other."),
        Level("day", "They are on the same day; at least one gives no time."),
        Level("days", "Their days overlap."),
        Level("hours", "They are on the same day, at different times."),
        Level("other", "They are on different days: {left} and {right}.", veto=True),
    ),
    _days,
)
DEADLINE = Comparison(
    "deadline",
    ("funding", "opportunity"),
    _deadline,
    (
        Level("same", "They close on the same day: {left}."),
        Level("near", "They close within a month of each other: {left} and {right}.", veto=True),
        Level("other", "They close on different days: {left} and {right}.", veto=True),
    ),
    _days,
)
YEAR = Comparison(
    "year",
    ("funding",),
    _year,
    (Level("same", "They are for the same year."), Level("other", "They are for different years.", veto=True)),
)
