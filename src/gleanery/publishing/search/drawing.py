"""The plane of a map without tiles: coordinates placed on a drawing, lines of the grid, a scale. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, log10, radians
from typing import Final, NamedTuple

from gleanery.publishing.search.positions import KM_PER_DEGREE

WIDE, HIGH, MARGIN = 720, 520, 48
SMALLEST: Final = 4 / KM_PER_DEGREE  # degrees: one house alone is drawn with its surroundings
CROWD = 20  # from so many on, the few that lie far off the others are left out of the drawing
FAR_OFF = 0.02
STEPS: Final = (1, 2, 5)
LONGEST_SCALE = 180


class Line(NamedTuple):
    x1: float
    y1: float
    x2: float
    y2: float


class Scale(NamedTuple):
    length: float  # on the drawing
    km: float


@dataclass(frozen=True, slots=True)
class Projection:
    """Degrees to the drawing; a kilometre is as long to the east as to the north."""

    west: float
    north: float
    unit: float  # of the drawing for a degree of latitude
    squeeze: float  # of a degree of longitude

    def place(self, lat: float, lon: float) -> tuple[float, float]:
        return (lon - self.west) * self.squeeze * self.unit, (self.north - lat) * self.unit

    @property
    def km(self) -> float:
        """The length of a kilometre on the drawing."""
        return self.unit / KM_PER_DEGREE


def is_drawn(x: float, y: float) -> bool:
    return 0 <= x <= WIDE and 0 <= y <= HIGH


def projected(positions: Sequence[tuple[float, float]]) -> Projection:
    """Show all of these latitudes and longitudes, but for a few that would make one dot of the others."""
    (south, north), (west, east) = (_span(sorted(each)) for each in zip(*positions, strict=True))
    squeeze = max(cos(radians((south + north) / 2)), 0.01)
    high, wide = max(north - south, SMALLEST), max((east - west) * squeeze, SMALLEST)
    unit = min((WIDE - 2 * MARGIN) / wide, (HIGH - 2 * MARGIN) / high)
    middle_lat, middle_lon = (south + north) / 2, (west + east) / 2
    return Projection(middle_lon - WIDE / 2 / unit / squeeze, middle_lat + HIGH / 2 / unit, unit, squeeze)


def _span(ordered: Sequence[float]) -> tuple[float, float]:
    """From the least to the most; of many, those that lie farther off than the others reach are not counted."""
    if len(ordered) < CROWD:
        return ordered[0], ordered[-1]
    off = ceil(len(ordered) * FAR_OFF)
    low, high = ordered[off], ordered[-off - 1]
    reach = max(high - low, SMALLEST)
    return max(ordered[0], low - reach), min(ordered[-1], high + reach)


def grid(of: Projection) -> list[Line]:
    """Lines of latitude and longitude, at steps of degrees that leave three or more of them on the drawing."""
    step = _step(WIDE / of.unit / 4)
    south = of.north - HIGH / of.unit
    east = of.west + WIDE / of.unit / of.squeeze
    levels = [of.place(lat, of.west)[1] for lat in _marks(south, of.north, step)]
    columns = [of.place(of.north, lon)[0] for lon in _marks(of.west, east, step)]
    return [Line(0, round(y, 1), WIDE, round(y, 1)) for y in levels] + [
        Line(round(x, 1), 0, round(x, 1), HIGH) for x in columns
    ]


def scale(of: Projection) -> Scale:
    km = _step(LONGEST_SCALE / of.km)
    return Scale(round(km * of.km, 1), int(km) if km >= 1 else round(km, 2))


def _marks(low: float, high: float, step: float) -> list[float]:
    first = ceil(low / step)
    return [number * step for number in range(first, first + 40) if number * step <= high]


def _step(most: float) -> float:
    """The greatest of 1, 2, 5, 10 ... that is not more than this."""
    power = 10.0 ** int(log10(most) // 1)
    return max(each * power for each in STEPS if each * power <= most * 1.000001)
