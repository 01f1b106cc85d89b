"""Sources of table rows: learns from the table whether a source lists a thing twice. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Two = tuple[int, int]
DOUBT = 2  # smoothing: number of missing same-source pairs that is still chance
MOST = 5.0  # most points against


class Sources(NamedTuple):
    """`of` is the source of each row, empty if unknown; `points` are the points for two rows of the same source."""

    of: Sequence[str]
    points: float = 0.0

    def points_for(self, one: int, other: int) -> float:
        return self.points if self.is_same_source(one, other) else 0.0

    def is_same_source(self, one: int, other: int) -> bool:
        return bool(self.of[one]) and self.of[one] == self.of[other]

    def learned(self, sure: Iterable[Two], met: Iterable[Two]) -> Sources:
        """Learn the points from how much rarer same-source pairs are among sure matches than among all candidates.

        In a list with duplicates of its own the points are near 0; they are never positive.
        """
        surely, all_of_them = list(sure), list(met)
        usual = sum(self.is_same_source(*each) for each in all_of_them) / (len(all_of_them) or 1)
        same = sum(self.is_same_source(*each) for each in surely)
        points = math.log2((same + DOUBT) / (usual * len(surely) + DOUBT))
        return self._replace(points=round(min(0.0, max(-MOST, points)), 1))
