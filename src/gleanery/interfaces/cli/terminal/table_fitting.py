"""Fitting of tables into narrow terminals: column widths, and which columns to leave out. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

GAP = 2  # spaces between two columns
NARROWEST = 16  # a narrower column is unreadable
LONGEST_WORD = 24  # in columns that may be folded anywhere, such as addresses
# Values that people copy into the next command are never cut.
WHOLE = {"id", "domain", "prefix", "username"}
NAMES = {"name"}  # folded only between words


def least(column: str, cells: Sequence[str]) -> int:
    """Return the smallest width at which a column can still be read."""
    texts = (column, *cells)
    natural = max(map(cell_len, texts))
    if column in WHOLE:
        return natural
    word = max(cell_len(each) for text in texts for each in text.split() or [""])
    return max(min(natural, NARROWEST), word if column in NAMES else min(word, LONGEST_WORD))


def kept(columns: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str], room: int) -> list[int]:
    """Return the positions of the columns that fit; empty spare ones go first, then the others of `spare`."""
    there = list(range(len(columns)))
    widths = [least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    empty = [at for at in there if columns[at] in spare and not any(row[at] for row in rows)]
    for going in [*empty, *(columns.index(each) for each in spare if each in columns)]:
        if sum(widths[at] for at in there) + GAP * (len(there) - 1) <= room:
            break
        if going in there:
            there.remove(going)
    return there


def lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return one line per row, of any length, for output into a pipe."""
    flat = [[" ".join(cell.split()) for cell in row] for row in (columns, *rows) if row is not columns or any(row)]
    widths = [max(cell_len(row[at]) for row in flat) for at in range(len(columns))]
    for row in flat:
        cells = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        yield (" " * GAP).join(cells).rstrip()
