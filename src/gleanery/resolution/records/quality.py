"""Warnings about the values of a record, with code and sentence; blocks hold the record back, notes do not. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from gleanery.extraction.note_codes import NOTES, PROBATION
from gleanery.extraction.values import clock
from gleanery.kinds import KINDS

# Codes of these checks; stored warnings with these codes are dropped when they no longer apply.
BLOCKS = ("missing_start", "reversed_dates", "negative_amount", "reversed_amounts", "low_confidence")
CODES = (*BLOCKS, *NOTES, PROBATION)
TOO_FAR = timedelta(days=2 * 365)
Fields = Mapping[str, Any]


class Doubt(NamedTuple):
    code: str
    sentence: str
    detail: dict[str, Any] = {}


def doubts(kind: str, fields: Fields, today: date, *, by_model: bool = False) -> list[Doubt]:
    """Return all warnings about the fields. `by_model`: only a language model has read them."""
    found = [doubt for check in KINDS[kind].checks for doubt in CHECKS[check](fields, today)]
    if by_model:
        found.append(Doubt("low_confidence", "Only a language model has read this from a page."))
    return found


def blocking(found: Iterable[Doubt], asks: Collection[str]) -> list[Doubt]:
    """Return the warnings that hold a record back: blocks, and notes that all its sources ask to review."""
    held = [doubt for doubt in found if doubt.code in BLOCKS or doubt.code in asks]
    if PROBATION in asks:
        held.append(Doubt(PROBATION, "Its source is on probation, so a person checks all its records."))
    return held


def notes(found: Iterable[Doubt]) -> list[Doubt]:
    return [doubt for doubt in found if doubt.code in NOTES]


def _start(fields: Fields, today: date) -> Iterator[Doubt]:
    if clock.day_of(fields.get("start")) is None:
        yield Doubt("missing_start", "It has no start date.")


def _description(fields: Fields, today: date) -> Iterator[Doubt]:
    if not fields.get("description"):
        yield Doubt("missing_description", "It has no description.")


def _venue(fields: Fields, today: date) -> Iterator[Doubt]:
    is_elsewhere = fields.get("attendance_mode") == "online" or fields.get("virtual_url")
    if not is_elsewhere and not any(fields.get(name) for name in ("venue_name", "address", "lat")):
        yield Doubt("missing_venue", "It has no venue.")


def _dates(fields: Fields, today: date) -> Iterator[Doubt]:
    country = str(fields.get("country") or "")
    start, end = (_read(fields.get(name), country) for name in ("start", "end"))
    if start is None or end is None:
        return
    detail = {"start": fields["start"], "end": fields["end"]}
    begin, last = clock.instant(start), clock.instant(end)
    if end.day < start.day or (end.wall and start.wall and last < begin):
        yield Doubt("reversed_dates", "It ends before it begins.", detail)
    elif start.wall and end.wall and last == begin:
        yield Doubt("zero_length", "It ends at the same time as it begins.", detail)


def _far(fields: Fields, today: date) -> Iterator[Doubt]:
    for name, what in (("start", "begins"), ("deadline", "closes")):
        day = clock.day_of(fields.get(name))
        if day is not None and day > today + TOO_FAR:
            yield Doubt("too_far_in_future", f"It {what} on {day}, more than two years from now.", {name: fields[name]})


def _amounts(fields: Fields, today: date) -> Iterator[Doubt]:
    least, most = fields.get("amount_min"), fields.get("amount_max")
    numbers = [each for each in (least, most) if isinstance(each, int | float)]
    detail = {"amount_min": least, "amount_max": most}
    if any(each < 0 for each in numbers):
        yield Doubt("negative_amount", "An amount is negative.", detail)
    elif len(numbers) > 1 and numbers[0] > numbers[1]:
        yield Doubt("reversed_amounts", "The minimum amount is larger than the maximum.", detail)


def _read(value: Any, country: str) -> clock.Moment | None:
    return clock.read(value, country) if isinstance(value, str) else None


CHECKS: Mapping[str, Callable[[Fields, date], Iterator[Doubt]]] = {
    "start": _start,
    "description": _description,
    "venue": _venue,
    "dates": _dates,
    "far": _far,
    "amounts": _amounts,
}
