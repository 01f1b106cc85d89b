"""Positions on the globe: read from an address or found by the name of a place, and the box around one."""

from __future__ import annotations

import re
from dataclasses import replace
from math import cos, radians
from typing import TYPE_CHECKING, Final, NamedTuple

from gleanery.sql import rows

if TYPE_CHECKING:
    from gleanery.publishing.search.filters import Filters

KM_PER_DEGREE: Final = 111.195
_PAIR = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,12})?)\s*,\s*(-?[0-9]{1,3}(?:\.[0-9]{1,12})?)")
MOST_ASKED = 500
# The middle of what is known in a town of this name, else of what is called so: one entry far off moves it little.
# Indexes: search_town_soonest, search_by_name.
NAMED = """
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY lat), percentile_cont(0.5) WITHIN GROUP (ORDER BY lon)
    FROM (SELECT lat, lon FROM search_entry WHERE {column} = folded(%(name)s) AND folded(%(name)s) <> ''
          AND lat IS NOT NULL LIMIT %(most)s) AS known
"""
COLUMNS = ("folded_town", "name")


class Position(NamedTuple):
    lat: float
    lon: float


class Box(NamedTuple):
    west: float
    south: float
    east: float
    north: float


def read_pair(given: str) -> Position | None:
    """Read "42.7,23.3"."""
    pair = _PAIR.fullmatch(given.strip())
    found = Position(float(pair[1]), float(pair[2])) if pair else None
    return found if found and abs(found.lat) <= 90 and abs(found.lon) <= 180 else None  # noqa: PLR2004  # degrees


def box_around(at: Position, km: float) -> Box:
    """Return a box that holds the circle. Where it would cross the date line, it goes round the globe."""
    high = km / KM_PER_DEGREE
    south, north = max(at.lat - high, -90), min(at.lat + high, 90)
    wide = high / max(cos(radians(max(abs(south), abs(north)))), 1e-6)
    west, east = at.lon - wide, at.lon + wide
    return Box(-180, south, 180, north) if west < -180 or east > 180 else Box(west, south, east, north)  # noqa: PLR2004


def located(filters: Filters) -> Filters:
    """Return the same filters with the position that `near` means, if that is known."""
    if not filters.near or filters.position:
        return filters
    return replace(filters, position=read_pair(filters.near) or _named(filters.near))


def _named(name: str) -> Position | None:
    for column in COLUMNS:
        ((lat, lon),) = rows(NAMED.format(column=column), name=name, most=MOST_ASKED)
        if lat is not None:
            return Position(lat, lon)
    return None
