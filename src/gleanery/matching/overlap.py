"""What two names have in common, each word weighed by how rare it is, a slip of the pen forgiven. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler

from gleanery.matching.facts import telling
from gleanery.matching.rarity import Rarity

ALIKE, SLIP = 0.88, 0.9  # from which two words may be one, and what such a word counts
SHORTEST = 4  # letters of a word that may have a slip
FEWEST_INITIALS = 3
LIGHT = 0.2  # of its weight a word has that says where something is
RARE = 0.55  # from which a word is rare: one in a few hundred names has it


class Overlap(NamedTuple):
    cosine: float
    most: float  # how much of one name is in the other, of the one that has the larger share
    least: float
    shared: float  # the rarities of what both have, added up
    rarest: float  # of the words that both have
    own: float  # rarity of the rarest word that only one has; of the name where that is less
    is_equal: bool
    words: tuple[str, ...]  # what both have
    left: tuple[str, ...]  # what only the first has
    right: tuple[str, ...]


NOTHING = Overlap(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, False, (), (), ())


def overlap(one: str, other: str, rarity: Rarity, light: Collection[str] = ()) -> Overlap:
    """Compare two names; words that are `light` say where something is, and count little."""
    if not one or not other:
        return NOTHING
    here, there = telling(one), telling(other)
    left, right = _weights(here, rarity, light), _weights(there, rarity, light)
    if here == there or sorted(here) == sorted(there) or "".join(here) == "".join(there):
        return Overlap(1.0, 1.0, 1.0, sum(left), max(left), 0.0, True, tuple(here), (), ())
    return _weighed(here, there, left, right)


def _weights(words: list[str], rarity: Rarity, light: Collection[str]) -> list[float]:
    if not light or all(word in light for word in words):
        return [rarity.of(word) for word in words]
    return [rarity.of(word) * (LIGHT if word in light else 1.0) for word in words]


def _weighed(here: list[str], there: list[str], left: list[float], right: list[float]) -> Overlap:
    met = _met(here, there)
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


def _met(here: list[str], there: list[str]) -> list[tuple[int, int, float]]:
    """Pair off the words of two names, the likest first."""
    likely = sorted(
        ((alike, i, j) for i, one in enumerate(here) for j, other in enumerate(there) if (alike := _alike(one, other))),
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
def _alike(one: str, other: str) -> float:
    """Return 1 for one word, less for a likely slip, 0 for two words; what has a digit has no slips."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < SHORTEST or not one.isalpha() or not other.isalpha():
        return 0.0
    return SLIP if JaroWinkler.similarity(one, other) >= ALIKE else 0.0
