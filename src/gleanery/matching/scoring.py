"""A match: the points of each field, their sum as a probability, and what that sum may decide. Pure."""

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
CAP = round(1 / (1 + 2**-SURE), 4)  # what is never joined unasked is at most so likely
UNCOUNTED = Rarity()
OF_KIND: dict[str, tuple[Comparison, ...]] = {
    kind: tuple(each for each in COMPARISONS if kind in each.kinds) for kind in COMPARISONS[0].kinds
}


ROUNDING = 0.00006
DEAR: tuple[str, ...] = ("name", "shared words", "spelling", "own words", "number in the name", "contrast")
DEAR += ("part", "sort", "description")
_DEAR = {kind: tuple(each for each in found if each.field in DEAR) for kind, found in OF_KIND.items()}
_CHEAP = {kind: tuple(each for each in found if each.field not in DEAR) for kind, found in OF_KIND.items()}


class Point(NamedTuple):
    """What a field says: its level in a sentence, and what that counts."""

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
    """Return how likely two are one, and why; symmetric, and what either does not say counts nothing."""
    return judged(Pair(one, other, rarity, sources), by or weights(one.kind))


def compare_from(
    least: float, one: Facts, other: Facts, rarity: Rarity = UNCOUNTED, sources: tuple[str, str] = ("", "")
) -> Match | None:
    """Return the match, or nothing if it is less likely than that: of most pairs nobody asks why they are two."""
    by, pair = weights(one.kind), Pair(one, other, rarity, sources)
    # Names as good as can be would have to make up for what the other fields say.
    room = by.prior + _best_of_names(one.kind) - odds(max(least - ROUNDING, 1e-9))
    beside = {each.field: level for each in _CHEAP[one.kind] if (level := each.level_of(pair))}
    if room + sum(by.of(*each) for each in beside.items()) < 0:
        return None
    match = judged(pair, by, beside)
    return match if match.probability >= least else None


@cache
def _best_of_names(kind: str) -> float:
    best = weights(kind).points
    return sum(max(0.0, *best[each.field].values()) for each in _DEAR[kind] if each.field in best)


def levels_of(pair: Pair) -> dict[str, str]:
    """Return the level of each field that both say something about."""
    return {each.field: level for each in OF_KIND[pair.one.kind] if (level := each.level_of(pair))}


def _of_names(pair: Pair) -> dict[str, str]:
    return {each.field: level for each in _DEAR[pair.one.kind] if (level := each.level_of(pair))}


def judged(pair: Pair, by: Weights, beside: Mapping[str, str] | None = None) -> Match:
    """Return the match; `beside`: levels that are known already, of all fields that are cheap to compare."""
    levels = levels_of(pair) if beside is None else {**_of_names(pair), **beside}
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
    """Return a probability for points."""
    return 1 / (1 + 2 ** -max(-60.0, min(60.0, points)))


def odds(probability: float) -> float:
    """Return points for a probability; those of what is all but certain are not told apart."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log2(bounded / (1 - bounded))
