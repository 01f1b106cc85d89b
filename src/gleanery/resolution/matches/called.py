"""What two records are called: the levels of their names, of which the other fields tell something too. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gleanery.resolution.matches import likeness, titles
from gleanery.resolution.matches.corpus import Corpus
from gleanery.resolution.matches.likeness import Likeness
from gleanery.resolution.matches.named import are_two_rooms, is_in
from gleanery.resolution.matches.tongues import are_foreign, is_likely_translated
from gleanery.resolution.matches.traits import CROWDED, TITLED, Traits

Levels = dict[str, str]
MUCH, LITTLE = 1.6, 0.8  # words that few names have, counted by weight
WHOLE = ("same", "close", "meaning", "part", "alike")  # names that are mostly one
UNSURE = ("part", "alike", "generic", "some", "other")  # where a title may tell more
# Of which many are at one place, on one day or of one owner: a yoga class and a Spanish class, a driver and a cook who
# volunteer have no word in common but for what sort of thing they are.
CLASSED = ("event", "opportunity")
# What names may tell besides, by the field that tells whether it is the same.
ASIDE = {"venue": "venue", "run_by": "run_by", "address": "street"}
PLACED = {"town": "locality", **ASIDE}
APART = ("other", "other_street", "peer")
# By which a desk is reached, whatever language it is told in: Helsinki's library is told in Finnish and in Swedish.
REACHED = {
    "phone": ("same", "local"),
    "email": ("same",),
    "site": ("page", "pages", "same"),
    "address": ("same", "number"),
}


class Called(NamedTuple):
    levels: Levels
    names: Likeness
    are_two: bool  # each tells by its name where it is or by whom, and these are two


def called(one: Traits, other: Traits, among: Corpus, beside: Levels) -> Called:
    """`beside`: the levels of all fields but the name."""
    names = _names(one, other, among, beside)
    if one.kind in CLASSED and names.level == "some" and not names.telling and names.left and names.left_of_other:
        names = names._replace(level="other", rest="")
    are_two = names.level in WHOLE and _tell_two(one, other, names, beside)
    return Called(_levels(one, other, names, beside, are_two=are_two), names, are_two)


def _levels(one: Traits, other: Traits, names: Likeness, beside: Levels, *, are_two: bool) -> Levels:
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
    if found.get("name") in ("other", "some", "generic") and (foreign := _in_two_languages(one, other, names, beside)):
        found["name"] = foreign
        found.pop("rest", None)
    elif found.get("rest") in ("swap", "word", "both") and are_foreign(one.tongue, other.tongue):
        del found["rest"]  # some of it is translated
    if one.also and other.also:
        if likeness.plainly(one.also, other.also).contrast:
            found["contrast"] = "other"
        if one.kind in TITLED and names.level in WHOLE and titles.have_two_beside(one, other):
            found["rest"] = "parts"
    if found.get("name") in ("some", "other") and found.get("rest") == "both":
        del found["rest"]  # which is to be expected where they have little in common
    return found


def _tell_titles(one: Traits, other: Traits, found: Levels, *, are_two: bool) -> None:
    if are_two:
        return
    if found.get("rest") and titles.have_two_parts(one, other) and not are_foreign(one.tongue, other.tongue):
        found["rest"] = "parts"
    elif one.kind in TITLED and found.get("name") in UNSURE and titles.are_one(one, other):
        found["name"] = "title"
        found.pop("rest", None)


def _in_two_languages(one: Traits, other: Traits, names: Likeness, beside: Levels) -> str:
    """Where things are seldom translated, or a translation would have been seen, something else must tell."""
    if not are_foreign(one.tongue, other.tongue):
        return ""
    if names.sorts == "same" or names.level != "other":
        return "translated"
    if names.known:
        return ""
    return "foreign" if is_likely_translated(one.tongue, other.tongue) or agree_in(beside, REACHED) else ""


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


def agree_in(found: Levels, fields: Mapping[str, Collection[str]]) -> bool:
    return any(found.get(field) in levels for field, levels in fields.items())
