"""The year that a page is speaking of where a date names none: "2027 Meeting Dates", a month and year as a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gleanery.extraction.values.calendar_words import MONTH_OF
from gleanery.extraction.values.dates import Dates, Reader, find_dates

LONGEST_HEAD = 120
LONGEST_LINE = 160
HALF_YEAR = 7  # of a season, 2026-27, the months from July on belong to the first year

_YEAR = re.compile(r"(?<![\d.,/$€£#-])(20\d\d)(?:\s?[-–/]\s?(20\d\d|\d\d))?(?![\d,/]|-\d)")
_WORDS = re.compile(r"[^\W\d_]+")
_ANEW = re.compile(
    r"\b(?:upcoming|next|future|coming|предстоящ\w*|следващ\w*|kommende|nächste|prochain\w*|à venir|próxim\w*|"
    r"viitoare)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A year, or a season that runs over two."""

    first: int
    last: int

    def of(self, month: int) -> int:
        return self.first if month >= HALF_YEAR else self.last


def spoken_in(text: str) -> Spoken | None:
    """The only year or season that the text names; None where it names several."""
    found = {_spoken(match) for match in _YEAR.finditer(text)}
    return found.pop() if len(found) == 1 else None


def _spoken(match: re.Match[str]) -> Spoken:
    first = int(match[1])
    last = int(match[2] or first)
    last = last if last >= first else first // 100 * 100 + last
    return Spoken(first, last) if last - first == 1 else Spoken(first, first)


class Years:
    """Follows a page from its top: what a heading says holds until another one says something else."""

    def __init__(self, reader: Reader, heads: str) -> None:
        self._reader = reader
        self._spoken = spoken_in(heads)
        self._by_heading = False
        self.month = 0
        self.reached = 0  # the last day of the month that a calendar sheet has come to

    @property
    def year(self) -> int:
        return self._spoken.of(self.month) if self._spoken else self._reader.today.year

    def heading(self, text: str) -> None:
        if len(text) > LONGEST_HEAD:
            return
        words = _WORDS.findall(text.lower())
        self.month, self.reached = (MONTH_OF.get(words[0], 0) if len(words) == 1 else 0), 0
        if spoken := spoken_in(text):
            self._spoken, self._by_heading = spoken, True
        elif _ANEW.search(text):
            self._spoken, self._by_heading = None, False

    def dates_in(self, text: str) -> list[Dates]:
        """The dates of a line, and from then on its year where it is but a line of a list."""
        plain = find_dates(text, self._reader)
        yearless = [each for each in plain if each.yearless]
        spoken = spoken_in(text) or self._spoken
        if len(text) <= LONGEST_LINE and len(yearless) < len(plain) and not self._by_heading:
            said = next(each for each in reversed(plain) if not each.yearless)
            self._spoken = Spoken(said.start.year, said.start.year)
        if not yearless or spoken is None:
            return plain
        return [_placed(each, spoken) for each in plain]


def _placed(dates: Dates, spoken: Spoken) -> Dates:
    """The date in that year; a weekday that contradicts it is believed: then the line speaks of another year."""
    if not dates.yearless:
        return dates
    year = spoken.of(dates.start.month)
    try:
        start = dates.start.replace(year=year)
        end = dates.end and dates.end.replace(year=year + (dates.end.year - dates.start.year))
    except ValueError:  # 29 February
        return dates
    if dates.weekday is not None and dates.weekday != start.weekday() and dates.weekday == dates.start.weekday():
        return dates
    return replace(dates, start=start, end=end)
