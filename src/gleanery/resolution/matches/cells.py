"""Where and when, cut into cells, so that what is near shares one or has it next door. Pure."""

from __future__ import annotations

import math
from datetime import date

CELL = 0.002  # degrees of latitude: about 220 metres
MOST_DAYS = 31


def grid(lat: float, lon: float, up: int, right: int) -> str:
    """Cells of about equal breadth: degrees of longitude are narrower towards the poles."""
    row = math.floor(lat / CELL) + up
    width = CELL / max(0.05, math.cos(math.radians(row * CELL)))
    return f"{row} {math.floor(lon / width) + right}"


def around(day: date, many: int) -> list[date]:
    first, last = max(day.toordinal() - many, 1), min(day.toordinal() + many, date.max.toordinal())
    return [date.fromordinal(each) for each in range(first, last + 1)]


def from_to(day: date, last_day: date | None) -> list[date]:
    """On which something goes on, as far as that is worth a key."""
    first = day.toordinal()
    last = min(last_day.toordinal(), first + MOST_DAYS) if last_day else first
    return [date.fromordinal(each) for each in range(first, max(first, last) + 1)]
