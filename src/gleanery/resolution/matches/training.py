"""Weights estimated from pairs that people judged: additive logistic regression, pulled towards those in use. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from gleanery.resolution.matches.weights import Weights

FEWEST = 300
PULL = 1.0  # how many judged pairs a weight in use is worth
ROUNDS = 200
ENOUGH = 1e-4
BIT = math.log(2)
Levels = Mapping[str, str]
Pattern = tuple[tuple[str, str], ...]


class Judged(NamedTuple):
    levels: Levels
    same: bool
    weight: float = 1.0


def fit(
    judged: Iterable[Judged], start: Weights, pull: float = PULL, firm: Collection[tuple[str, str]] = ()
) -> Weights:
    """Coordinate by coordinate, each step Newton's. Pairs with the same levels are one row with counts.

    What is `firm` stays as it is: rules that hold whatever the pairs at hand say.
    """
    yes: defaultdict[Pattern, float] = defaultdict(float)
    no: defaultdict[Pattern, float] = defaultdict(float)
    for pair in judged:
        (yes if pair.same else no)[tuple(sorted(pair.levels.items()))] += pair.weight
    rows = sorted(yes.keys() | no.keys())
    counts = [(yes[row], yes[row] + no[row]) for row in rows]
    points = dict(start.points)
    sums = [BIT * (start.prior + sum(points.get(each, 0.0) for each in row)) for row in rows]
    having: dict[tuple[str, str], list[int]] = {}
    for index, row in enumerate(rows):
        for each in row:
            if each in points and each not in firm:
                having.setdefault(each, []).append(index)
    for _ in range(ROUNDS):
        largest = 0.0
        for each, indexes in having.items():
            used, known = points[each], start.points[each]
            step = _step(sums, counts, indexes, (used - known) * BIT, pull)
            if (used + step / BIT) * known < 0:  # what speaks against it never comes to speak for it
                step = -used * BIT
            for index in indexes:
                sums[index] += step
            points[each] += step / BIT
            largest = max(largest, abs(step))
        if largest < ENOUGH:
            break
    return start._replace(points=points)


def _step(sums: list[float], counts: list[tuple[float, float]], indexes: list[int], away: float, pull: float) -> float:
    slope, bend = pull * away, pull + 1e-6
    for index in indexes:
        yes, all_of_them = counts[index]
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, sums[index]))))
        slope += all_of_them * chance - yes
        bend += all_of_them * chance * (1 - chance)
    return max(-1.0, min(1.0, -slope / bend))
