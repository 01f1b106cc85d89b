"""Reads the rows of a table in a text file, with quotes and line breaks in cells; a bad row costs only itself."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, Protocol

from gleanery.resolution.importing.table_head import MOST_ABOVE, IsColumn, head_of

MOST_LINES = 100  # lines of one row, so that an unclosed quote does not swallow the file
LONGEST_CELL = 100_000
TOO_LONG = f"A cell of the row has more than {LONGEST_CELL:,} characters. Shorten it, or leave the column out."


class Line(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def is_whole(self) -> bool: ...


class Cells(NamedTuple):
    line: int
    cells: list[str]


class Unreadable(NamedTuple):
    line: int
    reason: str


def cells_of(lines: Iterable[Line], is_column: IsColumn) -> Iterator[Cells | Unreadable]:
    """Yield each row that is not empty, the header first."""
    feed = _Feed(lines)
    head = head_of(feed.peek(MOST_ABOVE + 1), is_column)
    feed.pass_over(head.above)
    reader = csv.reader(feed, delimiter=head.separator)
    while feed.begin():
        try:
            cells = [cell.strip() for cell in next(reader)]
        except csv.Error:
            yield Unreadable(feed.first, TOO_LONG)
            continue
        if feed.ran_out:
            yield Unreadable(feed.first, "A quote that begins a cell is never closed.")
            feed.give_back()
        elif not feed.is_whole:
            yield Unreadable(feed.first, "The line is longer than a million characters.")
        elif any(len(cell) > LONGEST_CELL for cell in cells):
            yield Unreadable(feed.first, TOO_LONG)
        elif any(cells):
            yield Cells(feed.first, cells)


class _Feed:
    """Gives the CSV reader the lines of one row, and takes back those that belong to later rows."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self._waiting: deque[Line] = deque()
        self._given: list[Line] = []
        self.ran_out = False

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        line = self._next() if len(self._given) < MOST_LINES else None
        if line is None:
            self.ran_out = True
            raise StopIteration
        self._given.append(line)
        return line.text

    @property
    def first(self) -> int:
        return self._given[0].number

    @property
    def is_whole(self) -> bool:
        return all(line.is_whole for line in self._given)

    def peek(self, count: int) -> list[str]:
        """Return the first lines without consuming them."""
        self._waiting.extend(islice(self._lines, count))
        return [line.text for line in self._waiting]

    def pass_over(self, count: int) -> None:
        for _ in range(count):
            self._next()

    def begin(self) -> bool:
        """Start the next row; return False if there is none."""
        self._given, self.ran_out = [], False
        line = self._next()
        if line is not None:
            self._waiting.appendleft(line)
        return line is not None

    def give_back(self) -> None:
        """Return all lines but the first to the queue."""
        self._waiting.extendleft(reversed(self._given[1:]))

    def _next(self) -> Line | None:
        return self._waiting.popleft() if self._waiting else next(self._lines, None)
