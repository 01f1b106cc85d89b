"""Squares of the Earth by which what is near each other meets. Pure."""

from __future__ import annotations

import math

SIDE = 0.004  # degrees of latitude: 450 metres


def grid(lat: float, lon: float, up: int, right: int) -> str:
    """Return the square that is so many steps from the one a point is in; near the poles squares get wider."""
    row = math.floor(lat / SIDE) + up
    wide = SIDE / max(0.1, math.cos(math.radians(row * SIDE)))
    return f"{row} {math.floor(lon / wide) + right}"
