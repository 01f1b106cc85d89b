"""Whether two can be alike enough at all, told by what is cheap to compare: names are compared only then. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping

from gleanery.resolution.matches.fields import FIELDS
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.weights import Weights

Compared = tuple[str, Callable[[Traits, Traits], str], float]  # a field, its level, the most points it gives
ROUNDING = 0.0001  # of probabilities
# What a field is compared by: of these either must be there in both. A field that is not here is always compared.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "address": ("street",),
    "unit": ("unit",),
    "town": ("locality",),
    "postal_code": ("postal_code",),
    "country": ("country",),
    "distance": ("lat",),
    "phone": ("phone",),
    "site": ("site", "page", "email"),
    "email": ("email",),
    "official_id": ("official_id",),
    "venue": ("venue", "at"),
    "time": ("day",),
    "deadline": ("deadline",),
    "year": ("year",),
    "amount": ("most", "least"),
}
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
        self._having: dict[int, tuple[float, list[Compared]]] = {}

    def told(self, one: Traits) -> int:
        """Which fields it tells, as a number with a bit for each."""
        return sum(
            1 << bit
            for bit, (field, _, _) in enumerate(self._fields)
            if field not in NEEDS or any(getattr(one, name) not in ("", None) for name in NEEDS[field])
        )

    def allows(self, one: Traits, other: Traits, both: int) -> bool:
        """`both`: the fields that both tell."""
        known = self._having.get(both)
        room, fields = known or self._among(both)
        points = self._points
        for field, level_of, best in fields:
            level = level_of(one, other)
            room -= best - points.get((field, level), 0.0) if level else best
            if room < 0:
                return False
        return room >= 0

    def _among(self, both: int) -> tuple[float, list[Compared]]:
        fields = [each for bit, each in enumerate(self._fields) if both >> bit & 1]
        missing = sum(best for bit, (_, _, best) in enumerate(self._fields) if not both >> bit & 1)
        self._having[both] = self._room - missing, fields
        return self._having[both]
