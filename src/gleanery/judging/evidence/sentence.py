"""Sentence: how the words that were found are put before a reader."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 4


def quoted(words: Sequence[str]) -> str:
    """“one”, “two” and “three”; the first few are enough."""
    if len(words) == 1:
        return f"“{words[0]}”"
    shown = [f"“{word}”" for word in words[:MOST]]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
