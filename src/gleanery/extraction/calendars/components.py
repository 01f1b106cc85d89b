"""Splits a calendar file into events and headers; tolerates truncated and unbalanced files. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gleanery.extraction.calendars.content_lines import NAME, Property, unfolded

MOST_PROPERTIES = 2_000  # per event
MOST_ZONES = 50
MOST_ZONE_LINES = 2_000
LONGEST_ORIGINAL = 10_000
MOST_ODD = 20

WHOLE = "VCALENDAR"
EVENT = "VEVENT"
ZONE = "VTIMEZONE"
RULES_OF_ZONES = frozenset({"STANDARD", "DAYLIGHT"})
# Only yearly zone rules are used; others would be expanded for centuries.
_YEARLY = re.compile(r"(?:^|;)FREQ=YEARLY(?:;|$)", re.IGNORECASE)
_FINER = re.compile(r"BY(?:HOUR|MINUTE|SECOND|YEARDAY|SETPOS)", re.IGNORECASE)


@dataclass(slots=True)
class CalendarHeader:
    """Header of a calendar: its default zone, and the rules of named zones."""

    zone: str = ""
    zones: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Event:
    """One event of the file. `odd` holds the numbers of lines that are not properties."""

    line: int
    header: int  # index of its calendar header
    properties: dict[str, list[Property]] = field(default_factory=dict)
    odd_lines: list[int] = field(default_factory=list)
    count: int = 0

    def all(self, name: str) -> list[Property]:
        return self.properties.get(name, [])

    def first(self, name: str) -> Property | None:
        found = self.properties.get(name)
        return found[0] if found else None

    def value(self, name: str) -> str:
        """Return the first non-empty value of the property, unparsed."""
        return next((value for each in self.all(name) if (value := each.value)), "")

    def original(self) -> str:
        lines = [f"{each.name}{each.rest}" for several in self.properties.values() for each in several]
        return "\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT"])[:LONGEST_ORIGINAL]


def events_of(lines: Iterable[tuple[int, str]], headers: list[CalendarHeader]) -> Iterator[Event]:
    """Yield events. `heads` is complete only after the last one, since zones may come anywhere in the file."""
    reader = _ComponentReader(headers)
    for number, line in unfolded(lines):
        if (event := reader.take(number, line)) is not None:
            yield event
    if (event := reader.close(0)) is not None:
        yield event


class _ComponentReader:
    """Reads components, closed by their own END, the END of an outer one, or the next event."""

    def __init__(self, headers: list[CalendarHeader]) -> None:
        self._headers = headers
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
            self._headers[-1].zone = self._headers[-1].zone or Property(number, name, rest).value
        return None

    def _begin(self, number: int, kind: str) -> Event | None:
        closed = None
        if kind == WHOLE or (kind in (EVENT, ZONE) and not self._headers):
            closed = self.close(0)
            self._headers.append(CalendarHeader())
        elif kind in (EVENT, ZONE):
            closed = self.close(1)
        if kind != WHOLE and not self._open:
            self._open.append(WHOLE)
        self._open.append(kind)
        if kind == EVENT:
            self._event = Event(number, len(self._headers) - 1)
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
        elif len(event.odd_lines) < MOST_ODD:
            event.odd_lines.append(number)

    def _put_zone(self, name: str, rest: str) -> None:
        if self._zone is None or not name or len(self._zone) >= MOST_ZONE_LINES:
            return
        if self._open[-1] == ZONE or (self._open[-1] in RULES_OF_ZONES and not _is_unsafe(name, rest)):
            self._zone.append(f"{name}{rest}")

    def _keep_zone(self) -> None:
        lines, self._zone = self._zone or [], None
        name = next((line[4:].lstrip(":; ").strip() for line in lines if line.startswith("TZID")), "")
        zones = self._headers[-1].zones
        if name and len(zones) < MOST_ZONES:
            zones.setdefault(name, lines)


def _last(kinds: list[str], kind: str) -> int:
    return len(kinds) - 1 - kinds[::-1].index(kind)


def _is_unsafe(name: str, rest: str) -> bool:
    if name not in ("RRULE", "RDATE"):
        return False
    return name == "RDATE" or not _YEARLY.search(rest[1:]) or bool(_FINER.search(rest))
