"""Counts with their nouns, in singular or plural."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: "1 page", "2 pages"."""
    return f"{count} {one if count == 1 else many or one + 's'}"
