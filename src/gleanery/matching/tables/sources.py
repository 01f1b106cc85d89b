"""What a table teaches of its sources: whether one of them tells of a thing twice. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Two = tuple[int, int]
DOUBT = 2  # pairs of one source that it takes to be missed before it is believed that there are none
MOST = 5.0  # points against


class Sources(NamedTuple):
    """`of`: the source of each row, empty where none is told. `points`: for two rows of one source."""

    of: Sequence[str]
    points: float = 0.0

    def points_for(self, one: int, other: int) -> float:
        return self.points if self.are_one(one, other) else 0.0

    def are_one(self, one: int, other: int) -> bool:
        return bool(self.of[one]) and self.of[one] == self.of[other]

    def learned(self, sure: Iterable[Two], met: Iterable[Two]) -> Sources:
        """By how much rarer sure pairs are of one source than all pairs that share a key.

        A list that nobody has cleaned has its own duplicates, and there it tells nothing; never does it speak for two
        being one.
        """
        surely, all_of_them = list(sure), list(met)
        usual = sum(self.are_one(*each) for each in all_of_them) / (len(all_of_them) or 1)
        seen = sum(self.are_one(*each) for each in surely)
        points = math.log2((seen + DOUBT) / (usual * len(surely) + DOUBT))
        return self._replace(points=round(min(0.0, max(-MOST, points)), 1))
