"""Weights estimated from pairs that people judged: additive logistic regression, pulled towards those in use. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from gleanery.resolution.matches.weights import Weights

FEWEST = 300
PULL = 1.0  # how many judged pairs a weight in use is worth
ROUNDS = 200
ENOUGH = 1e-4
BIT = math.log(2)
# Levels of which each says more than the next, whatever the pairs at hand say; others cannot be ranked.
LADDERS: Sequence[tuple[str, Sequence[str]]] = (
    ("name", ("same", "close", "alike", "some", "other")),
    *(("name", ("same", told)) for told in ("meaning", "title", "part")),
    ("number", ("same", "one", "other")),
    ("sort", ("same", "some", "other", "inner")),
    ("rest", ("none", "one", "both", "swap", "parts", "own")),
    ("rest", ("one", "word", "own")),
    *((field, ("same", "desk")) for field in ("address", "phone", "email", "site", "run_by", "venue", "hours")),
    *((field, (level, "desk")) for field, level in (("address", "street"), ("phone", "local"), ("run_by", "alike"))),
    ("address", ("same", "street", "other_street", "other")),
    ("address", ("same", "number", "other_street")),
    ("unit", ("same", "other")),
    ("town", ("same", "other", "away")),
    ("postal_code", ("same", "near", "other")),
    ("distance", ("here", "near", "walk", "far", "away")),
    ("phone", ("same", "local", "other")),
    ("site", ("page", "same", "other")),
    ("email", ("same", "site", "other")),
    ("official_id", ("same", "other")),
    ("time", ("start", "near", "day", "inside", "hours", "other")),
    ("venue", ("same", "alike", "some", "other")),
    ("run_by", ("same", "alike", "other", "peer")),
    ("deadline", ("rare", "same", "also", "near", "other")),
    ("year", ("same", "other")),
    ("founded", ("same", "other")),
    ("region", ("same", "other")),
    ("amount", ("rare", "same", "also", "other")),
    ("hours", ("same", "some", "other")),
    ("whom", ("same", "other")),
    ("about", ("much", "some", "little", "none")),
)
Levels = Mapping[str, str]
Level = tuple[str, str]
Pattern = tuple[Level, ...]


class Judged(NamedTuple):
    levels: Levels
    same: bool
    weight: float = 1.0


def fit(
    judged: Iterable[Judged],
    start: Weights,
    pull: float = PULL,
    firm: Collection[Level] = (),
    begin: Weights | None = None,
) -> Weights:
    """Coordinate by coordinate, each step Newton's. Pairs with the same levels are one row with counts.

    What is `firm` stays as it is: rules that hold whatever the pairs at hand say. `begin`: weights that are near
    already, from which less time is needed.
    """
    yes: defaultdict[Pattern, float] = defaultdict(float)
    no: defaultdict[Pattern, float] = defaultdict(float)
    for pair in judged:
        (yes if pair.same else no)[tuple(sorted(pair.levels.items()))] += pair.weight
    rows = sorted(yes.keys() | no.keys())
    counts = [(yes[row], yes[row] + no[row]) for row in rows]
    points = dict(start.points)
    having: dict[Level, list[int]] = {}
    for index, row in enumerate(rows):
        for each in row:
            if each in points and each not in firm:
                having.setdefault(each, []).append(index)
    if begin:
        points |= {each: begin.points[each] for each in having}
    sums = [BIT * (start.prior + sum(points.get(each, 0.0) for each in row)) for row in rows]
    for _ in range(ROUNDS):
        largest = 0.0
        for each, indexes in having.items():
            used = points[each]
            step = _step(sums, counts, indexes, (used - start.points[each]) * BIT, pull)
            points[each] = _bounded(each, used + step / BIT, points, start, having)
            step = (points[each] - used) * BIT
            for index in indexes:
                sums[index] += step
            largest = max(largest, abs(step))
        if largest < ENOUGH:
            break
    for each in points.keys() - having.keys() - {*firm}:
        points[each] = _bounded(each, points[each], points, start, having)
    return start._replace(points=points)


def _bounded(
    each: Level, wanted: float, points: Mapping[Level, float], start: Weights, having: Collection[Level]
) -> float:
    """What speaks against it never comes to speak for it, and the better of two levels keeps the more points.

    Only levels that some pairs are having bind others: those that none has follow them.
    """
    known, (field, level) = start.points[each], each
    least = 0.0 if known > 0 else -math.inf
    most = 0.0 if known < 0 else math.inf
    for ladder in (levels for name, levels in LADDERS if name == field and level in levels):
        at = ladder.index(level)
        most = min([most, *(points[field, better] for better in ladder[:at] if (field, better) in having)])
        least = max([least, *(points[field, worse] for worse in ladder[at + 1 :] if (field, worse) in having)])
    return min(max(wanted, least), most)


def _step(sums: list[float], counts: list[tuple[float, float]], indexes: list[int], away: float, pull: float) -> float:
    slope, bend = pull * away, pull + 1e-6
    for index in indexes:
        yes, all_of_them = counts[index]
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, sums[index]))))
        slope += all_of_them * chance - yes
        bend += all_of_them * chance * (1 - chance)
    return max(-1.0, min(1.0, -slope / bend))
