"""Where a table begins: what stands above the names of its columns, and what separates its cells. Pure."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

SEPARATORS = ",;\t|"
MOST_ABOVE = 10  # lines above the one that names the columns
_TOLD = re.compile(r'"?sep=(\\t|[^\w\s"]|\t)"?[\r\n]*', re.IGNORECASE)  # Excel's own first line
_BLANK = f'{SEPARATORS}" \r\n\u00a0'
IsColumn = Callable[[str], bool]


class Head(NamedTuple):
    above: int  # lines to pass over
    separator: str


def head_of(lines: Sequence[str], is_column: IsColumn) -> Head:
    """By the first lines of a file; `is_column` knows the names that mean something."""
    told = _TOLD.fullmatch(lines[0]) if lines else None
    separator = told[1].replace("\\t", "\t") if told else ""
    first = next((at for at, line in enumerate(lines) if at >= bool(told) and line.strip(_BLANK)), None)
    if first is None:
        return Head(int(bool(told)), separator or SEPARATORS[0])
    for at in range(first + 1, len(lines)):
        if lines[at - 1].count('"') % 2:
            break  # the name of a column goes on in the next line
        by = separator or separator_of(lines[at])
        if _is_header([_cells(line, by) for line in lines[first : at + 1]], is_column):
            return Head(at, by)
    return Head(first, separator or separator_of(lines[first]))


def separator_of(line: str) -> str:
    """The one that stands most often in the line, outside quotes."""
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)


def _is_header(rows: Sequence[Sequence[str]], is_column: IsColumn) -> bool:
    """Whether the last one names the columns, and those above it are a title.

    A file of one column may look the same: there, no row has names of columns, and none is filled up with empty cells.
    """
    *above, last = rows
    if len(_filled(last)) <= 1 or any(len(_filled(row)) > 1 for row in above):
        return False
    known_above = sum(is_column(cell) for row in above for cell in _filled(row))
    known, is_padded = sum(map(is_column, _filled(last))), len(above[0]) > 1
    return known > known_above if is_padded and known_above else not known_above and (is_padded or known > 0)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell]


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:  # longer than any name or title
        return [line, line]
