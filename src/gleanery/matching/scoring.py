"""Scoring of a pair: points per field, their sum as a probability, and the band it falls in. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from gleanery.matching.adjustments import ADJUSTMENTS, SURE
from gleanery.matching.comparison import Comparison
from gleanery.matching.comparisons import COMPARISONS
from gleanery.matching.facts import Facts
from gleanery.matching.pair import Pair
from gleanery.matching.rarity import Rarity
from gleanery.matching.weights import Weights, weights

AUTO, REVIEW, LISTED = 0.95, 0.60, 0.30
CAP = round(1 / (1 + 2**-SURE), 4)  # highest probability of a pair that may not be merged automatically
UNCOUNTED = Rarity()
OF_KIND: dict[str, tuple[Comparison, ...]] = {
    kind: tuple(each for each in COMPARISONS if kind in each.kinds) for kind in COMPARISONS[0].kinds
}


ROUNDING = 0.00006
COSTLY: tuple[str, ...] = ("name", "shared words", "spelling", "own words", "number in the name", "contrast")
COSTLY += ("part", "sort", "description")
_COSTLY = {kind: tuple(each for each in found if each.field in COSTLY) for kind, found in OF_KIND.items()}
_CHEAP = {kind: tuple(each for each in found if each.field not in COSTLY) for kind, found in OF_KIND.items()}


class Point(NamedTuple):
    """Result of one comparison: field, level, points and the sentence shown to people."""

    field: str
    level: str
    points: float
    sentence: str = ""
    veto: bool = False


class Match(NamedTuple):
    probability: float
    prior: float
    points: tuple[Point, ...]

    @property
    def vetoes(self) -> tuple[str, ...]:
        return tuple(each.field for each in self.points if each.veto)

    def band(self, auto: float = AUTO, review: float = REVIEW) -> str:
        return "auto" if self.probability >= auto else "review" if self.probability >= review else "none"


def compare(
    one: Facts,
    other: Facts,
    rarity: Rarity = UNCOUNTED,
    by: Weights | None = None,
    sources: tuple[str, str] = ("", ""),
) -> Match:
    """Return how likely two records are the same, and why. Symmetric; a field missing in either counts nothing."""
    return match_of(Pair(one, other, rarity, sources), by or weights(one.kind))


def compare_if_likely(
    least: float, one: Facts, other: Facts, rarity: Rarity = UNCOUNTED, sources: tuple[str, str] = ("", "")
) -> Match | None:
    """Return the match, or None if its probability is below `least`; most pairs are rejected cheaply."""
    by, pair = weights(one.kind), Pair(one, other, rarity, sources)
    # Reject early if even the best possible names could not make up for the other fields.
    room = by.prior + _best_costly_levels(one.kind) - odds(max(least - ROUNDING, 1e-9))
    beside = {each.field: level for each in _CHEAP[one.kind] if (level := each.level_of(pair))}
    if room + sum(by.of(*each) for each in beside.items()) < 0:
        return None
    match = match_of(pair, by, beside)
    return match if match.probability >= least else None


@cache
def _best_costly_levels(kind: str) -> float:
    best = weights(kind).points
    return sum(max(0.0, *best[each.field].values()) for each in _COSTLY[kind] if each.field in best)


def levels_of(pair: Pair) -> dict[str, str]:
    """Return the level of each field that both records have."""
    return {each.field: level for each in OF_KIND[pair.one.kind] if (level := each.level_of(pair))}


def _costly_levels(pair: Pair) -> dict[str, str]:
    return {each.field: level for each in _COSTLY[pair.one.kind] if (level := each.level_of(pair))}


def match_of(pair: Pair, by: Weights, beside: Mapping[str, str] | None = None) -> Match:
    """Return the match; `beside` holds the levels of all cheap fields if they are known already."""
    levels = levels_of(pair) if beside is None else {**_costly_levels(pair), **beside}
    counted = {field: by.of(field, level) for field, level in levels.items()}
    found = [_point(each, pair, levels, counted) for each in OF_KIND[pair.one.kind] if each.field in levels]
    total = by.prior + sum(counted.values())
    if any(each.veto for each in found):
        total = min(total, SURE)
    for each in ADJUSTMENTS:
        if pair.one.kind in each.kinds and (then := each.points(pair, levels, counted, total)) != total:
            found.append(Point(each.name, "", round(then - total, 2), each.sentence))
            total = then
    return Match(round(chance(total), 4), by.prior, tuple(found))


def _point(comparison: Comparison, pair: Pair, levels: dict[str, str], counted: dict[str, float]) -> Point:
    level = comparison.level(levels[comparison.field])
    sentence = level.sentence
    if "{" in sentence:
        sentence = sentence.format_map(comparison.values(pair))
    return Point(comparison.field, level.name, counted[comparison.field], sentence, level.veto)


def chance(points: float) -> float:
    """Convert points to a probability."""
    return 1 / (1 + 2 ** -max(-60.0, min(60.0, points)))


def odds(probability: float) -> float:
    """Convert a probability to points, bounded for near certainty."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log2(bounded / (1 - bounded))
