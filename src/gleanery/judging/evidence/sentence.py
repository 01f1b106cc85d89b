"""Formatting of found words in sentences."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 4


def quoted(words: Sequence[str]) -> str:
    """Return the first few words as “one”, “two” and “three”."""
    if len(words) == 1:
        return f"“{words[0]}”"
    shown = [f"“{word}”" for word in words[:MOST]]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
