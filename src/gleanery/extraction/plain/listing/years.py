"""Years for dates without one, from titles and headings: "2027 Meeting Dates", "March 2027"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gleanery.extraction.values.calendar_words import MONTH_OF
from gleanery.extraction.values.dates import Dates, Reader, find_dates

LONGEST_HEAD = 120
LONGEST_LINE = 160
HALF_YEAR = 7  # in a season such as 2026-27, months from July belong to the first year

_YEAR = re.compile(r"(?<![\d.,/$€£#-])(20\d\d)(?:\s?[-–/]\s?(20\d\d|\d\d))?(?![\d,/]|-\d)")
_WORDS = re.compile(r"[^\W\d_]+")
_FUTURE = re.compile(
    r"\b(?:upcoming|next|future|coming|предстоящ\w*|следващ\w*|kommende|nächste|prochain\w*|à venir|próxim\w*|"
    r"viitoare)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class YearSpan:
    """A year, or a season over two years."""

    first: int
    last: int

    def of(self, month: int) -> int:
        return self.first if month >= HALF_YEAR else self.last


def year_in(text: str) -> YearSpan | None:
    """Return the only year or season in the text, or None."""
    found = {_span(match) for match in _YEAR.finditer(text)}
    return found.pop() if len(found) == 1 else None


def _span(match: re.Match[str]) -> YearSpan:
    first = int(match[1])
    last = int(match[2] or first)
    last = last if last >= first else first // 100 * 100 + last
    return YearSpan(first, last) if last - first == 1 else YearSpan(first, first)


class Years:
    """Tracks the year and month of headings while a page is read from the top."""

    def __init__(self, reader: Reader, heads: str) -> None:
        self._reader = reader
        self._span = year_in(heads)
        self._by_heading = False
        self.month = 0
        self.reached = 0  # last day reached in a calendar grid

    @property
    def year(self) -> int:
        return self._span.of(self.month) if self._span else self._reader.today.year

    def heading(self, text: str) -> None:
        if len(text) > LONGEST_HEAD:
            return
        words = _WORDS.findall(text.lower())
        self.month, self.reached = (MONTH_OF.get(words[0], 0) if len(words) == 1 else 0), 0
        if span := year_in(text):
            self._span, self._by_heading = span, True
        elif _FUTURE.search(text):
            self._span, self._by_heading = None, False

    def dates_in(self, text: str) -> list[Dates]:
        """Return the dates of a line, and remember its year for the following lines of a list."""
        plain = find_dates(text, self._reader)
        yearless = [each for each in plain if each.yearless]
        span = year_in(text) or self._span
        if len(text) <= LONGEST_LINE and len(yearless) < len(plain) and not self._by_heading:
            with_year = next(each for each in reversed(plain) if not each.yearless)
            self._span = YearSpan(with_year.start.year, with_year.start.year)
        if not yearless or span is None:
            return plain
        return [_in_year(each, span) for each in plain]


def _in_year(dates: Dates, span: YearSpan) -> Dates:
    """Move a date to the year, unless its weekday contradicts that."""
    if not dates.yearless:
        return dates
    year = span.of(dates.start.month)
    try:
        start = dates.start.replace(year=year)
        end = dates.end and dates.end.replace(year=year + (dates.end.year - dates.start.year))
    except ValueError:  # 29 February
        return dates
    if dates.weekday is not None and dates.weekday != start.weekday() and dates.weekday == dates.start.weekday():
        return dates
    return replace(dates, start=start, end=end)
