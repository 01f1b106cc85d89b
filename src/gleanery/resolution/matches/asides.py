"""What the description of one says of the other: that it is within it, or was there before. Pure."""

from __future__ import annotations

from gleanery.resolution.matches import likeness
from gleanery.resolution.matches.descriptions import is_part_of
from gleanery.resolution.matches.names import word
from gleanery.resolution.matches.traits import Traits


def is_one_within(one: Traits, other: Traits) -> bool:
    """Whether one is described as a thing within or beside what is called like the other."""
    here, there = likeness.sounds(one.name), likeness.sounds(other.name)
    return is_part_of(one.about, there, here) or is_part_of(other.about, here, there)


def has_moved(one: Traits, other: Traits) -> bool:
    """Whether one tells the street of the other: until last year we were in High Street."""
    return _tells_street(one.about, other.street) or _tells_street(other.about, one.street)


def _tells_street(about: str, street: str) -> bool:
    return bool(street) and {word(each).sound for each in street.split()}.issubset(about.split())
