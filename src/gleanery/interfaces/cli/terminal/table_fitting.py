"""Tables that people can read: which columns a narrow terminal has room for; whoever reads a pipe gets all. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

GAP = 2  # spaces between two columns
NARROWEST = 16  # a column that is folded into less is a heap of shreds
LONGEST_WORD = 24  # in a column that may be folded anywhere, such as an address
# What a person copies into the next command is never cut.
WHOLE = {"id", "domain", "prefix", "username"}
NAMES = {"name"}  # folded between words alone


def least(column: str, cells: Sequence[str]) -> int:
    """The width below which a column cannot be read."""
    texts = (column, *cells)
    natural = max(map(cell_len, texts))
    if column in WHOLE:
        return natural
    word = max(cell_len(each) for text in texts for each in text.split() or [""])
    return max(min(natural, NARROWEST), word if column in NAMES else min(word, LONGEST_WORD))


def kept(columns: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str], room: int) -> list[int]:
    """Which columns stay. Of those that can be spared the first goes first, but an empty one before all others."""
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
    """A line for each row, however long it is."""
    flat = [[" ".join(cell.split()) for cell in row] for row in (columns, *rows) if row is not columns or any(row)]
    widths = [max(cell_len(row[at]) for row in flat) for at in range(len(columns))]
    for row in flat:
        cells = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        yield (" " * GAP).join(cells).rstrip()
