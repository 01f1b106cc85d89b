"""Two words that are one but for a slip, shortened, or in another language. Pure."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA, JaroWinkler

from gleanery.resolution.matches.names import Word, word
from gleanery.resolution.matches.spelling import sound

TYPO = 0.9
SHORTEST_FUZZY, SHORTEST_PREFIX = 4, 3
LONG = 6  # letters
SHORTENED, INITIAL = 0.8, 0.5
MEANT = 0.95


@lru_cache(maxsize=262_144)
def agree(one: str, other: str) -> float:
    """Of two words of different sounds."""
    here, there = word(one), word(other)
    return _degree(one, other, here.sound, there.sound) or MEANT * _mean_the_same(here, there)


def _mean_the_same(one: Word, other: Word) -> bool:
    return not (
        one.ideas.isdisjoint(other.ideas)
        and one.sorts.isdisjoint(other.sorts)
        and one.contrasts.isdisjoint(other.contrasts)
    )


def is_slip(one: str, other: str) -> bool:
    """A letter more, less, other or in another place; in a long word two."""
    return OSA.distance(one, other) <= (2 if min(len(one), len(other)) >= LONG else 1)


@lru_cache(maxsize=65_536)
def is_spelled_alike(one: str, other: str) -> bool:
    return one == other or bool(_degree(one, other, sound(one), sound(other)))


def _degree(one: str, other: str, one_sound: str, other_sound: str) -> float:
    """Of two words that are not the same: whether they are one with a slip, shortened, or an initial."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if short.isdigit() or long.isdigit():
        return 0.0
    if len(short) == 1:
        return INITIAL if long.startswith(short) else 0.0
    if long.startswith(short):
        return SHORTENED if len(short) >= SHORTEST_PREFIX else INITIAL
    if len(short) < SHORTEST_FUZZY:
        return 0.0
    likeness = max(JaroWinkler.similarity(short, long), JaroWinkler.similarity(one_sound, other_sound))
    return likeness if likeness >= TYPO else 0.0
