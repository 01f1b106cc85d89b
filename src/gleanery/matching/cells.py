"""Grid cells on the map, used to find records that are close to each other. Pure."""

from __future__ import annotations

import math

SIDE = 0.004  # degrees of latitude: 450 metres


def cell_id(lat: float, lon: float, up: int, right: int) -> str:
    """Return the id of the cell `up` and `right` steps away from the one that contains a point."""
    row = math.floor(lat / SIDE) + up
    wide = SIDE / max(0.1, math.cos(math.radians(row * SIDE)))
    return f"{row} {math.floor(lon / wide) + right}"
