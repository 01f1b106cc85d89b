"""Data tables with headers and rows, as opposed to layout tables."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborNode

from gleanery.extraction.plain.layout.inline_text import InlineText, collect_inline

MOST_ROWS = 1_000
MOST_CELLS = 40
LONGEST_CELL = 600


class TableRow(NamedTuple):
    cells: tuple[InlineText, ...]
    headed: bool  # first cell is a row header


class Table(NamedTuple):
    headers: tuple[str, ...]
    rows: tuple[TableRow, ...]


def is_layout(node: LexborNode) -> bool:
    if any(inner.mem_id != node.mem_id for inner in node.css("table, h1, h2, h3, h4, ul, ol, form, dl, article")[:2]):
        return True
    return any(len(cell.text()) > LONGEST_CELL for cell in node.css("td")[:400])


def read_table(node: LexborNode) -> Table:
    headers: tuple[str, ...] = ()
    rows: list[TableRow] = []
    for row in node.css("tr")[:MOST_ROWS]:
        cells = row.css("td, th")[:MOST_CELLS]
        if not cells:
            continue
        read = tuple(collect_inline(cell) for cell in cells)
        if not headers and not rows and len(cells) > 1 and _is_head(cells, read):
            headers = tuple(" ".join(cell.lines) for cell in read)
        else:
            rows.append(TableRow(read, cells[0].tag == "th"))
    return Table(headers, tuple(rows))


def _is_head(cells: list[LexborNode], read: tuple[InlineText, ...]) -> bool:
    filled = [cell for cell in read if cell.lines]
    return all(cell.tag == "th" for cell in cells) or (len(filled) > 1 and all(cell.all_bold for cell in filled))
