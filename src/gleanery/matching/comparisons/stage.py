"""Two events of much alike names at one venue on overlapping days. Pure."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.comparisons.when import overlap
from gleanery.matching.pair import Pair
from gleanery.matching.trigrams import similarity


def _stage(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if not one.at or one.at != other.at or not overlap(one, other):
        return ""
    return "alike" if similarity(one.name, other.name) > pair.rarity.alike_on_stage else ""


STAGE = Comparison(
    "one stage",
    ("event",),
    _stage,
    (Level("alike", "They are at one venue on overlapping days, and their names are much alike."),),
)
