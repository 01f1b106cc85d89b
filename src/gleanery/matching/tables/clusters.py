"""Which of many rows are one, all told: those that are one already are judged together. Pure.

Two rows join if they are likely one. From then on whoever is like either is compared with both: what counts is the mean
of all points between two clusters. So a row that is told in two ways brings those together that each know one of them,
and a row that is like one of a cluster but not like the others stays out of it.
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
MOST, LEAST = 8.0, -12.0  # points of one pair: none outvotes all others, but what is surely two weighs more
COMPANY = 1.0  # points for two clusters of which one has several rows: rows of one thing are alike by way of each other
CONFLICT = -3.0  # of one pair, for which there is no such point: a row that tells little brings two towns together
SPEAKERS = 5  # rows that speak for a cluster: of twenty alike the first tell as much as all
ENOUGH = odds(REVIEW - 0.00005)  # what is shown as 0.60


def counted(probability: float) -> float:
    """The points of a pair, as far as they count among others."""
    return min(max(odds(probability), LEAST), MOST)


class Join(NamedTuple):
    """What a cluster became part of, and when, by how many points."""

    into: int
    when: float
    points: float


NEVER = Join(-1, math.inf, 0.0)


class Clusters:
    """`likely`: the pairs worth asking about, with their probability; `ask` gives that of any two.

    A cluster has the number of one of its rows: the larger of two that join keeps its own, and what is known of it.
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
        """The clusters of several rows, each in order, by their first rows."""
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._rows:
            rows[self._whole(row)].append(row)
        return sorted(each for each in rows.values() if len(each) > 1)

    def between(self, one: int, other: int) -> float:
        """What joined two, or what keeps them apart, in points."""
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
        """The likeliest first; whoever is near either is near both."""
        near: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in self._points:
            near[one].add(other)
            near[other].add(one)
        waiting = [(-points, *two) for two, points in self._points.items() if points >= ENOUGH]
        heapify(waiting)
        while waiting:
            points, one, other = heappop(waiting)
            if one in self._joined or other in self._joined or -points != self._link(one, other):
                continue  # one of them has become part of another, or speaks by others now
            large, small = sorted((one, other), key=lambda each: (-self._size[each], each))
            self._joined[small] = Join(large, len(self._joined), -points)
            self._size[large] += self._size[small]
            for each in self._news(large, small, near):
                if (link := self._link(each, large)) >= ENOUGH:
                    heappush(waiting, (-link, each, large))

    def _news(self, large: int, small: int, near: defaultdict[int, set[int]]) -> list[int]:
        """Those whose link to the larger of two that have joined is another now."""
        theirs = near.pop(small) - {large}
        for each in theirs:
            near[each].discard(small)
            near[each].add(large)
        news = theirs - near[large]
        near[large] |= theirs
        near[large].discard(small)
        if len(self._speakers[large]) < SPEAKERS:
            self._speakers[large] = [*self._speakers[large], *self._speakers[small]][:SPEAKERS]
            news = near[large]
        return sorted(news)

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
