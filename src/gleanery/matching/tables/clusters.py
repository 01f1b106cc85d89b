"""Clusters of rows that describe the same thing. Pure.

Two rows join if they are probably the same. From then on a similar row is compared with both, and the mean of the
points between two clusters counts. So a row with two variants connects rows that match only one of them, and a row
that is similar to one member of a cluster but not to the others stays out.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from itertools import product
from typing import NamedTuple

from gleanery.matching.scoring import REVIEW, odds

Two = tuple[int, int]
MOST, LEAST = 8.0, -12.0  # bounds for the points of one pair: none outvotes all others; conflicts weigh more
COMPANY = 1.0  # bonus if one of two clusters has several rows, because rows of one thing resemble each other indirectly
CONFLICT = -3.0  # no bonus if any pair has fewer points: a vague row would connect two towns
SPEAKERS = 5  # rows that represent a cluster: of twenty similar rows the first five are enough
ENOUGH = odds(REVIEW - 0.00005)  # shown as 0.60


def counted(probability: float) -> float:
    """Return the points of a pair within the bounds that count in a mean."""
    return min(max(odds(probability), LEAST), MOST)


class Join(NamedTuple):
    """Merge of a cluster into another: its order and its points."""

    into: int
    when: float
    points: float


NEVER = Join(-1, math.inf, 0.0)


class Clusters:
    """Agglomerative clustering of `likely` pairs with their probabilities; `ask` returns the probability of any pair.

    A cluster is identified by one of its rows. When two join, the larger keeps its identity and its links.
    """

    def __init__(self, likely: Iterable[tuple[Two, float]], ask: Callable[[int, int], float]) -> None:
        self._points = {two: counted(probability) for two, probability in likely}
        self._ask = ask
        self._rows = sorted({row for two in self._points for row in two})
        self._size = dict.fromkeys(self._rows, 1)
        self._speakers = {row: [row] for row in self._rows}
        self._joined: dict[int, Join] = {}
        self._join()

    def found(self) -> list[list[int]]:
        """Return the clusters of several rows, in order of their first rows."""
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._rows:
            rows[self._whole(row)].append(row)
        return sorted(each for each in rows.values() if len(each) > 1)

    def between(self, one: int, other: int) -> float:
        """Return the points that joined two rows, or those between their clusters."""
        last = NEVER
        while one != other:
            here, there = self._joined.get(one, NEVER), self._joined.get(other, NEVER)
            last = min(here, there, key=lambda each: each.when)
            if last is NEVER:
                return self._link(one, other)
            one, other = (last.into, other) if last is here else (one, last.into)
        return last.points

    def _whole(self, row: int) -> int:
        while (join := self._joined.get(row)) is not None:
            row = join.into
        return row

    def _join(self) -> None:
        """Join clusters, likeliest first; neighbours of either become neighbours of both."""
        near: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in self._points:
            near[one].add(other)
            near[other].add(one)
        waiting = [(-points, *two) for two, points in self._points.items() if points >= ENOUGH]
        heapify(waiting)
        while waiting:
            points, one, other = heappop(waiting)
            if one in self._joined or other in self._joined or -points != self._link(one, other):
                continue  # outdated: one of them was merged or its link has changed
            large, small = sorted((one, other), key=lambda each: (-self._size[each], each))
            self._joined[small] = Join(large, len(self._joined), -points)
            self._size[large] += self._size[small]
            for each in self._changed_links(large, small, near):
                if (link := self._link(each, large)) >= ENOUGH:
                    heappush(waiting, (-link, each, large))

    def _changed_links(self, large: int, small: int, near: defaultdict[int, set[int]]) -> list[int]:
        """Return the neighbours whose link to the joined cluster has changed."""
        theirs = near.pop(small) - {large}
        for each in theirs:
            near[each].discard(small)
            near[each].add(large)
        changed = theirs - near[large]
        near[large] |= theirs
        near[large].discard(small)
        if len(self._speakers[large]) < SPEAKERS:
            self._speakers[large] = [*self._speakers[large], *self._speakers[small]][:SPEAKERS]
            changed = near[large]
        return sorted(changed)

    def _link(self, one: int, other: int) -> float:
        points = [self._between_rows(*sorted(two)) for two in product(self._speakers[one], self._speakers[other])]
        mean = math.fsum(points) / len(points)
        is_in_company = len(points) > 1 and max(points) >= ENOUGH and min(points) >= CONFLICT
        return mean + COMPANY if is_in_company else mean

    def _between_rows(self, one: int, other: int) -> float:
        points = self._points.get((one, other))
        if points is None:
            points = self._points[one, other] = counted(self._ask(one, other))
        return points
