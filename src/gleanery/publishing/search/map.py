"""Hits on a map: points that lie close together are one circle, which leads to the list of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil, hypot
from statistics import fmean
from typing import Final, NamedTuple
from uuid import UUID

from gleanery.publishing.search.clauses import conditions
from gleanery.publishing.search.drawing import Line, Projection, Scale, grid, is_drawn, projected, scale
from gleanery.publishing.search.filters import FARTHEST, Filters
from gleanery.publishing.showing.addresses import path_of
from gleanery.sql import array, rows

MOST_POINTS: Final = 2_000  # the soonest; more would not be seen apart
CELL: Final = 56
SMALLEST_DOT, LARGEST_DOT = 13, 26
MOST_NAMED: Final = 14
LETTER, LINE = 8, 20  # of a name on the drawing
# Indexes: search_soonest, or those of the filters.
POINTS = """
    SELECT entry.lat, entry.lon, entry.town, entry.record_id FROM search_entry AS entry
    WHERE entry.lat IS NOT NULL AND {where} ORDER BY entry.soon, entry.record_id LIMIT %(most)s
"""
# Index: record_pkey.
NAMES = "SELECT id, name FROM record WHERE id = ANY(%(ids)s::uuid[])"


class Point(NamedTuple):
    lat: float
    lon: float
    town: str
    record: UUID


@dataclass(frozen=True, slots=True)
class Cluster:
    """Points too close together to be drawn apart; `x` and `y` are their middle on the drawing."""

    x: float
    y: float
    radius: float
    count: int
    name: str  # of the record if there is one alone, else of the town that most of them name
    path: str  # of the record; empty where a list is what it leads to
    address: str  # of the list
    is_drawn: bool
    is_named: bool = False  # on the drawing too

    @property
    def label_y(self) -> float:
        return self.y - self.radius - 8


@dataclass(frozen=True, slots=True)
class Map:
    clusters: list[Cluster]
    total: int
    grid: list[Line]
    scale: Scale

    @property
    def is_full(self) -> bool:
        return self.total >= MOST_POINTS


def map_of(filters: Filters, today: date) -> Map | None:
    """Return None where no hit has coordinates."""
    where, values = conditions(filters, today)
    points = [Point._make(row) for row in rows(POINTS.format(where=where), **values, most=MOST_POINTS)]
    if not points:
        return None
    projection = projected([point[:2] for point in points])
    clusters = sorted(_clusters(points, projection, filters), key=lambda each: (-each.count, each.name))
    return Map(_with_names(clusters), len(points), grid(projection), scale(projection))


def _clusters(points: Iterable[Point], projection: Projection, filters: Filters) -> list[Cluster]:
    groups = gathered([(*projection.place(point.lat, point.lon), point) for point in points])
    alone = [held[0].record for held in groups if len(held) == 1]
    names = dict(rows(NAMES, ids=array(alone)))
    return [_cluster(held, projection, filters, names) for held in groups]


def gathered(placed: Iterable[tuple[float, float, Point]]) -> list[list[Point]]:
    """Points by cells of a grid, the cells whose middles lie close together as one: the fullest draw others in."""
    cells: dict[tuple[int, int], list[tuple[float, float, Point]]] = {}
    for each in placed:
        cells.setdefault((int(each[0] // CELL), int(each[1] // CELL)), []).append(each)
    groups: list[tuple[float, float, list[Point]]] = []
    for held in sorted(cells.values(), key=len, reverse=True):
        x, y = fmean(each[0] for each in held), fmean(each[1] for each in held)
        near = next((group for gx, gy, group in groups if hypot(x - gx, y - gy) < CELL), None)
        if near is None:
            groups.append((x, y, near := []))
        near.extend(each[2] for each in held)
    return [group for _, _, group in groups]


def _cluster(held: Sequence[Point], projection: Projection, filters: Filters, names: Mapping[UUID, str]) -> Cluster:
    lat, lon = fmean(each.lat for each in held), fmean(each.lon for each in held)
    x, y = projection.place(lat, lon)
    farthest = max(hypot(x - px, y - py) for px, py in (projection.place(each.lat, each.lon) for each in held))
    km = min(max(ceil(farthest / projection.km * 1.05), 1), FARTHEST)
    name = names.get(held[0].record, "") if len(held) == 1 else _town(held)
    return Cluster(
        x=round(x, 1),
        y=round(y, 1),
        radius=min(SMALLEST_DOT + len(held) ** 0.5, LARGEST_DOT),
        count=len(held),
        name=name,
        path=path_of(held[0].record, name) if len(held) == 1 else "",
        address=filters.address(near=f"{lat:.5f},{lon:.5f}", within=km, sort="near"),
        is_drawn=is_drawn(x, y),
    )


def _town(held: Iterable[Point]) -> str:
    named = Counter(each.town for each in held if each.town)
    return named.most_common(1)[0][0] if named else ""


def _with_names(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Name the largest ones, as long as no name covers another name or a circle."""
    taken = [(each.x, each.y, each.radius, each.radius + LINE / 2) for each in clusters if each.is_drawn]
    most = len(taken) + MOST_NAMED
    found = []
    for each in clusters:
        half, y = len(each.name) * LETTER / 2, each.label_y - LINE / 4
        covers = any(abs(each.x - x) < half + wide and abs(y - at) < high for x, at, wide, high in taken)
        fits = each.is_drawn and each.name != "" and each.count > 1 and not covers and len(taken) < most
        if fits:
            taken.append((each.x, y, half, LINE))
        found.append(replace(each, is_named=fits))
    return found
