"""Who runs two things, and at which venue they are. Pure."""

from __future__ import annotations

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.comparisons.where import have_one_street
from gleanery.matching.overlap import Overlap, overlap
from gleanery.matching.pair import Pair

ALIKE, PARTLY = 0.75, 0.35
TELLING = 0.7  # rarity of a word that each has for itself: two libraries, each of its town
WITHIN = 0.95  # from which one name is in the other
ONE_SPOT = 150  # metres


def _venue(pair: Pair) -> str:
    """Compare venues by their records, else by their names; names may differ where the spot is the same."""
    one, other = pair.one, pair.other
    if one.at and one.at == other.at:
        return "same"
    if not one.venue or not other.venue:
        return "named" if _is_in(one.venue, other.name) or _is_in(other.venue, one.name) else ""
    names = pair.venues
    if _are_one(names):
        return "same"
    if are_at_one_spot(pair):
        return "spot"
    if one.script != other.script:
        return ""
    return "alike" if names.cosine >= PARTLY and names.own < TELLING else "other"


def _is_in(venue: str, name: str) -> bool:
    return bool(venue) and set(venue.split()) <= set(name.split())


def are_at_one_spot(pair: Pair) -> bool:
    one, other = pair.one, pair.other
    if pair.metres is not None:
        return pair.metres < ONE_SPOT
    return bool(one.house) and one.house == other.house and have_one_street(one.street, other.street)


def _run_by(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if one.by and one.by == other.by:
        return "same"
    if not one.run_by or not other.run_by:
        return ""
    names = overlap(one.run_by, other.run_by, pair.rarity)
    if _are_one(names):
        return "same"
    if one.script != other.script:
        return ""
    return "alike" if names.cosine >= PARTLY and names.own < TELLING else "other"


def _are_one(names: Overlap) -> bool:
    return names.most >= WITHIN or names.cosine >= ALIKE


VENUE = Comparison(
    "venue",
    ("event", "opportunity", "service"),
    _venue,
    (
        Level("same", "They are at the same venue."),
        Level("spot", "Their venues have different names, but one address."),
        Level("named", "The name of one names the venue of the other."),
        Level("alike", "The names of their venues have something in common."),
        Level("other", "They are at different venues."),
    ),
)
RUN_BY = Comparison(
    "run by",
    ("event", "funding", "service", "opportunity"),
    _run_by,
    (
        Level("same", "The same organisation runs both."),
        Level("alike", "Those who run them have names with something in common."),
        Level("other", "Different organisations run them."),
    ),
)
