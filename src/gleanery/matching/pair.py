"""Pair of records to compare, with the values that several comparisons need. Pure."""

from __future__ import annotations

import math
from functools import cached_property, lru_cache

from gleanery.matching.calendar_words import calendar_words
from gleanery.matching.facts import Facts
from gleanery.matching.overlap import Overlap, overlap
from gleanery.matching.rarity import Rarity

EARTH = 6_371_000  # metres


class Pair:
    """Input of every comparison."""

    def __init__(self, one: Facts, other: Facts, rarity: Rarity, sources: tuple[str, str] = ("", "")) -> None:
        self.one, self.other, self.rarity, self.sources = one, other, rarity, sources

    @cached_property
    def names(self) -> Overlap:
        """Return the best overlap among the names of both records."""
        one, other = self.one, self.other
        light = self._places
        found = overlap(one.name, other.name, self.rarity, light)
        if not found.is_equal and (one.also or other.also):
            further = [(one.also, other.name), (one.name, other.also), (one.also, other.also)]
            found = max(found, *(overlap(*two, self.rarity, light) for two in further), key=lambda each: each.cosine)
        return found

    @property
    def _places(self) -> frozenset[str]:
        """Return words that name the shared place and, for events, months and weekdays; they count little in names."""
        one, other = self.one, self.other
        if one.kind == "event":
            towns = one.town if one.town == other.town else ""
            return calendar_words() | _words(f"{towns} {one.venue}") | _words(other.venue)
        if not (one.town or one.street or other.town or other.street):
            return frozenset()
        if one.town and other.town and one.town != other.town:
            return frozenset()
        return _words(f"{one.town} {one.street}") | _words(f"{other.town} {other.street}")

    @cached_property
    def metres(self) -> float | None:
        one, other = self.one, self.other
        if one.lat is None or one.lon is None or other.lat is None or other.lon is None:
            return None
        return metres_between(one.lat, one.lon, other.lat, other.lon)

    @cached_property
    def venues(self) -> Overlap:
        return overlap(self.one.venue, self.other.venue, self.rarity)


@lru_cache(maxsize=65_536)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def metres_between(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    up, right = math.radians(other_lat - lat), math.radians(other_lon - lon)
    chord = math.sin(up / 2) ** 2 + (
        math.cos(math.radians(lat)) * math.cos(math.radians(other_lat)) * math.sin(right / 2) ** 2
    )
    return 2 * EARTH * math.asin(math.sqrt(min(1.0, chord)))
