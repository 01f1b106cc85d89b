"""Days below the name of a month: cells of a calendar grid, and lines such as "Tue 14" below "March 2027"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.years import Years
from gleanery.extraction.values.calendar_words import WEEKDAY_OF
from gleanery.extraction.values.dates import Dates, with_times

WEEK = 7
FEWEST_DAYS = 5  # cells of a week with a number
EARLY = 15

_CELL = re.compile(r"^\s*(\d{1,2})(?:\n|\s|$)")
_GLUED = re.compile(r"(?<=\d)(\s?[ap]\.?m\.?)(?=[^\W\d_])", re.IGNORECASE)  # 10:00 AMBoard Meeting
_WEEKDAYS = "|".join(sorted((word for word in WEEKDAY_OF if len(word) > 1), key=len, reverse=True))
_DAY = re.compile(
    rf"\W*(?:(?P<before>{_WEEKDAYS})\b\.?,?\s+(?:the\s)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]|\s?[ap]\.?m)|"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?,?\s+\(?(?:{_WEEKDAYS})\b|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)\b|(?P<d4>\d{{1,2}})\W*$)",
    re.IGNORECASE,
)


def days_of_grid(block: Block, years: Years) -> list[tuple[Block, str]]:
    """Return the entries of a week in a calendar grid, with full dates, or none for other rows."""
    if block.kind != "row" or not years.month or len(block.cells) != WEEK:
        return []
    days = [_CELL.match(cell) for cell in block.cells]
    if sum(day is not None for day in days) < FEWEST_DAYS:
        return []
    found: list[tuple[Block, str]] = []
    for day, cell in zip(days, block.cells, strict=True):
        number = int(day[1]) if day else 0
        # Skip days of the previous and next month in the first and last week.
        if number and (number == years.reached + 1 or (not years.reached and number < EARLY)):
            years.reached = number
            found.extend(_in_cell(block, cell, number, years))
    return found


def _in_cell(block: Block, cell: str, number: int, years: Years) -> Iterator[tuple[Block, str]]:
    for line in cell.split("\n")[1:] or [cell.strip()[len(str(number)) :]]:
        if line.strip():
            entry = _GLUED.sub(r"\1 ", line.strip())
            text = f"{years.year}-{years.month:02d}-{number:02d} {entry}"
            links = tuple(link for link in block.links if link.text and link.text in line)
            yield block._replace(kind="text", lines=(text,), strong=(), links=links, cells=(), headers=()), text


def day_of_month(text: str, years: Years) -> list[Dates]:
    """Return the date of "Tue 14", "14th" or a number alone at the beginning of a line below a month."""
    match = _DAY.match(text) if years.month else None
    if match is None:
        return []
    number = next(int(found) for found in match.group("d1", "d2", "d3", "d4") if found)
    try:
        day = date(years.year, years.month, number)
    except ValueError:
        return []
    return with_times([Dates(day, None, 0, match.end())], text)
