"""What a comparison is: a field, the kinds it is for, the function that gives a level, the levels with sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gleanery.kinds import KINDS
from gleanery.matching.pair import Pair

EVERY = tuple(KINDS)
HOUSES = ("place", "organization", "service")
HAPPENING = ("event", "opportunity")


class Level(NamedTuple):
    """`sentence` may name values in braces; a level with a veto keeps two from being joined unasked."""

    name: str
    sentence: str
    veto: bool = False


def _nothing(pair: Pair) -> Mapping[str, str]:
    return {}


class Comparison(NamedTuple):
    """`level_of` gives the name of a level, or nothing where either record says too little.

    Levels stand from the best to the worst: none may have more points than one before it, where `is_ranked`.
    """

    field: str
    kinds: tuple[str, ...]
    level_of: Callable[[Pair], str]
    levels: tuple[Level, ...]
    values: Callable[[Pair], Mapping[str, str]] = _nothing
    is_ranked: bool = True

    def level(self, name: str) -> Level:
        return next(each for each in self.levels if each.name == name)
