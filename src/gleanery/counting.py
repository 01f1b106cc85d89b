"""How many there are of something, as people say it."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """1 page, 2 pages."""
    return f"{count} {one if count == 1 else many or one + 's'}"
