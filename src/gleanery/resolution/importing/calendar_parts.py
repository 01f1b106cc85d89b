"""Reads a calendar file of any size event by event, keeping events of the same UID together. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple, Protocol

from gleanery.extraction.calendars.components import CalendarHeader, Event, events_of
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.uid_groups import GroupReader, group_key
from gleanery.extraction.draft import Draft, PageSource
from gleanery.resolution.importing.hash_set import HashSet

MOST_WAITING = 50_000  # events held back until all others of their UID are read
FULL = (
    "Too many events in the file share a UID with others, so this one was left out. Split the file into smaller ones."
)


class Line(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...


class Part(NamedTuple):
    line: int
    draft: Draft


class Unreadable(NamedTuple):
    line: int
    reason: str


def parts_of(
    lines: Callable[[], Iterable[Line]], today: date, *, with_past: bool = False
) -> Iterator[Part | Unreadable]:
    """Yield the events of a calendar, reading the file twice: first time zones and repeated UIDs, then the events.

    Past events are left out, or read with their first date if `with_past` is true.
    """
    heads: list[CalendarHeader] = []
    counts = _shared(events_of(_pairs(lines()), heads))
    source = PageSource(html="", url="", media_type="text/calendar", fetched=today)
    reader = GroupReader(source, heads, Problems(), with_past=with_past)
    waiting: dict[str, list[Event]] = {}
    many = 0
    for event in events_of(_pairs(lines()), []):
        key = group_key(event)
        if key not in counts:
            yield from _read(reader, [event])
        elif many >= MOST_WAITING:
            yield Unreadable(event.line, FULL)
        else:
            waiting.setdefault(key, []).append(event)
            many += 1
            counts[key] -= 1
            if not counts[key]:
                together = waiting.pop(key)
                many -= len(together)
                yield from _read(reader, together)
    for together in waiting.values():
        yield from _read(reader, together)


def _read(reader: GroupReader, events: list[Event]) -> Iterator[Part | Unreadable]:
    """Yield a row for each single event or series; changed dates of a series are part of its row."""
    for fate in sorted(reader.read(events), key=lambda fate: fate.line):
        if fate.draft is not None:
            yield Part(fate.line, fate.draft)
        elif fate.status != "folded":
            yield Unreadable(fate.line, fate.reason)


def _shared(events: Iterable[Event]) -> dict[str, int]:
    """Return the number of events per key, for keys that occur more than once."""
    seen, counts = HashSet(), dict[str, int]()
    for event in events:
        key = group_key(event)
        if not seen.add(hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()):
            counts[key] = counts.get(key, 1) + 1
    return counts


def _pairs(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    return ((line.number, line.text) for line in lines)
