"""Logistic regression that learns the points of levels within bounds. Pure, without a library.

Pairs with the same levels are counted together, so that a hundred thousand of them are fitted in seconds.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Level = tuple[str, str]  # a field and its level
PRIOR: Level = ("prior", "")
PULL = 1.0  # regularisation towards 0, in pairs
ROUNDS, ENOUGH, NEARLY = 40, 1e-4, 0.02
FREE, FIXED = 1e-6, 1e9  # regularisation of a free and of a fixed prior


class Counted(NamedTuple):
    levels: tuple[Level, ...]
    same: float
    different: float


class Bounds(NamedTuple):
    least: float = -math.inf
    most: float = math.inf


def counted(pairs: Iterable[tuple[Mapping[str, str], bool]]) -> list[Counted]:
    """Count pairs with the same levels together."""
    found: defaultdict[tuple[Level, ...], list[int]] = defaultdict(lambda: [0, 0])
    for levels, same in pairs:
        found[tuple(levels.items())][0 if same else 1] += 1
    return [Counted(levels, *many) for levels, many in found.items()]


def fit(
    rows: Sequence[Counted], bounds: Mapping[Level, Bounds], ladders: Sequence[Sequence[Level]]
) -> dict[Level, float]:
    """Return points per level, within its bounds and at most those of the level before it on its ladder."""
    fixed: dict[Level, float] = {}
    tied: dict[Level, Level] = {}
    while True:
        points = _fitted(rows, fixed, tied)
        if not (_bind(points, bounds, fixed, tied) or _tie(points, ladders, fixed, tied)):
            return _in_order(points, ladders)


def _bind(
    points: dict[Level, float], bounds: Mapping[Level, Bounds], fixed: dict[Level, float], tied: Mapping[Level, Level]
) -> bool:
    """Fix levels outside their bounds at the nearest bound."""
    out = {
        level: min(max(points[level], bound.least), bound.most)
        for level, bound in bounds.items()
        if level in points and level not in fixed and not bound.least <= points[level] <= bound.most
    }
    fixed.update(out)
    return bool(out)


def _tie(
    points: dict[Level, float],
    ladders: Sequence[Sequence[Level]],
    fixed: dict[Level, float],
    tied: dict[Level, Level],
) -> bool:
    """Tie levels to the one before if they would get more points."""
    done = False
    for ladder in ladders:
        for upper, lower in itertools.pairwise(level for level in ladder if level in points):
            if points[lower] <= points[upper] + NEARLY or _first(lower, tied) == _first(upper, tied):
                continue
            if upper in fixed or lower in fixed:
                fixed[lower] = points[upper]
            else:
                tied[_first(lower, tied)] = _first(upper, tied)
            done = True
    return done


def _in_order(points: dict[Level, float], ladders: Sequence[Sequence[Level]]) -> dict[Level, float]:
    """Correct tiny remaining inversions."""
    for ladder in ladders:
        for upper, lower in itertools.pairwise(level for level in ladder if level in points):
            points[lower] = min(points[lower], points[upper])
    return points


def _first(level: Level, tied: Mapping[Level, Level]) -> Level:
    while level in tied:
        level = tied[level]
    return level


def _fitted(rows: Sequence[Counted], fixed: Mapping[Level, float], tied: Mapping[Level, Level]) -> dict[Level, float]:
    every = sorted({level for row in rows for level in row.levels})
    free = [PRIOR, *sorted({_first(level, tied) for level in every if level not in fixed})]
    place = {level: number for number, level in enumerate(free)}
    where = {level: place[_first(level, tied)] for level in every if level not in fixed}
    sparse = [
        (
            [0, *(where[level] for level in row.levels if level in where)],
            sum(fixed.get(level, 0.0) for level in (PRIOR, *row.levels)) * math.log(2),
            row.same,
            row.same + row.different,
        )
        for row in rows
    ]
    values = [0.0] * len(free)
    for _ in range(ROUNDS):
        step = _solved(*_slopes(sparse, values, is_free=PRIOR not in fixed))
        values = [value - change for value, change in zip(values, step, strict=True)]
        if max(map(abs, step)) < ENOUGH:
            break
    points = {level: values[at] / math.log(2) for level, at in where.items()}
    return {
        PRIOR: fixed.get(PRIOR, values[0] / math.log(2)),
        **points,
        **{each: fixed[each] for each in every if each in fixed},
    }


def _slopes(
    sparse: Sequence[tuple[list[int], float, float, float]], values: Sequence[float], *, is_free: bool
) -> tuple[list[list[float]], list[float]]:
    """Return second and first derivatives of the loss."""
    size = len(values)
    second = [[0.0] * size for _ in range(size)]
    first = [0.0, *(PULL * value for value in values[1:])]
    for at in range(1, size):
        second[at][at] = PULL
    second[0][0] = FREE if is_free else FIXED
    for where, beside, same, many in sparse:
        total = beside + math.fsum(values[at] for at in where)
        likely = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
        off, weight = many * likely - same, many * likely * (1 - likely)
        for at in where:
            first[at] += off
            row = second[at]
            for other in where:
                row[other] += weight
    return second, first


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric positive system by Cholesky's method."""
    size = len(right)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(max(rest, 1e-12)) if i == j else rest / lower[j][j]
    middle = [0.0] * size
    for i in range(size):
        middle[i] = (right[i] - math.fsum(lower[i][k] * middle[k] for k in range(i))) / lower[i][i]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (middle[i] - math.fsum(lower[k][i] * found[k] for k in range(i + 1, size))) / lower[i][i]
    return found
