"""A match: the points of each field, their sum as a probability, and what that sum may decide. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from gleanery.resolution.matches.called import Levels
from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import UNKNOWN, Corpus
from gleanery.resolution.matches.traits import CROWDED, Traits
from gleanery.resolution.matches.weights import Weights, weights

AUTO, REVIEW, LISTED = 0.95, 0.60, 0.30
CAP = 0.94  # of what a veto keeps from being merged unasked
# Each of these is in conflict: nobody but a person may say that they are one all the same.
VETOES: Mapping[tuple[str, str], str] = {
    ("address", "house"): "house number",
    ("address", "number"): "street",
    ("time", "other"): "date",
    ("deadline", "other"): "date",
    ("year", "other"): "date",
    ("official_id", "other"): "official id",
    ("distance", "far"): "distance",
    ("distance", "away"): "distance",
    ("country", "other"): "country",
    ("number", "other"): "number in the name",
    ("sort", "other"): "sort of thing",
    ("sort", "inner"): "sort of thing",
    ("sort", "dependent"): "sort of thing",
    ("sort", "within"): "sort of thing",
    ("sort", "further"): "sort of thing",
    ("contrast", "other"): "contrast in the names",
}
# A phone, an address, a site or a position alone never merges: the names must agree. Nor does a name, however rare, if
# nothing agrees but the town: one of these must.
REPLACED = frozenset(["swap", "word", "both", "parts", "own"])  # where each name has something of its own
NAMED = frozenset(["same", "close", "meaning", "title", "part", "alike", "initials"])
BESIDE: Mapping[str, frozenset[str]] = {
    "address": frozenset(["same"]),
    "distance": frozenset(["here", "near"]),
    "phone": frozenset(["same"]),
    "site": frozenset(["same", "page"]),
    "email": frozenset(["same"]),
    "official_id": frozenset(["same"]),
    "time": frozenset(["start", "near", "day"]),
    "deadline": frozenset(["same", "rare"]),
}


class Point(NamedTuple):
    field: str
    level: str
    points: float


class Match(NamedTuple):
    probability: float
    points: tuple[Point, ...]
    vetoes: tuple[str, ...]
    prior: float
    version: str
    similarity: float

    def band(self, auto: float = AUTO, review: float = REVIEW) -> str:
        return "auto" if self.probability >= auto else "review" if self.probability >= review else "none"


def score(one: Traits, other: Traits, among: Corpus = UNKNOWN, by: Weights | None = None) -> Match:
    """Symmetric; what either does not tell counts nothing."""
    match = score_from(0.0, one, other, among, by)
    assert match is not None  # noqa: S101 - none is below 0
    return match


def score_from(
    least: float,
    one: Traits,
    other: Traits,
    among: Corpus = UNKNOWN,
    by: Weights | None = None,
    *,
    beside: Levels | None = None,
) -> Match | None:
    """None if it is less likely than that: of most pairs nobody asks why they are not one."""
    by = by or weights(one.kind)
    levels, similarity = compare(one, other, among, beside)
    likely = probability(levels, by)
    if round(likely, 4) < least:
        return None
    points = tuple([Point(field, level, by.of(field, level)) for field, level in levels.items()])
    vetoes = _vetoes(one.kind, levels)
    if vetoes:
        likely = min(likely, CAP)
        if round(likely, 4) < least:
            return None
    return Match(round(likely, 4), points, vetoes, by.prior, by.version, round(similarity, 4))


def probability(levels: Mapping[str, str], by: Weights) -> float:
    """Before any veto."""
    return chance(by.prior + sum(by.of(field, level) for field, level in levels.items()))


def chance(points: float) -> float:
    return 1 / (1 + 2 ** -max(-60.0, min(60.0, points)))


def odds(probability: float) -> float:
    """In points; those of what is all but certain are not told apart."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log2(bounded / (1 - bounded))


def _vetoes(kind: str, levels: Mapping[str, str]) -> tuple[str, ...]:
    """What a name says more may be a subtitle, but of a place or an organisation also a hall of it, or its kitchen."""
    found = [said for (field, level), said in VETOES.items() if levels.get(field) == level]
    if levels.get("name") not in NAMED or levels.get("rest") in REPLACED:
        found.append("names")
    if not found and kind in CROWDED and levels.get("name") == "part" and levels.get("rest") == "one":
        found.append("more in one name")
    if not found and not any(levels.get(field) in enough for field, enough in BESIDE.items()):
        found.append("nothing beside the name")
    return tuple(dict.fromkeys(found))


def percent(probability: float) -> str:
    """Never quite sure: 100 % and 0 % are for people to say."""
    if probability > 0.999:  # noqa: PLR2004
        return "more than 99.9 %"
    if probability < 0.001:  # noqa: PLR2004
        return "less than 0.1 %"
    return f"{100 * probability:.1f} %"
