"""Two that are one but for what stands in one place: grants for schools, grants for museums. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from gleanery.resolution.matches.names import PLAIN, Word
from gleanery.resolution.matches.slips import agree, is_slip

MOST, MOST_UNKNOWN = 2, 3  # words that stand in the place of others; as many if some of them are not known
# What may stand in the name of any call, or of any town's.
_EMPTY = "call campaign city competition fund funding grant programme publication season subsidy year"
EMPTY = frozenset(_EMPTY.split())


def is_swapped(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Of the telling words of two names. Only what is known to mean something else, and is no slip."""
    mine, yours = _between(one, other)
    if not mine or not yours or max(len(mine), len(yours)) > MOST:
        return False
    if any(word.weight >= PLAIN for word in (*mine, *yours)):
        return False
    return not any(agree(word.text, each.text) or is_slip(word.text, each.text) for word in mine for each in yours)


def differ_at_one_place(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether both begin or end alike, and in between each has some word, known or not, that the other has not."""
    mine, yours = _between(one, other)
    return 0 < max(len(mine), len(yours)) <= MOST_UNKNOWN and are_two(mine, yours)


def _between(here: Sequence[Word], there: Sequence[Word]) -> tuple[Sequence[Word], Sequence[Word]]:
    """What stands between the words by which both begin and those by which both end; nothing if they do neither."""
    head = _alike(here, there)
    tail = _alike(here[head:][::-1], there[head:][::-1])
    if not head + tail:
        return (), ()
    mine, yours = here[head : len(here) - tail], there[head : len(there) - tail]
    return [word for word in mine if not _is_empty(word)], [word for word in yours if not _is_empty(word)]


def _is_empty(word: Word) -> bool:
    return word.sound in EMPTY or not EMPTY.isdisjoint(word.ideas | word.sorts)


def are_two(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether each has something, of whatever weight, that the other does not mean."""
    return _has_more(one, other) and _has_more(other, one)


def _has_more(here: Sequence[Word], there: Sequence[Word]) -> bool:
    return any(not any(word.sound == each.sound or agree(word.text, each.text) for each in there) for word in here)


def _alike(here: Sequence[Word], there: Sequence[Word]) -> int:
    """With how many words of one sound they begin."""
    pairs = enumerate(zip(here, there))  # noqa: B905 - as far as both go
    return next((at for at, (word, each) in pairs if word.sound != each.sound), min(len(here), len(there)))
