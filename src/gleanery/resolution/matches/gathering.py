"""Which of many rows are one, all told: those that are one already are judged together. Pure.

Two rows join if they are likely one. From then on whoever is like either is compared with both: what counts is the mean
of all points between two groups. So a row that is told in two ways brings those together that each know one of them,
and a row that is like one of a group but not like the others stays out of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from itertools import product

from gleanery.resolution.matches.scoring import REVIEW, odds

Pair = tuple[int, int]
MOST = 8.0  # points for or against: no single pair outvotes all others
COMPANY = 1.0  # points for two groups of which one has several rows: rows of one thing are alike by way of each other
SPEAKERS = 5  # rows that speak for a group: of twenty alike the first tell as much as all
ENOUGH = odds(REVIEW)


def counted(probability: float) -> float:
    """The points of a pair, as far as they count among others."""
    return min(max(odds(probability), -MOST), MOST)


class Groups:
    """`likely`: the pairs worth asking about, with their probability; `ask` gives that of any two."""

    def __init__(self, likely: Iterable[tuple[Pair, float]], ask: Callable[[int, int], float]) -> None:
        self._points = {pair: counted(probability) for pair, probability in likely}
        self._ask = ask
        self._all = sorted({row for pair in self._points for row in pair})
        self._speakers = {row: [row] for row in self._all}  # of each group; a row alone is a group of its own number
        self._into: dict[int, int] = {}  # a group, and the later one that it became part of
        self._joined: dict[int, float] = {}  # a group of several rows, and what joined it
        self._join()
        self._whole: dict[int, int] = {}  # and the last one: each is part of one with a greater number
        for group, into in sorted(self._into.items(), reverse=True):
            self._whole[group] = self._whole.get(into, into)

    def found(self) -> list[list[int]]:
        """The groups of several rows, each in order, by their first rows."""
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._all:
            rows[self._whole.get(row, row)].append(row)
        return sorted(each for each in rows.values() if len(each) > 1)

    def between(self, one: int, other: int) -> float:
        """What joined two, or what keeps them apart, in points."""
        here, there = sorted((one, other))
        while here != there:
            into = self._into.get(here)
            if into is None:
                return self._link(here, self._whole.get(there, there))
            here, there = sorted((into, there))
        return self._joined[here]

    def _join(self) -> None:
        """The likeliest first; whoever is near either is near both."""
        near: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in self._points:
            near[one].add(other)
            near[other].add(one)
        waiting = [(-points, *pair) for pair, points in self._points.items() if points >= ENOUGH]
        heapify(waiting)
        after = self._all[-1] if self._all else 0
        while waiting:
            points, one, other = heappop(waiting)
            if one in self._into or other in self._into:
                continue
            after += 1
            self._speakers[after] = sorted(self._speakers[one] + self._speakers[other])[:SPEAKERS]
            self._into[one] = self._into[other] = after
            self._joined[after] = -points
            near[after] = (near.pop(one) | near.pop(other)) - {one, other}
            for each in sorted(near[after]):
                near[each] -= {one, other}
                near[each].add(after)
                if (link := self._link(each, after)) >= ENOUGH:
                    heappush(waiting, (-link, each, after))

    def _link(self, one: int, other: int) -> float:
        pairs = product(self._speakers[one], self._speakers[other])
        points = [self._between_rows(*sorted(pair)) for pair in pairs]
        mean = sum(points) / len(points)
        return mean + COMPANY if len(points) > 1 and max(points) >= ENOUGH else mean

    def _between_rows(self, one: int, other: int) -> float:
        points = self._points.get((one, other))
        if points is None:
            points = self._points[one, other] = counted(self._ask(one, other))
        return points
