"""The components of a calendar file: its events and what belongs to all of them, however the file breaks off. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gleanery.extraction.calendars.lines import NAME, Property, unfolded

MOST_PROPERTIES = 2_000  # of one event
MOST_ZONES = 50
MOST_ZONE_LINES = 2_000
LONGEST_ORIGINAL = 10_000
MOST_ODD = 20

WHOLE = "VCALENDAR"
EVENT = "VEVENT"
ZONE = "VTIMEZONE"
RULES_OF_ZONES = frozenset({"STANDARD", "DAYLIGHT"})
# Of a zone only rules that come round once a year are followed: others would be computed for centuries.
_YEARLY = re.compile(r"(?:^|;)FREQ=YEARLY(?:;|$)", re.IGNORECASE)
_FINER = re.compile(r"BY(?:HOUR|MINUTE|SECOND|YEARDAY|SETPOS)", re.IGNORECASE)


@dataclass(slots=True)
class Head:
    """What a calendar says for all its events: the name of its zone, and the rules of zones by their names."""

    zone: str = ""
    zones: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Event:
    """One event as it stands in the file; `odd` are the numbers of lines in it that are no properties."""

    line: int
    head: int  # the place of its calendar among the heads
    properties: dict[str, list[Property]] = field(default_factory=dict)
    odd: list[int] = field(default_factory=list)
    count: int = 0

    def all(self, name: str) -> list[Property]:
        return self.properties.get(name, [])

    def first(self, name: str) -> Property | None:
        found = self.properties.get(name)
        return found[0] if found else None

    def value(self, name: str) -> str:
        """The first value of a property that has any, as it is written."""
        return next((value for each in self.all(name) if (value := each.value)), "")

    def original(self) -> str:
        lines = [f"{each.name}{each.rest}" for several in self.properties.values() for each in several]
        return "\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT"])[:LONGEST_ORIGINAL]


def events_of(lines: Iterable[tuple[int, str]], heads: list[Head]) -> Iterator[Event]:
    """Events one by one; the heads are whole only when the file was read to its end: zones may stand anywhere."""
    reader = _Reader(heads)
    for number, line in unfolded(lines):
        if (event := reader.take(number, line)) is not None:
            yield event
    if (event := reader.close(0)) is not None:
        yield event


class _Reader:
    """Components are closed by their own end, by the end of what they stand in, and by the next event."""

    def __init__(self, heads: list[Head]) -> None:
        self._heads = heads
        self._open: list[str] = []
        self._event: Event | None = None
        self._zone: list[str] | None = None

    def take(self, number: int, line: str) -> Event | None:
        found = NAME.match(line)
        name, rest = (found[1].upper(), line[found.end() :]) if found else ("", "")
        if name == "BEGIN":
            return self._begin(number, rest[1:].strip().upper())
        if name == "END":
            kind = rest[1:].strip().upper()
            return self.close(_last(self._open, kind)) if kind in self._open else None
        if self._event is not None and self._open[-1] == EVENT:
            self._put(self._event, number, name, rest)
        elif self._zone is not None:
            self._put_zone(name, rest)
        elif name == "X-WR-TIMEZONE" and self._open[-1:] == [WHOLE]:
            self._heads[-1].zone = self._heads[-1].zone or Property(number, name, rest).value
        return None

    def _begin(self, number: int, kind: str) -> Event | None:
        closed = None
        if kind == WHOLE or (kind in (EVENT, ZONE) and not self._heads):
            closed = self.close(0)
            self._heads.append(Head())
        elif kind in (EVENT, ZONE):
            closed = self.close(1)
        if kind != WHOLE and not self._open:
            self._open.append(WHOLE)
        self._open.append(kind)
        if kind == EVENT:
            self._event = Event(number, len(self._heads) - 1)
        elif kind == ZONE:
            self._zone = []
        elif kind in RULES_OF_ZONES and self._zone is not None:
            self._zone.append(f"BEGIN:{kind}")
        return closed

    def close(self, depth: int) -> Event | None:
        event = None
        while len(self._open) > depth:
            kind = self._open.pop()
            if kind == EVENT:
                event, self._event = self._event, None
            elif kind in RULES_OF_ZONES and self._zone is not None:
                self._zone.append(f"END:{kind}")
            elif kind == ZONE:
                self._keep_zone()
        return event

    @staticmethod
    def _put(event: Event, number: int, name: str, rest: str) -> None:
        if event.count >= MOST_PROPERTIES:
            return
        event.count += 1
        if name:
            event.properties.setdefault(name, []).append(Property(number, name, rest))
        elif len(event.odd) < MOST_ODD:
            event.odd.append(number)

    def _put_zone(self, name: str, rest: str) -> None:
        if self._zone is None or not name or len(self._zone) >= MOST_ZONE_LINES:
            return
        if self._open[-1] == ZONE or (self._open[-1] in RULES_OF_ZONES and not _hurts(name, rest)):
            self._zone.append(f"{name}{rest}")

    def _keep_zone(self) -> None:
        lines, self._zone = self._zone or [], None
        name = next((line[4:].lstrip(":; ").strip() for line in lines if line.startswith("TZID")), "")
        zones = self._heads[-1].zones
        if name and len(zones) < MOST_ZONES:
            zones.setdefault(name, lines)


def _last(kinds: list[str], kind: str) -> int:
    return len(kinds) - 1 - kinds[::-1].index(kind)


def _hurts(name: str, rest: str) -> bool:
    if name not in ("RRULE", "RDATE"):
        return False
    return name == "RDATE" or not _YEARLY.search(rest[1:]) or bool(_FINER.search(rest))
