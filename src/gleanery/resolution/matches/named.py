"""How two records agree in whom and what they name: the venue, and who runs it. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from gleanery.resolution.matches import lexicon, likeness
from gleanery.resolution.matches.abbreviations import written_out
from gleanery.resolution.matches.likeness import Likeness
from gleanery.resolution.matches.names import COMMON, KNOWN, STATES, name
from gleanery.resolution.matches.spelling import name as spelled
from gleanery.resolution.matches.spelling import sound_alike
from gleanery.resolution.matches.tongues import are_foreign
from gleanery.resolution.matches.traits import ROOMS, Traits

_BY_RIVER = re.compile(r" (?:an|am|im|ob|sur|sulla|sul|sullo|on|upon|under|nad|pod|aan|op|de|del|della) ")
ALIKE = ("same", "close", "meaning", "part")
SHORT_FORM = 3  # letters that it may have
TWO_SORTS = ("other", "inner")


def town(one: Traits, other: Traits) -> str:
    if not one.locality or not other.locality:
        return ""
    if lexicon.town(one.locality) == lexicon.town(other.locality):
        return "other" if _are_of_two_states(one, other) else "same"
    if one.locality.isascii() != other.locality.isascii():  # in a script of which nobody is sure how it sounds
        return "same" if sound_alike(one.locality, other.locality) else ""
    if _are_one_town(one.locality, other.locality):
        return "same"
    return "" if _tells_of(one, other) or _tells_of(other, one) else "other"


@lru_cache(maxsize=16_384)
def _are_one_town(one: str, other: str) -> bool:
    here, there = (_BY_RIVER.split(each, maxsplit=1)[0] for each in (one, other))
    if here != there and lexicon.town(here) == lexicon.town(there):
        return True  # Kaltern an der Weinstraße, Caldaro
    found = likeness.plainly(one, other)
    return (found.level in ALIKE and not found.contrast) or _hold(one.split(), other.split())


def _tells_of(one: Traits, other: Traits) -> bool:
    """Whether it tells of the other's town: Newtown is in the region of Wellington, the library of Roxbury in Boston.

    Not what is surely where it says (a talk about Bristol, in the library of Toronto), nor what both are called: Boston
    Pizza is everywhere.
    """
    town = other.locality
    if one.locality in one.venue or _are_of_two_states(one, other):
        return False
    named = () if _is_told(town, other.name) else (one.name, one.also)
    return any(_is_told(town, each) for each in (one.region, one.venue, *named))


def _is_told(town: str, text: str) -> bool:
    return town in text and f" {town} " in f" {text} "


def _hold(one: list[str], other: list[str]) -> bool:
    """Whether the one is all in the other: Biel/Bienne, Ostrava-Poruba."""
    return set(one) <= set(other) or set(other) <= set(one)


def _are_of_two_states(one: Traits, other: Traits) -> bool:
    """There is a Springfield in many of them."""
    here, there = STATES.get(one.region, one.region), STATES.get(other.region, other.region)
    return here != there and here in STATES.values() and there in STATES.values()


def venue(one: Traits, other: Traits) -> str:
    if one.at and one.at == other.at:
        return "same"
    towns, elsewhere = _towns(one, other), town(one, other) == "other"
    found = likeness.plainly(one.venue, other.venue, towns)
    level = _as_named(found)
    if level != "other":
        return "" if elsewhere else level  # many towns have a Riverside Park
    if _is_house_of(one.venue, other.run_by) or _is_house_of(other.venue, one.run_by):
        return "alike"
    if are_foreign(one.tongue, other.tongue):
        return ""  # venues are translated too
    return _part_of_venue(one.venue, other.venue, towns, found)


def _towns(one: Traits, other: Traits) -> str:
    """What names may tell or not: not where these are two, as Heanor Library and Ilkeston Library are."""
    return "" if town(one, other) == "other" else f"{one.locality} {other.locality}".strip()


def _part_of_venue(one: str, other: str, towns: str, found: Likeness) -> str:
    """Of two that are called differently: a hall and its house, the one or the other told by no name of its own."""
    if _is_room(one) != _is_room(other):
        return "vague"
    if found.sorts not in TWO_SORTS and (_is_vague(one, towns) or _is_vague(other, towns)):
        return "vague"
    part = (
        found.level in ("some", "alike", "generic")
        and found.numbers != "other"
        and found.sorts not in TWO_SORTS
        and found.rest not in ("word", "both")
    )
    return "some" if part else "other"


def _is_house_of(venue: str, owner: str) -> bool:
    """Whether a venue is called as who runs it: the opera, at the opera."""
    return bool(venue and owner) and _as_named(likeness.plainly(venue, owner)) in ("same", "alike")


@lru_cache(maxsize=65_536)
def _is_room(venue: str) -> bool:
    """Whether it is told by a room of some house."""
    return any(word.text in ROOMS for word in name(venue).words)


@lru_cache(maxsize=65_536)
def _is_vague(venue: str, towns: str) -> bool:
    """Whether it names no house in particular: the village hall, the auditorium, a town."""
    known = name(towns).sounds if towns.strip() else frozenset()
    return not any((word.weight >= KNOWN or word.number) and word.sound not in known for word in name(venue).words)


def are_two_rooms(one: Traits, other: Traits) -> bool:
    """Of one house, as the great and the small hall are."""
    return _as_named(likeness.plainly(one.title, other.title)) == "other"


def run_by(one: Traits, other: Traits) -> str:
    if one.by and one.by == other.by:
        return "same"
    towns = _towns(one, other)  # that both are of one town is said elsewhere
    found = likeness.plainly(one.run_by, other.run_by, towns)
    if _as_named(found) == "other":
        in_full = likeness.plainly(_in_full(one.run_by), _in_full(other.run_by), towns)
        found = in_full if _as_named(in_full) != "other" else found
    level = _as_named(found)
    are_peers = (
        _have_names(one.run_by, found.left)
        and _have_names(other.run_by, found.left_of_other)
        and (level != "other" or found.sorts in ("same", "some", "further") or found.level in ("some", "alike"))
    )
    if level in ("same", "alike") and not are_peers:
        return level
    if is_in(one.run_by, other.name) or is_in(other.run_by, one.name):
        return "alike"
    if are_foreign(one.tongue, other.tongue):
        return ""
    return "peer" if are_peers else level


def _have_names(owner: str, left: frozenset[str]) -> bool:
    """Whether any of the words, by sound, is a name or at least no short form."""
    return any(
        word.sound in left and word.weight >= KNOWN and len(word.text) > SHORT_FORM for word in name(owner).words
    )


@lru_cache(maxsize=65_536)
def _in_full(owner: str) -> str:
    """Who is called by initials alone may be whoever has them, before it is whoever they are known of."""
    return spelled(written_out(owner.upper())) if owner.isascii() and " " not in owner else owner


def is_in(owner: str, named: str) -> bool:
    """Whether a name tells by whom it is: Caritas listening centre San Rocco."""
    if not owner or not named:
        return False
    telling = {word.sound for word in name(owner).words if word.weight > COMMON}
    return bool(telling) and telling <= name(named).sounds


def _as_named(found: Likeness) -> str:
    if not found.level or found.level in ("other", "some", "generic"):
        return "other" if found.level else ""
    if found.numbers == "other" or found.sorts in TWO_SORTS or found.contrast:
        return "other"
    return "same" if found.level in ALIKE else "alike"
