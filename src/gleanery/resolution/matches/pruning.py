"""Whether two can be alike enough at all, told by what is cheap to compare: names are compared only then. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping

from gleanery.resolution.matches import likeness
from gleanery.resolution.matches.called import Levels
from gleanery.resolution.matches.comparing import ONCE, count_once
from gleanery.resolution.matches.fields import FIELDS
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.weights import Weights

# A field, its level, what is lost of the most that it gives by each level, and that most.
Compared = tuple[str, Callable[[Traits, Traits], str], Mapping[str, float], float]
ROUNDING = 0.0001  # of probabilities
# What a field is compared by: both must tell one of these at least. A field that is not here is always compared.
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
    "whom": ("whom",),
    "amount": ("most", "least"),
}
IN_TOWN = ("telling", "sole_in_town")  # which only two of one town have
DEAR = ("distance", "address", "town", "venue", "run_by")  # in this order, after all others


class Bound:
    """Never refuses a pair that the score would give `least` or more: names are taken to be the same at first."""

    def __init__(self, by: Weights, least: float) -> None:
        best: defaultdict[str, float] = defaultdict(float)
        for (field, _), points in by.points.items():
            best[field] = max(best[field], points)
        given = FIELDS[by.kind]
        most, more = _counted_once(by, best)
        cheap_first = sorted(given, key=lambda field: DEAR.index(field) if field in DEAR else -1)
        self._fields = [(each, given[each], _losses(by, each, most[each]), most[each]) for each in cheap_first]
        self._needs = [
            (1 << bit, [Traits._fields.index(name) for name in NEEDS[field]])
            for bit, field in enumerate(cheap_first)
            if field in NEEDS
        ]
        self._always = sum(1 << bit for bit, field in enumerate(cheap_first) if field not in NEEDS)
        chance = max(least - ROUNDING, 1e-9)
        self._missing = math.log2(chance / (1 - chance)) - by.prior
        self._points = {  # whether it is a crowd that has the same is not known here
            (field, level): max(points, by.of(field, "crowd")) if level == "same" else points
            for (field, level), points in by.points.items()
        }
        self._room = sum(most.values()) + more - self._missing
        named = sum(points for field, points in best.items() if field not in given)
        elsewhere = max([0.0, *(by.points[each] for each in by.points if each[0] == "telling" and each != IN_TOWN)])
        self._named = {True: named, False: named - best["telling"] + elsewhere}
        unnamed = ("other", "foreign", "unplaced") if "time" in given else ("other", "foreign")
        self._unnamed = max(by.of("name", level) for level in unnamed) + sum(
            max([0.0, *(by.points[each] for each in by.points if each[0] == field and each[1] != "same")])
            for field in ("number", "sort", "contrast")
        )
        self._having: dict[int, tuple[float, list[Compared]]] = {}

    def told(self, one: Traits) -> int:
        """Which fields it tells, as a number with a bit for each."""
        found = self._always
        for bit, places in self._needs:
            for place in places:
                value = one[place]
                if value is not None and value != "":
                    found |= bit
                    break
        return found

    def levels(self, one: Traits, other: Traits, told: int) -> Levels | None:
        """Of all fields but the name, if the two can be alike enough. `told`: what at least one tells, or both."""
        known = self._having.get(told)
        room, fields = known or self._among(told)
        if room < 0:
            return None
        found: Levels = {}
        for field, level_of, losses, best in fields:
            if level := level_of(one, other):
                found[field] = level
            room -= losses.get(level, best)
            if room < 0:
                return None
        return found if self._can_be_named(one, other, found) else None

    def _can_be_named(self, one: Traits, other: Traits, found: Levels) -> bool:
        """Whether their names may give what is still missing; without a word in common they give nothing."""
        counted = dict(found)
        count_once(counted)
        missing = self._missing - sum(self._points.get(each, 0.0) for each in counted.items())
        if missing <= self._unnamed:
            return True
        if missing > self._named[found.get("town") == "same"]:
            return False
        if not one.name or not other.name or one.title or other.title or one.also or other.also:
            return True
        return likeness.meet(one.name, other.name)

    def _among(self, told: int) -> tuple[float, list[Compared]]:
        fields = [each for bit, each in enumerate(self._fields) if told >> bit & 1]
        missing = sum(best for bit, (*_, best) in enumerate(self._fields) if not told >> bit & 1)
        self._having[told] = self._room - missing, fields
        return self._having[told]


def _counted_once(by: Weights, best: Mapping[str, float]) -> tuple[defaultdict[str, float], float]:
    """The most that each field gives beside the one of its group that counts in full, and what those give more."""
    most, more = defaultdict(float, best), 0.0
    for group in ONCE:
        agreeing = {(field, level) for field, levels in group for level in levels}
        for field in {field for field, _ in group} & best.keys():
            beside = (points for each, points in by.points.items() if each[0] == field and each not in agreeing)
            most[field] = max([0.0, *beside])
        more += max((best[field] - most[field] for field, _ in group if field in best), default=0.0)
    return most, more


def _losses(by: Weights, field: str, most: float) -> Mapping[str, float]:
    points = {level: points for (name, level), points in by.points.items() if name == field and level}
    return {level: max(0.0, most - each) for level, each in points.items()}
