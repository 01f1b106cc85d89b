"""Table rows whose cells have the roles of their column headers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gleanery.extraction.plain.layout.blocks import Block, BlockPage
from gleanery.extraction.plain.structure.labels import role_of

TOTAL = re.compile(r"^(?:total|sum|общо|всичко|gesamt|summe|insgesamt|итого)\b", re.IGNORECASE)
FEWEST_ROLES = 2


@dataclass(frozen=True, slots=True)
class LabelledRow:
    name: str
    cells: dict[str, str]
    headers: tuple[str, ...]
    href: str
    text: str
    around: str  # text before the table
    block: Block


def labelled_rows(page: BlockPage) -> list[LabelledRow]:
    """Return rows of tables with known labels as headers, without rows of totals."""
    found: list[LabelledRow] = []
    headers: tuple[str, ...] = ()
    table = 0
    before: list[str] = []
    for block in page.content:
        if block.kind != "row":
            before.append(block.text)
            continue
        if block.table != table:
            table, headers = block.table, block.headers
            if not headers and sum(bool(role_of(cell)) for cell in block.cells) >= max(
                FEWEST_ROLES, len(block.cells) - 1
            ):
                headers = block.cells
                continue
        if headers and (row := _row(block, headers, "\n".join(before[-6:]))):
            found.append(row)
    return found


def _row(block: Block, headers: tuple[str, ...], around: str) -> LabelledRow | None:
    roles = [role_of(header) for header in headers]
    if len([role for role in roles if role]) < FEWEST_ROLES or len(block.cells) < FEWEST_ROLES:
        return None
    cells: dict[str, str] = {}
    for role, cell in zip(roles, block.cells, strict=False):
        if role and role not in cells and cell:
            cells[role] = cell.replace("\n", ", ") if role not in ("address", "place", "name", "phone") else cell
    if (
        "name" not in cells and roles[0] == "phone" and not re.search(r"\d{4}", block.cells[0])
    ):  # a "call" may be a call for projects
        cells["name"] = cells.pop("phone", "")
    name = cells.get("name", "")
    if "\n" in name and "description" not in cells:
        cells["description"] = name.partition("\n")[2].replace("\n", " ")
    if not name:  # else the first column without a role
        unnamed = [
            cell for role, cell in zip(roles, block.cells, strict=False) if not role and re.search(r"[^\W\d_]{3}", cell)
        ]
        name = unnamed[0] if unnamed else ""
    name = name.split("\n")[0].strip(" .")
    if TOTAL.match(name) or len(block.cells) < len(headers) - 1:
        return None
    href = next((link.href for link in block.links if link.text and link.text in name), "")
    return LabelledRow(name, cells, headers, href, block.text, around, block)
