"""Trigram similarity of two texts, computed as pg_trgm does. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65_536)
def trigrams(text: str) -> frozenset[str]:
    """Return the trigrams of each word, padded with two spaces before and one after."""
    padded = (f"  {word} " for word in _WORD.findall(text.lower()))
    return frozenset([word[begin : begin + 3] for word in padded for begin in range(len(word) - 2)])


def similarity(one: str, other: str) -> float:
    here, there = trigrams(one), trigrams(other)
    both = len(here & there)
    return both / (len(here) + len(there) - both) if both else 0.0
