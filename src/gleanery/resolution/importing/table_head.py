"""Finds the header line of a table below any title, and the separator of its cells. Pure."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

SEPARATORS = ",;\t|"
MOST_ABOVE = 10  # lines above the header
_SEPARATOR_LINE = re.compile(r'"?sep=(\\t|[^\w\s"]|\t)"?[\r\n]*', re.IGNORECASE)  # Excel's own first line
_BLANK = f'{SEPARATORS}" \r\n\u00a0'
IsColumn = Callable[[str], bool]


class Head(NamedTuple):
    above: int  # lines above the header, to skip
    separator: str


def head_of(lines: Sequence[str], is_column: IsColumn) -> Head:
    """Find the header in the first lines of a file; `is_column` recognises known column names."""
    declared = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    separator = declared[1].replace("\\t", "\t") if declared else ""
    first = next((at for at, line in enumerate(lines) if at >= bool(declared) and line.strip(_BLANK)), None)
    if first is None:
        return Head(int(bool(declared)), separator or SEPARATORS[0])
    for at in range(first + 1, len(lines)):
        if lines[at - 1].count('"') % 2:
            break  # a quoted column name continues on the next line
        by = separator or separator_of(lines[at])
        if _is_header([_cells(line, by) for line in lines[first : at + 1]], is_column):
            return Head(at, by)
    return Head(first, separator or separator_of(lines[first]))


def separator_of(line: str) -> str:
    """Return the separator that occurs most often in the line, outside quotes."""
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)


def _is_header(rows: Sequence[Sequence[str]], is_column: IsColumn) -> bool:
    """Return True if the last row is the header and those above it are a title.

    In a file of one column no row has known column names, and none is padded with empty cells.
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
