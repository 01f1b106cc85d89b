"""Cells that a spreadsheet would take for a formula, marked with an apostrophe on the way out and back. Pure."""

from __future__ import annotations

import re

_RISKY = re.compile(r"'*[=+\-@\t\r\n]")
_MARKED = re.compile(r"'+[=+\-@]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it if it could begin a formula; a mere number could not."""
    if not _RISKY.match(cell) or _is_number(cell):
        return cell
    return f"'{cell}"


def unguarded(cell: str) -> str:
    """The cell as it was before `guarded`."""
    return cell[1:] if _MARKED.match(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
