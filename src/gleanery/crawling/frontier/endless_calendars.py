"""Distinguishes pages of endless calendars from articles that have a date in their address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

MONTHS_BACK = 12
MONTHS_AHEAD = 24

FIRST_YEAR, LAST_YEAR = 1900, 2199
MONTHS = range(1, 13)
DAYS = range(1, 32)

# After a date these words name calendar views; other words are the title of an article.
VIEWS = frozenset(
    str.split(
        "day days daily week weeks weekly month months monthly year list agenda view views ical ics print next prev "
        "previous today feed rss page index index.html index.htm index.php events calendar grid summary all"
    )
)
YEAR_NAMES = frozenset(str.split("year yr y cal_year jahr godina година"))
MONTH_NAMES = frozenset(str.split("month mon mo m cal_month monat mesec monthnum месец"))

_YEAR = re.compile(r"\d{4}")
_SMALL = re.compile(r"\d{1,2}")
_WRITTEN = re.compile(r"(\d{4})[-./](\d{1,2})(?:[-./](\d{1,2})(?:[t_ +%].*)?)?")
_EUROPEAN = re.compile(r"\d{1,2}[-./](\d{1,2})[-./](\d{4})")
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
_LETTERS_OR_NUMBER = re.compile(r"[^\W\d_]|%[0-9a-f]{2}|\d{3}")

Month = tuple[int, int]


class Dated(NamedTuple):
    """The month in an address. `shape` is equal for all pages of one calendar; `titled` pages are articles."""

    year: int
    month: int
    shape: str
    titled: bool = False

    @property
    def when(self) -> str:
        return f"{self.year:04}-{self.month:02}"

    def is_near(self, today: date) -> bool:
        distance = (self.year - today.year) * 12 + self.month - today.month
        return distance <= MONTHS_AHEAD and (self.titled or distance >= -MONTHS_BACK)


def dated(parts: Sequence[str], parameters: Sequence[tuple[str, str]]) -> Dated | None:
    """Return the month named in the path or the parameters (both in lower case), if any."""
    names = "&".join(sorted(name for name, _ in parameters))
    if month := _in_parameters(parameters):
        return Dated(*month, f"{'/'.join(parts)}?{names}")
    for index in range(len(parts)):
        month, length = _in_path(parts[index : index + 3])
        if month:
            after = parts[index + length :]
            shape = "/".join([*parts[:index], "#" * length, *after])
            return Dated(*month, f"{shape}?{names}", titled=any(_is_title(part) for part in after))
    return None


def _in_path(parts: Sequence[str]) -> tuple[Month | None, int]:
    """Return the month at the start of these parts, and how many parts it spans."""
    found = _WRITTEN.fullmatch(parts[0]) or _COMPACT.fullmatch(parts[0])
    if found:
        return _month(found[1], found[2], found[3]), 1
    if len(parts) > 1 and _YEAR.fullmatch(parts[0]) and _SMALL.fullmatch(parts[1]):
        has_day = len(parts) > 2 and _SMALL.fullmatch(parts[2]) and int(parts[2]) in DAYS  # noqa: PLR2004 - year, month, day
        return _month(parts[0], parts[1]), 3 if has_day else 2
    return None, 0


def _in_parameters(parameters: Sequence[tuple[str, str]]) -> Month | None:
    year = month = ""
    for name, value in parameters:
        if found := _written(value.replace("%2f", "/")):
            return found
        year = value if name in YEAR_NAMES and _YEAR.fullmatch(value) else year
        month = value if name in MONTH_NAMES and _SMALL.fullmatch(value) else month
    return _month(year, month) if year and month else None


def _written(value: str) -> Month | None:
    if found := _WRITTEN.fullmatch(value) or _COMPACT.fullmatch(value):
        return _month(found[1], found[2], found[3])
    if found := _EUROPEAN.fullmatch(value):
        return _month(found[2], found[1])
    return None


def _month(year: str, month: str, day: str | None = None) -> Month | None:
    """Return None if the numbers are not a date."""
    if not FIRST_YEAR <= int(year) <= LAST_YEAR or int(month) not in MONTHS or (day and int(day) not in DAYS):
        return None
    return int(year), int(month)


def _is_title(part: str) -> bool:
    """Return True for words or an article number, False for calendar views, days and page numbers."""
    return part not in VIEWS and _LETTERS_OR_NUMBER.search(part) is not None
