"""Compares venues and organisers. Pure."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.comparisons.location import is_same_street
from gleanery.matching.overlap import Overlap, overlap
from gleanery.matching.pair import Pair

ALIKE, PARTLY = 0.75, 0.35
DISTINCTIVE = 0.7  # rarity of a word that only one name has: two libraries, each of its own town
WITHIN = 0.95  # share from which one name contains the other
ONE_SPOT = 150  # metres


def _venue(pair: Pair) -> str:
    """Compare venues by record if known, otherwise by name; names may differ if the position is the same."""
    one, other = pair.one, pair.other
    if one.at and one.at == other.at:
        return "same"
    if not one.venue or not other.venue:
        return "named" if _is_in(one.venue, other.name) or _is_in(other.venue, one.name) else ""
    names = pair.venues
    if _is_same_name(names):
        return "same"
    if is_same_position(pair):
        return "spot"
    if one.script != other.script:
        return ""
    return "alike" if names.cosine >= PARTLY and names.own < DISTINCTIVE else "other"


def _is_in(venue: str, name: str) -> bool:
    return bool(venue) and set(venue.split()) <= set(name.split())


def is_same_position(pair: Pair) -> bool:
    one, other = pair.one, pair.other
    if pair.metres is not None:
        return pair.metres < ONE_SPOT
    return bool(one.house) and one.house == other.house and is_same_street(one.street, other.street)


def _run_by(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if one.by and one.by == other.by:
        return "same"
    if not one.run_by or not other.run_by:
        return ""
    names = overlap(one.run_by, other.run_by, pair.rarity)
    if _is_same_name(names):
        return "same"
    if one.script != other.script:
        return ""
    return "alike" if names.cosine >= PARTLY and names.own < DISTINCTIVE else "other"


def _is_same_name(names: Overlap) -> bool:
    return names.most >= WITHIN or names.cosine >= ALIKE


VENUE = Comparison(
    "venue",
    ("event", "opportunity", "service"),
    _venue,
    (
        Level("same", "They are at the same venue."),
        Level("spot", "Their venues have different names but the same address."),
        Level("named", "The name of one record contains the venue of the other."),
        Level("alike", "The names of their venues are similar."),
        Level("other", "They are at different venues."),
    ),
)
RUN_BY = Comparison(
    "run by",
    ("event", "funding", "service", "opportunity"),
    _run_by,
    (
        Level("same", "The same organisation runs both."),
        Level("alike", "The names of their organisers are similar."),
        Level("other", "Different organisations run them."),
    ),
)
