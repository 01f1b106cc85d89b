"""Compares words in two names that exclude each other: men and women, beginners and advanced. Pure."""

from __future__ import annotations

from functools import lru_cache

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.lists import sides_in
from gleanery.matching.pair import Pair


def _contrast(pair: Pair) -> str:
    here, there = sides(pair.one.name), sides(pair.other.name)
    return "other" if any(here[what].isdisjoint(there[what]) for what in here.keys() & there.keys()) else ""


@lru_cache(maxsize=65_536)
def sides(name: str) -> dict[str, frozenset[int]]:
    """Return the sides a name takes in each contrast it has words for."""
    known = sides_in("contrasts")
    found: dict[str, set[int]] = {}
    for word in name.split():
        if word in known:
            what, side = known[word]
            found.setdefault(what, set()).add(side)
    return {what: frozenset(each) for what, each in found.items()}


CONTRAST = Comparison(
    "contrast",
    ("event", "funding", "service", "opportunity"),
    _contrast,
    (Level("other", "The names are for different people, levels or times of day.", veto=True),),
)
