"""Tables that hold data: their headers and rows. Tables that only lay out a page are told apart."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborNode

from gleanery.extraction.plain.gathering import Gathered, gather

MOST_ROWS = 1_000
MOST_CELLS = 40
LONGEST_CELL = 600


class Row(NamedTuple):
    cells: tuple[Gathered, ...]
    headed: bool  # its first cell is the header of the row


class Table(NamedTuple):
    headers: tuple[str, ...]
    rows: tuple[Row, ...]


def is_layout(node: LexborNode) -> bool:
    if any(inner.mem_id != node.mem_id for inner in node.css("table, h1, h2, h3, h4, ul, ol, form, dl, article")[:2]):
        return True
    return any(len(cell.text()) > LONGEST_CELL for cell in node.css("td")[:400])


def read_table(node: LexborNode) -> Table:
    headers: tuple[str, ...] = ()
    rows: list[Row] = []
    for row in node.css("tr")[:MOST_ROWS]:
        cells = row.css("td, th")[:MOST_CELLS]
        if not cells:
            continue
        read = tuple(gather(cell) for cell in cells)
        if not headers and not rows and len(cells) > 1 and _is_head(cells, read):
            headers = tuple(" ".join(cell.lines) for cell in read)
        else:
            rows.append(Row(read, cells[0].tag == "th"))
    return Table(headers, tuple(rows))


def _is_head(cells: list[LexborNode], read: tuple[Gathered, ...]) -> bool:
    filled = [cell for cell in read if cell.lines]
    return all(cell.tag == "th" for cell in cells) or (len(filled) > 1 and all(cell.all_bold for cell in filled))
