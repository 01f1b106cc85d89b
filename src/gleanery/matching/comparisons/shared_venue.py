"""Compares events at the same venue on overlapping days by the similarity of their names. Pure."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.comparisons.dates import days_overlap
from gleanery.matching.pair import Pair
from gleanery.matching.trigrams import similarity


def _shared_venue(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if not one.at or one.at != other.at or not days_overlap(one, other):
        return ""
    return "alike" if similarity(one.name, other.name) > pair.rarity.shared_venue_threshold else ""


SHARED_VENUE = Comparison(
    "one stage",
    ("event",),
    _shared_venue,
    (Level("alike", "They are at the same venue on overlapping days, and their names are similar."),),
)
