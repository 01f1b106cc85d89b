"""The text of a calendar brought into a shape that cannot hurt: events and time zones alone, closed, bounded. Pure."""

from __future__ import annotations

import re

import icalendar

KEPT = frozenset({"VCALENDAR", "VEVENT", "VTIMEZONE", "STANDARD", "DAYLIGHT"})
MOST_LINES = 200_000
MOST_EVENTS = 5_000
MOST_ZONES = 50
LONGEST_LINE = 20_000

_UNFOLD = re.compile(r"\r?\n[ \t]")
_PROPERTY = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}(?=[:;])")
# Of a zone only rules that come round once a year are followed: others would be computed for centuries.
_YEARLY = re.compile(r"(?:^|;)FREQ=YEARLY(?:;|$)", re.IGNORECASE)
_FINER = re.compile(r"BY(?:HOUR|MINUTE|SECOND|YEARDAY|SETPOS)", re.IGNORECASE)


def calendars_in(text: str) -> list[icalendar.Component]:
    """Every calendar of a file that may hold several, or break off in the midst of one. None if nothing can be read."""
    found: list[icalendar.Component] = []
    for each in _mended(text):
        try:
            found.append(icalendar.Calendar.from_ical(each))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
            found.extend(_piecewise(each))
    return found


def _piecewise(text: str) -> list[icalendar.Component]:
    """Where one event spoils a whole calendar, each is read by itself."""
    head, *events = text.split("BEGIN:VEVENT\r\n")
    head = head.removesuffix("END:VCALENDAR\r\n")
    found: list[icalendar.Component] = []
    for each in events[:MOST_EVENTS]:
        body, _, rest = each.partition("END:VEVENT\r\n")
        # Zones may stand after the events.
        zones = rest if "BEGIN:VTIMEZONE" in rest and "BEGIN:VEVENT" not in rest else "END:VCALENDAR\r\n"
        try:
            found.append(icalendar.Calendar.from_ical(f"{head}BEGIN:VEVENT\r\n{body}END:VEVENT\r\n{zones}"))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
            continue
    return found


def _mended(text: str) -> list[str]:
    """Names in capitals, other components left out, whatever is open at the end closed."""
    calendars: list[list[str]] = []
    stack: list[str] = []
    skipping = events = zones = 0
    for raw in _UNFOLD.sub("", text).splitlines()[:MOST_LINES]:
        line = raw.strip()[:LONGEST_LINE]
        found = _PROPERTY.match(line)
        if found is None:
            continue
        name, rest = found.group().upper(), line[found.end() :]
        component = rest[1:].strip().upper()
        if name == "BEGIN":
            events, zones = events + (component == "VEVENT"), zones + (component == "VTIMEZONE")
            if skipping or component not in KEPT or events > MOST_EVENTS or zones > MOST_ZONES:
                skipping += 1
                continue
            if component == "VCALENDAR" or not stack:
                _close(calendars, stack, 0)
                calendars.append([] if component == "VCALENDAR" else ["BEGIN:VCALENDAR"])
                stack = [] if component == "VCALENDAR" else ["VCALENDAR"]
            if component == "VEVENT":
                _close(calendars, stack, 1)
            stack.append(component)
            calendars[-1].append(f"BEGIN:{component}")
        elif name == "END":
            if skipping:
                skipping -= 1
            elif component in stack:
                _close(calendars, stack, stack.index(component))
        elif stack and not skipping and not _hurts(stack[-1], name, rest):
            calendars[-1].append(f"{name}{rest}")
    _close(calendars, stack, 0)
    return ["\r\n".join([*lines, ""]) for lines in calendars]


def _close(calendars: list[list[str]], stack: list[str], depth: int) -> None:
    while len(stack) > depth:
        calendars[-1].append(f"END:{stack.pop()}")


def _hurts(component: str, name: str, rest: str) -> bool:
    if component not in ("STANDARD", "DAYLIGHT") or name not in ("RRULE", "RDATE"):
        return False
    return name == "RDATE" or not _YEARLY.search(rest[1:]) or bool(_FINER.search(rest))
