"""Likeness of two texts by the groups of three letters that both have, as pg_trgm counts them. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=65_536)
def trigrams(text: str) -> frozenset[str]:
    """Of each word with two spaces before it and one after it."""
    padded = (f"  {word} " for word in _WORD.findall(text.lower()))
    return frozenset([word[begin : begin + 3] for word in padded for begin in range(len(word) - 2)])


def similarity(one: str, other: str) -> float:
    here, there = trigrams(one), trigrams(other)
    both = len(here & there)
    return both / (len(here) + len(there) - both) if both else 0.0
