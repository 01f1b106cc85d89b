"""Overlap of two names, with words weighted by rarity and tolerance for typos. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler

from gleanery.matching.facts import significant_words
from gleanery.matching.rarity import Rarity

ALIKE, SLIP = 0.88, 0.9  # similarity from which a word may be a typo of another; its weight then
SHORTEST = 4  # letters of a word that may contain a typo
FEWEST_INITIALS = 3
LIGHT = 0.2  # weight of words that say where something is
RARE = 0.55  # rarity from which a word is rare: one in a few hundred names has it


class Overlap(NamedTuple):
    cosine: float
    most: float  # share of one name contained in the other; the larger of the two shares
    least: float  # the smaller of the two shares
    shared: float  # sum of the rarities of the common words
    rarest: float  # rarity of the rarest common word
    own: float  # rarity of the rarest word that only one name has; the smaller value of the two names
    is_equal: bool
    words: tuple[str, ...]  # common words
    left: tuple[str, ...]  # words only in the first
    right: tuple[str, ...]  # words only in the second


NOTHING = Overlap(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, False, (), (), ())


def overlap(one: str, other: str, rarity: Rarity, light: Collection[str] = ()) -> Overlap:
    """Compare two names; `light` words say where something is and count little."""
    if not one or not other:
        return NOTHING
    here, there = significant_words(one), significant_words(other)
    left, right = _weights(here, rarity, light), _weights(there, rarity, light)
    if here == there or sorted(here) == sorted(there) or "".join(here) == "".join(there):
        return Overlap(1.0, 1.0, 1.0, sum(left), max(left), 0.0, True, tuple(here), (), ())
    return _weighted(here, there, left, right)


def _weights(words: list[str], rarity: Rarity, light: Collection[str]) -> list[float]:
    if not light or all(word in light for word in words):
        return [rarity.of(word) for word in words]
    return [rarity.of(word) * (LIGHT if word in light else 1.0) for word in words]


def _weighted(here: list[str], there: list[str], left: list[float], right: list[float]) -> Overlap:
    met = _paired_words(here, there)
    lengths = math.sqrt(sum(w * w for w in left) * sum(w * w for w in right)) or 1.0
    ours, theirs = sum(left) or 1.0, sum(right) or 1.0
    share = sum(left[i] * alike for i, _, alike in met) / ours, sum(right[j] * alike for _, j, alike in met) / theirs
    own = [i for i in range(len(here)) if all(i != each for each, _, _ in met)]
    others = [j for j in range(len(there)) if all(j != each for _, each, _ in met)]
    both = [min(left[i], right[j]) * alike for i, j, alike in met]
    return Overlap(
        min(1.0, sum(left[i] * right[j] * alike for i, j, alike in met) / lengths),
        max(share),
        min(share),
        sum(both),
        max(both, default=0.0),
        min(max((left[i] for i in own), default=0.0), max((right[j] for j in others), default=0.0)),
        False,
        tuple([here[i] for i, _, _ in met]),
        tuple([here[i] for i in own]),
        tuple([there[j] for j in others]),
    )


def _paired_words(here: list[str], there: list[str]) -> list[tuple[int, int, float]]:
    """Pair the words of two names, most similar first."""
    likely = sorted(
        (
            (alike, i, j)
            for i, one in enumerate(here)
            for j, other in enumerate(there)
            if (alike := _word_similarity(one, other))
        ),
        key=lambda each: (-each[0], each[1], each[2]),
    )
    met: list[tuple[int, int, float]] = []
    ours, theirs = set(range(len(here))), set(range(len(there)))
    for alike, i, j in likely:
        if i in ours and j in theirs:
            ours.remove(i)
            theirs.remove(j)
            met.append((i, j, alike))
    return met


@lru_cache(maxsize=262_144)
def _word_similarity(one: str, other: str) -> float:
    """Return 1 for the same word, less for a likely typo, 0 for different words; words with digits must be equal."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < SHORTEST or not one.isalpha() or not other.isalpha():
        return 0.0
    return SLIP if JaroWinkler.similarity(one, other) >= ALIKE else 0.0
