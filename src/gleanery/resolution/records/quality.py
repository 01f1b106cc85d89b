"""Warnings about the values of a record, each with a code and a sentence: blocks hold it back, notes do not. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from gleanery.extraction.note_codes import NOTES, PROBATION
from gleanery.extraction.values import clock
from gleanery.kinds import KINDS

# What these checks may find: whoever keeps warnings may drop these when they no longer hold.
BLOCKS = ("missing_start", "reversed_dates", "negative_amount", "reversed_amounts", "low_confidence")
CODES = (*BLOCKS, *NOTES, PROBATION)
TOO_FAR = timedelta(days=2 * 365)
Fields = Mapping[str, Any]


class Doubt(NamedTuple):
    code: str
    sentence: str
    detail: dict[str, Any] = {}


def doubts(kind: str, fields: Fields, today: date, *, by_model: bool = False) -> list[Doubt]:
    """`by_model`: nobody but a language model has read it."""
    found = [doubt for check in KINDS[kind].checks for doubt in CHECKS[check](fields, today)]
    if by_model:
        found.append(Doubt("low_confidence", "Only a language model has read this from a page."))
    return found


def holding(found: Iterable[Doubt], asks: Collection[str]) -> list[Doubt]:
    """Those that keep a record waiting: blocks, and notes that all its sources ask about."""
    held = [doubt for doubt in found if doubt.code in BLOCKS or doubt.code in asks]
    if PROBATION in asks:
        held.append(Doubt(PROBATION, "Its source is on probation: a person looks at everything that it brings."))
    return held


def notes(found: Iterable[Doubt]) -> list[Doubt]:
    return [doubt for doubt in found if doubt.code in NOTES]


def _start(fields: Fields, today: date) -> Iterator[Doubt]:
    if clock.day_of(fields.get("start")) is None:
        yield Doubt("missing_start", "It does not say when it takes place.")


def _description(fields: Fields, today: date) -> Iterator[Doubt]:
    if not fields.get("description"):
        yield Doubt("missing_description", "It has no description.")


def _venue(fields: Fields, today: date) -> Iterator[Doubt]:
    is_elsewhere = fields.get("attendance_mode") == "online" or fields.get("virtual_url")
    if not is_elsewhere and not any(fields.get(name) for name in ("venue_name", "address", "lat")):
        yield Doubt("missing_venue", "It does not say where it takes place.")


def _dates(fields: Fields, today: date) -> Iterator[Doubt]:
    country = str(fields.get("country") or "")
    start, end = (_read(fields.get(name), country) for name in ("start", "end"))
    if start is None or end is None:
        return
    told = {"start": fields["start"], "end": fields["end"]}
    begin, last = clock.instant(start), clock.instant(end)
    if end.day < start.day or (end.wall and start.wall and last < begin):
        yield Doubt("reversed_dates", "It ends before it begins.", told)
    elif start.wall and end.wall and last == begin:
        yield Doubt("zero_length", "It ends at the moment at which it begins.", told)


def _far(fields: Fields, today: date) -> Iterator[Doubt]:
    for name, what in (("start", "begins"), ("deadline", "closes")):
        day = clock.day_of(fields.get(name))
        if day is not None and day > today + TOO_FAR:
            yield Doubt("too_far_in_future", f"It {what} on {day}, more than two years from now.", {name: fields[name]})


def _amounts(fields: Fields, today: date) -> Iterator[Doubt]:
    least, most = fields.get("amount_min"), fields.get("amount_max")
    numbers = [each for each in (least, most) if isinstance(each, int | float)]
    told = {"amount_min": least, "amount_max": most}
    if any(each < 0 for each in numbers):
        yield Doubt("negative_amount", "An amount of it is less than nothing.", told)
    elif len(numbers) > 1 and numbers[0] > numbers[1]:
        yield Doubt("reversed_amounts", "Its smallest amount is larger than its largest.", told)


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
