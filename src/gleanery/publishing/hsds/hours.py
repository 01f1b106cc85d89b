"""Opening hours as HSDS schedules: weekly rules where the text has that form, else the text itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY = r"(?:mo|tu|we|th|fr|sa|su)[a-z]*"
_LINE = re.compile(
    rf"(?P<days>{_DAY}(?:\s?[-–,]\s?{_DAY})*):?\s+(?P<opens>\d\d?:\d\d)\s?[-–]\s?(?P<closes>\d\d?:\d\d)", re.IGNORECASE
)
_PART = re.compile(rf"(?P<first>{_DAY})(?:\s?[-–]\s?(?P<last>{_DAY}))?", re.IGNORECASE)


def schedules(text: str) -> list[dict[str, Any]]:
    """Schedules without ids. One line that is no rule makes all of it a text: half of the hours would mislead."""
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    found = [_LINE.fullmatch(line) for line in lines]
    if not lines:
        return []
    if not all(found):
        return [{"description": text}]
    return [_rule(each) for each in found if each]


def _rule(found: re.Match[str]) -> dict[str, Any]:
    return {
        "freq": "WEEKLY",
        "interval": 1,
        "byday": ",".join(dict.fromkeys(_days(found["days"]))),
        "opens_at": f"{found['opens']:0>5}",
        "closes_at": f"{found['closes']:0>5}",
        "description": found[0],
    }


def _days(text: str) -> Iterator[str]:
    for part in _PART.finditer(text):
        first = DAYS.index(part["first"][:2].upper())
        last = DAYS.index((part["last"] or part["first"])[:2].upper())
        yield from (DAYS[(first + step) % len(DAYS)] for step in range((last - first) % len(DAYS) + 1))
