"""Whether two can be alike enough at all, told by what is cheap to compare: names are compared only then. Pure."""

from __future__ import annotations

import math
from collections import defaultdict

from gleanery.resolution.matches.comparing import FIELDS
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.weights import Weights

ROUNDING = 0.0001  # of probabilities
DEAR = ("distance", "address", "town", "venue", "run_by")  # in this order, after all others


class Bound:
    """Never refuses a pair that the score would give `least` or more: every name is taken to be the same at first."""

    def __init__(self, by: Weights, least: float) -> None:
        best: defaultdict[str, float] = defaultdict(float)
        for (field, _), points in by.points.items():
            best[field] = max(best[field], points)
        self._points = by.points
        given = FIELDS[by.kind]
        cheap_first = sorted(given, key=lambda field: DEAR.index(field) if field in DEAR else -1)
        self._fields = [(field, given[field], best[field]) for field in cheap_first]
        chance = max(least - ROUNDING, 1e-9)
        self._room = by.prior + sum(best.values()) - math.log2(chance / (1 - chance))

    def allows(self, one: Traits, other: Traits) -> bool:
        room = self._room
        for field, level_of, best in self._fields:
            level = level_of(one, other)
            room -= best - self._points.get((field, level), 0.0) if level else best
            if room < 0:
                return False
        return True
