"""Conflicts that keep two records of equal identity apart, and the distance of positions. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gleanery.matching import normal

FARTHEST = 500  # metres between two positions of the same place
EARTH = 6_371_000
Fields = Mapping[str, Any]


def in_conflict(one: Fields, other: Fields) -> str:
    """Return what shows that two of equal identity are different; "" if nothing does."""
    if _differ(_official(one), _official(other)):
        return "official_id"
    if _differ(_house(one), _house(other)):
        return "house_number"
    if (apart := distance(one, other)) is not None and apart > FARTHEST:
        return "distance"
    return ""


def never_in_conflict(one: Fields, other: Fields) -> bool:
    """Return False, for ties without conflicts."""
    return False


def in_two_towns(one: Fields, other: Fields) -> bool:
    """Return True if both name a town and the names differ."""
    here, there = (normal.name(str(fields.get("locality") or "")) for fields in (one, other))
    return _differ(here, there)


def in_two_places(one: Fields, other: Fields) -> bool:
    """Return True if each venue name has a word that the other lacks, as with two branches of a library."""
    here, there = (set(normal.words(str(fields.get("venue_name") or ""))) for fields in (one, other))
    return bool(here and there) and not (here <= there or there <= here)


def distance(one: Fields, other: Fields) -> float | None:
    """Return the distance in metres; None unless both have a position."""
    here, there = _position(one), _position(other)
    if here is None or there is None:
        return None
    return metres_between(*here, *there)


def metres_between(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    up, right = math.radians(other_lat - lat), math.radians(other_lon - lon)
    chord = math.sin(up / 2) ** 2 + (
        math.cos(math.radians(lat)) * math.cos(math.radians(other_lat)) * math.sin(right / 2) ** 2
    )
    return 2 * EARTH * math.asin(math.sqrt(min(1.0, chord)))


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _official(fields: Fields) -> str:
    return "".join(normal.words(str(fields.get("official_id") or "")))


def _house(fields: Fields) -> str:
    return normal.house_number(address) if isinstance(address := fields.get("address"), str) else ""


def _position(fields: Fields) -> tuple[float, float] | None:
    lat, lon = fields.get("lat"), fields.get("lon")
    return (float(lat), float(lon)) if isinstance(lat, int | float) and isinstance(lon, int | float) else None
