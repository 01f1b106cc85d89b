"""What two records agree and disagree in: for each field a level, which weights turn into points. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gleanery.resolution.matches import asides, likeness, titles
from gleanery.resolution.matches.corpus import UNKNOWN, Corpus
from gleanery.resolution.matches.fields import FIELDS, about
from gleanery.resolution.matches.keys import CROWDED, crowding
from gleanery.resolution.matches.likeness import Likeness
from gleanery.resolution.matches.named import are_two_rooms, is_in
from gleanery.resolution.matches.tongues import are_foreign, is_likely_translated
from gleanery.resolution.matches.traits import TITLED, Traits
from gleanery.resolution.matches.within import is_within

MUCH, LITTLE = 1.6, 0.8  # words that few names have, counted by weight
WHOLE = ("same", "close", "meaning", "part", "alike")  # names that are mostly one
UNSURE = ("part", "alike", "generic", "some", "other")  # where a title may tell more
HOLDING = ("close", "meaning", "part", "alike", "generic")  # where one name may hold all of the other
# Of which many are at one place, on one day or of one owner: a yoga class and a Spanish class, a driver and a cook who
# volunteer have no word in common but for what sort of thing they are.
CLASSED = ("event", "opportunity")
Levels = dict[str, str]
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
# What names may tell besides, by the field that tells whether it is the same.
ASIDE = {"venue": "venue", "run_by": "run_by", "address": "street"}
PLACED = {"town": "locality", **ASIDE}
APART = ("other", "other_street", "peer")
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
    names = _names(one, other, among, beside)
    if one.kind in CLASSED and names.level == "some" and not names.telling:
        names = names._replace(level="other", rest="")
    are_two = names.level in WHOLE and _tell_two(one, other, names, beside)
    found = _called(one, other, names, are_two=are_two)
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
    if (
        found.get("time") in AT_ONCE
        and names.level == "other"
        and found.get("name") in ("foreign", "translated")
        and not _agree_in(found, SOMEWHERE)
    ):
        found["name"] = "unplaced"
    if (
        names.level == "same"
        and not are_two
        and found.get("number") != "other"
        and among.is_sole(one.name)
        and among.is_sole(other.name)
    ):
        found["telling"] = "sole_in_town" if found.get("town") == "same" else "sole"
    return Compared(found, names.similarity)


def _called(one: Traits, other: Traits, names: Likeness, *, are_two: bool) -> Levels:
    found = dict(_named(names))
    if are_two:
        found["rest"] = "own"
    if one.kind == "event" and names.rest == "swap" and names.telling >= likeness.NAME:
        found["rest"] = "one"  # who plays is told, and then what: one of several titles
    if one.kind == "place":
        if are_two_rooms(one, other):
            found["contrast"] = "other"
    elif one.title or other.title:
        _tell_titles(one, other, found, are_two=are_two)
    if found.get("name") in ("other", "some", "generic") and (foreign := _in_two_languages(one, other, names)):
        found["name"] = foreign
        found.pop("rest", None)
    elif found.get("rest") in ("swap", "both") and are_foreign(one.tongue, other.tongue):
        del found["rest"]  # some of it is translated
    if one.also and other.also:
        if likeness.plainly(one.also, other.also).contrast:
            found["contrast"] = "other"
        if one.kind in TITLED and names.level in WHOLE and titles.have_two_beside(one, other):
            found["rest"] = "parts"
    return found


def _tell_titles(one: Traits, other: Traits, found: Levels, *, are_two: bool) -> None:
    if are_two:
        return
    if found.get("rest") and titles.have_two_parts(one, other):
        found["rest"] = "parts"
    elif one.kind in TITLED and found.get("name") in UNSURE and titles.are_one(one, other):
        found["name"] = "title"
        found.pop("rest", None)


def _tell_elsewhere(found: Levels) -> None:
    """Of two towns, unless one is a suburb of the other."""
    if found.get("address") == "street":
        del found["address"]  # many towns have a street of that name
    if not _agree_in(found, THERE):
        found["town"] = "away"


def _agree_in(found: Levels, fields: Mapping[str, Collection[str]]) -> bool:
    return any(found.get(field) in levels for field, levels in fields.items())


def _are_siblings(found: Levels) -> bool:
    """Whether one funder has two that are called differently: those close on one day, and give as much."""
    if found.get("run_by") not in ("same", "alike", "peer"):
        return False
    return (
        found.get("name") in ("some", "other")
        or found.get("rest") in ("swap", "both", "parts", "own")
        or found.get("number") == "other"
        or found.get("run_by") == "peer"
    )


def _tell_crowds(one: Traits, other: Traits, among: Corpus, found: Levels) -> None:
    """A phone or an address that a crowd shares."""
    if among.crowds and "same" in (found.get("phone"), found.get("address")):
        for field, key in {*crowding(one)} & {*crowding(other)}:
            if found.get(field) == "same" and key in among.crowds:
                found[field] = "crowd"


def _in_two_languages(one: Traits, other: Traits, names: Likeness) -> str:
    """Where things are seldom translated, or a translation would have been seen, something in the names must tell."""
    if not are_foreign(one.tongue, other.tongue):
        return ""
    if names.sorts == "same" or names.level != "other":
        return "translated"
    return "foreign" if not names.known and is_likely_translated(one.tongue, other.tongue) else ""


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


def _names(one: Traits, other: Traits, among: Corpus, beside: Levels) -> Likeness:
    """The best of what both are called.

    A town, a venue or an owner may be named in one name and not in the other; where these are two, it tells something.
    """
    known = "" if beside.get("town") == "other" else f"{one.locality} {other.locality}"
    known = f"{known} {_named_by_both(one, other)}".strip() if one.run_by or other.run_by else known.strip()
    told = (
        each
        for field, name in ASIDE.items()
        if beside.get(field) not in APART
        for each in (getattr(one, name), getattr(other, name))
    )
    aside = " ".join(sorted(told)).strip()
    best = likeness.compare(one.name, other.name, among.weight, known, aside)
    if one.also or other.also:
        pairs = ((one.name, other.also), (one.also, other.name))
        others = [likeness.compare(*pair, among.weight, known, aside) for pair in pairs]
        if one.kind in CROWDED:  # a word in brackets may be the town: it must be all of the other name
            others = [
                each
                for each, also in zip(others, (other.also, one.also), strict=True)
                if " " in also or each.level in ("same", "initials")
            ]
        # Of two that are equally alike it is the same one whichever record comes first.
        best = max([best, *others], key=lambda each: (each.similarity, *each[:-2], sorted(map(sorted, each[-2:]))))
    return best


def _named_by_both(one: Traits, other: Traits) -> str:
    """Who runs it, if each of the names tells that and something more: what they share then is told elsewhere."""
    for owner in sorted({one.run_by, other.run_by} - {""}):
        if is_in(owner, one.name) and is_in(owner, other.name):
            who = likeness.sounds(owner)
            if not (likeness.sounds(one.name) <= who or likeness.sounds(other.name) <= who):
                return owner
    return ""


def _tell_two(one: Traits, other: Traits, names: Likeness, beside: Levels) -> bool:
    """Whether each tells by its name where it is or by whom, and these are two.

    The small grants of London's wards and those of Glasgow's.
    """
    if not names.left or not names.left_of_other:
        return False
    two = [name for field, name in PLACED.items() if beside.get(field) in APART]
    here, there = (likeness.sounds(" ".join(getattr(each, name) for name in two)) for each in (one, other))
    return not (names.left & here <= there or names.left_of_other & there <= here)


def _named(names: Likeness) -> Iterator[tuple[str, str]]:
    if names.level:
        yield "name", names.level
    if names.level in ("same", "close", "meaning", "part"):
        if names.telling >= MUCH:
            yield "telling", "much"
        elif names.telling < LITTLE:
            yield "telling", "little"
    if names.numbers:
        yield "number", names.numbers
    if names.sorts:
        yield "sort", names.sorts
    if names.contrast:
        yield "contrast", "other"
    if names.rest:
        yield "rest", names.rest
