"""What two records agree and disagree in: for each field a level, which weights turn into points. Pure."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.resolution.matches import asides
from gleanery.resolution.matches.called import Levels, agree_in, called
from gleanery.resolution.matches.corpus import UNKNOWN, Corpus
from gleanery.resolution.matches.fields import FIELDS, about
from gleanery.resolution.matches.keys import crowding
from gleanery.resolution.matches.traits import CROWDED, TITLED, Traits
from gleanery.resolution.matches.within import is_within

HOLDING = ("close", "meaning", "part", "alike", "generic")  # where one name may hold all of the other
# Parts of a series and the calls of every year are described alike: there it tells nothing.
SERIES = ("number", "contrast", "time", "deadline", "year")
ALIKE = ("most", "much", "some", "little")
# What is at one venue has one address, and what one organisation runs has its phone and its site: of fields that say
# much the same, the first that agrees counts in full, the others as "also".
ONCE = (
    (
        ("venue", ("same", "alike")),
        ("address", ("same", "crowd")),
        ("distance", ("here", "near")),
        ("address", ("street", "number")),
        ("postal_code", ("same",)),
    ),
    (
        ("site", ("page",)),
        ("email", ("same",)),
        ("phone", ("same", "crowd")),
        ("run_by", ("same", "alike")),
        ("site", ("same",)),
        ("phone", ("local",)),
    ),
)
# What all has in common that one desk offers: it counts less for two that are called differently.
DESK = {
    "address": ("same", "crowd", "street"),
    "phone": ("same", "crowd", "local"),
    "email": ("same",),
    "site": ("page", "same"),
    "run_by": ("same", "alike"),
    "venue": ("same", "alike"),
    "hours": ("same",),
}
# At any hour something begins somewhere: that two do tells little, unless something tells that it is there.
AT_ONCE = ("start", "near", "day")
SOMEWHERE = {
    "venue": ("same", "alike", "also"),
    "address": ("same", "crowd", "street", "also"),
    "distance": ("here", "near", "also"),
    "postal_code": ("same", "also"),
    "town": ("same",),
    "run_by": ("same", "alike", "also"),
    "site": ("page", "pages", "same", "also"),
    "phone": ("same", "crowd", "local", "also"),
    "email": ("same", "also"),
}


# What tells that two are at one place, though their towns have other names: a suburb may be told as either.
THERE = {
    "venue": ("same", "alike"),
    "address": ("same", "crowd"),
    "distance": ("here", "near", "walk"),
    "postal_code": ("same",),
}


class Compared(NamedTuple):
    levels: Levels
    similarity: float  # of the names


def compare(one: Traits, other: Traits, among: Corpus = UNKNOWN, beside: Levels | None = None) -> Compared:
    """Of two of one kind. A field that either does not tell has no level.

    `beside`: the levels of all fields but the name, where they are known already.
    """
    if beside is None:
        beside = {field: level_of(one, other) for field, level_of in FIELDS[one.kind].items()}
    found, names, are_two = called(one, other, among, beside)
    found.update((field, level) for field in FIELDS[one.kind] if (level := beside.get(field)))
    if one.kind in CROWDED and (
        (found.get("name") in HOLDING and is_within(one.name, other.name)) or asides.is_one_within(one, other)
    ):
        found["sort"] = "within"
    if found.get("town") == "other":
        _tell_elsewhere(found)
    if one.kind == "funding" and _are_siblings(found):
        found.update((field, "also") for field in ("deadline", "amount") if found.get(field) in ("rare", "same"))
    _tell_crowds(one, other, among, found)
    if found.get("about") in ALIKE:
        _tell_usual(one, other, among, found)
    count_once(found)
    if one.kind == "service" and _are_called_differently(found):
        found.update((field, "desk") for field, levels in DESK.items() if found.get(field) in levels)
    if (
        found.get("time") in AT_ONCE
        and names.level == "other"
        and found.get("name") in ("foreign", "translated")
        and not agree_in(found, SOMEWHERE)
    ):
        found["name"] = "unplaced"
    if (
        names.level == "same"
        and not are_two
        and found.get("number") != "other"
        and among.is_sole(one.name)
        and among.is_sole(other.name)
        and found.get("venue") != "other"
    ):
        found["telling"] = "sole_in_town" if found.get("town") == "same" else "sole"
    return Compared(found, names.similarity)


def _tell_elsewhere(found: Levels) -> None:
    """Of two towns, unless one is a suburb of the other."""
    if found.get("address") == "street":
        del found["address"]  # many towns have a street of that name
    if not agree_in(found, THERE):
        found["town"] = "away"


def _are_siblings(found: Levels) -> bool:
    """Whether one funder has two that are called differently: those close on one day, and give as much."""
    run_by = found.get("run_by")
    return run_by == "peer" or (run_by in ("same", "alike") and _are_called_differently(found))


def _are_called_differently(found: Levels) -> bool:
    return (
        found.get("name") in ("some", "other")
        or found.get("rest") in ("swap", "word", "both", "parts", "own")
        or found.get("number") == "other"
    )


def _tell_crowds(one: Traits, other: Traits, among: Corpus, found: Levels) -> None:
    """A phone or an address that a crowd shares."""
    if among.crowds and "same" in (found.get("phone"), found.get("address")):
        for field, key in {*crowding(one)} & {*crowding(other)}:
            if found.get(field) == "same" and key in among.crowds:
                found[field] = "crowd"


def _tell_usual(one: Traits, other: Traits, among: Corpus, found: Levels) -> None:
    """A description in words that very many have, or that a series has."""
    if _is_usual(one, other, found):
        found["about"] = "also"
    elif among.usual:
        level = about(one, other, among.usual)
        found["about"] = level if level in ALIKE else "also"


def _is_usual(one: Traits, other: Traits, found: Levels) -> bool:
    """Whether such descriptions are alike anyway: those of a series, or the one text that a site has for everything."""
    if found.get("rest") == "own" or found.get("run_by") == "peer":
        return True
    if one.kind in TITLED and any(found.get(field) == "other" for field in SERIES):
        return True
    return one.about == other.about and found.get("name") in ("some", "other")


def count_once(found: Levels) -> None:
    for group in ONCE:
        agreeing = [field for field, levels in group if found.get(field) in levels]
        for field in agreeing[1:]:
            found[field] = "also"
