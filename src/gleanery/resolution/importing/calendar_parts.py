"""A calendar file of any size, read event by event; what shares a UID stays together wherever it stands. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple, Protocol

from gleanery.extraction.calendars.components import CalendarHeader, Event, events_of
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.uid_groups import GroupReader, group_key
from gleanery.extraction.draft import Draft, PageSource
from gleanery.resolution.importing.seen_keys import Seen

MOST_WAITING = 50_000  # events that wait for others of their UID
FULL = "Too many events of the file share their UIDs with others: this one was not read."


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
    """Reads the file twice: first what belongs to all (zones) and which UIDs come again, then event by event.

    What is over is left out, or told with its first date.
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
    """One row for each event that stands for itself; what is told with its series is no row of its own."""
    for fate in sorted(reader.read(events), key=lambda fate: fate.line):
        if fate.draft is not None:
            yield Part(fate.line, fate.draft)
        elif fate.status != "folded":
            yield Unreadable(fate.line, fate.reason)


def _shared(events: Iterable[Event]) -> dict[str, int]:
    """How many events there are of each key that comes more than once."""
    seen, counts = Seen(), dict[str, int]()
    for event in events:
        key = group_key(event)
        if not seen.add(hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()):
            counts[key] = counts.get(key, 1) + 1
    return counts


def _pairs(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    return ((line.number, line.text) for line in lines)
