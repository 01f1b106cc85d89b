"""Type of a comparison: its field, kinds, the function that picks a level, and the levels with their sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gleanery.kinds import KINDS
from gleanery.matching.pair import Pair

EVERY = tuple(KINDS)
HOUSES = ("place", "organization", "service")
HAPPENING = ("event", "opportunity")


class Level(NamedTuple):
    """Degree of agreement; `sentence` may contain values in braces, and a veto prevents an automatic merge."""

    name: str
    sentence: str
    veto: bool = False


def _nothing(pair: Pair) -> Mapping[str, str]:
    return {}


class Comparison(NamedTuple):
    """Comparison of two records in one field; `level_of` returns "" if either record lacks the field.

    Levels are listed from best to worst. If `is_ranked`, none may have more points than the one before it.
    """

    field: str
    kinds: tuple[str, ...]
    level_of: Callable[[Pair], str]
    levels: tuple[Level, ...]
    values: Callable[[Pair], Mapping[str, str]] = _nothing
    is_ranked: bool = True

    def level(self, name: str) -> Level:
        return next(each for each in self.levels if each.name == name)
