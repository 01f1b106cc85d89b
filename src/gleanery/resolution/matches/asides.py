"""What the description of one says of the other: that it is within it, or was there before. Pure."""

from __future__ import annotations

from gleanery.resolution.matches import likeness
from gleanery.resolution.matches.descriptions import HOUSE, is_in_house, is_part_of
from gleanery.resolution.matches.names import LINK, name, word
from gleanery.resolution.matches.spelling import sound
from gleanery.resolution.matches.traits import Traits

SUFFIXES = [sound(kind) for kind in ("strasse", "straat", "gatan", "vagen", "gade", "utca", "gasse", "weg", "platz")]


def is_one_within(one: Traits, other: Traits) -> bool:
    """Whether one is described as a thing within or beside what is called like the other, or its address names that."""
    here, there = likeness.sounds(one.name), likeness.sounds(other.name)
    if is_part_of(one.about, there, here) or is_part_of(other.about, here, there):
        return True
    if HOUSE not in one.about and HOUSE not in other.about:
        return False
    towns = likeness.sounds(f"{one.locality} {other.locality}")
    here, there = _named(one.name) - towns, _named(other.name) - towns
    return bool(
        (name(other.name).sorts and is_in_house(one.about, there, here))
        or (name(one.name).sorts and is_in_house(other.about, here, there))
    )  # of a thing of some sort: addresses name quarters too


def _named(called: str) -> frozenset[str]:
    return frozenset(word.sound for word in name(called).words if word.weight > LINK)


def has_moved(one: Traits, other: Traits) -> bool:
    """Whether one tells the street of the other: until last year we were in High Street."""
    return _tells_street(one.about, other.street) or _tells_street(other.about, one.street)


def _tells_street(about: str, street: str) -> bool:
    told = about.split()
    return bool(street) and all(_is_told(each, told) for each in street.split())


def _is_told(text: str, told: list[str]) -> bool:
    """Streets are kept without what makes them streets: Oster is Osterstraße, but high is no highlight."""
    return word(text).sound in told or any(text + suffix in told for suffix in SUFFIXES)
