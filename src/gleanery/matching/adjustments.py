"""Adjustments of the sum by several fields together: an ordered tuple, each with a reason and an example. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gleanery.matching.comparison import EVERY
from gleanery.matching.overlap import RARE
from gleanery.matching.pair import Pair

Levels = Mapping[str, str]
Points = Mapping[str, float]
UNLIKELY = -1.0  # points too low to ask a person
SURE = 4.0  # points just below an automatic merge
SHARED_DESK = ("address", "distance", "phone", "web", "e-mail", "postal code", "venue", "run by")
LIKE = frozenset(["same", "close", "longer", "contained", "most"])
NAMED = frozenset(["same", "close"])
TIES = (
    ("address", "same"),
    ("distance", "here"),
    ("distance", "near"),
    ("distance", "close by"),
    ("phone", "same"),
    ("web", "page"),
    ("web", "site"),
    ("e-mail", "same"),
    ("official id", "same"),
)
TIES_OF_TRANSLATIONS = (
    ("venue", "same"),
    ("venue", "spot"),
    ("deadline", "same"),
    ("phone", "crowd"),
)
OF_ONE_SPOT = (
    ("phone", "same"),
    ("phone", "crowd"),
    ("e-mail", "same"),
    ("official id", "same"),
    ("web", "page"),
    ("postal code", "same"),
    ("distance", "here"),
    ("distance", "near"),
    ("distance", "close by"),
    ("distance", "one block"),
)
IDENTIFIERS = (("web", "page"), ("official id", "same"))
NAMES = frozenset(
    ["name", "shared words", "spelling", "own words", "number in the name", "sort", "part", "common name"]
)
MOST_OF_DESK = 5.0
ENOUGH = 0.8  # summed rarity of common words from which they count as rare


class Adjustment(NamedTuple):
    """One rule; `points` takes the sum of the fields and returns the adjusted sum."""

    name: str
    sentence: str
    kinds: tuple[str, ...]
    points: Callable[[Pair, Levels, Points, float], float]
    example: tuple[Mapping[str, str], Mapping[str, str]]


def has(levels: Levels, wanted: tuple[tuple[str, str], ...]) -> bool:
    return any(levels.get(field) == level for field, level in wanted)


def _one_desk(pair: Pair, levels: Levels, points: Points, total: float) -> float:
    """Count address, phone and site once if the names differ: everything in one building shares them."""
    if levels.get("name") in LIKE:
        return total
    agreeing = sum(points[field] for field in SHARED_DESK if points.get(field, 0.0) > 0)
    return total - max(0.0, agreeing - MOST_OF_DESK)


def _no_rare_word(pair: Pair, levels: Levels, points: Points, total: float) -> float:
    names = pair.names
    is_alike = names.is_equal or levels.get("name") in LIKE
    if is_alike or names.rarest >= RARE or names.shared >= ENOUGH or has(levels, IDENTIFIERS):
        return total
    one, other = pair.one, pair.other
    if one.script != other.script and has(levels, (*TIES, *TIES_OF_TRANSLATIONS)):
        return total
    return min(total, UNLIKELY)


def _outlets(pair: Pair, levels: Levels, points: Points, total: float) -> float:
    if levels.get("address") in ("house", "other") and not has(levels, OF_ONE_SPOT):
        return min(total, UNLIKELY)
    return total


def _nothing_beside(pair: Pair, levels: Levels, points: Points, total: float) -> float:
    """Require another agreeing field if names are only similar: every town has a library."""
    if levels.get("name") in NAMED or any(points[field] > 0 for field in levels.keys() - NAMES):
        return total
    return min(total, UNLIKELY)


def _name_alone(pair: Pair, levels: Levels, points: Points, total: float) -> float:
    return total if levels.get("name") in NAMED and has(levels, TIES) else min(total, SURE)


ADJUSTMENTS: tuple[Adjustment, ...] = (
    Adjustment(
        "one desk",
        "Address, phone and web site count once, because different things in one building share them.",
        EVERY,
        _one_desk,
        ({"name": "Hotel Bristol", "phone": "052 612 345"}, {"name": "Luna Café", "phone": "052 612 345"}),
    ),
    Adjustment(
        "no rare word in common",
        "Their names have no rare word in common, and nothing else identifies them as the same.",
        EVERY,
        _no_rare_word,
        ({"name": "Yoga class", "locality": "Leeds"}, {"name": "Spanish class", "locality": "Leeds"}),
    ),
    Adjustment(
        "another address",
        "Their addresses differ, and no phone, e-mail, page, postal code or position agrees: separate outlets.",
        ("place",),
        _outlets,
        (
            {"name": "Costa Coffee", "address": "12 High Street", "url": "https://costa.example"},
            {"name": "Costa Coffee", "address": "97 High Street", "url": "https://costa.example"},
        ),
    ),
    Adjustment(
        "nothing beside the names",
        "The names are only similar, and nothing else agrees.",
        ("place", "organization"),
        _nothing_beside,
        ({"name": "Rincon Valley Regional Library"}, {"name": "Sonoma Valley Regional Library"}),
    ),
    Adjustment(
        "not sure enough to join",
        "An automatic merge needs the same name and the same position, phone, web site or official number.",
        EVERY,
        _name_alone,
        ({"name": "Rotary Club Varna"}, {"name": "Rotary Club Varna"}),
    ),
)
