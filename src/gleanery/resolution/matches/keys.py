"""Cheap keys by which near duplicates meet: two records are compared if they share one. Pure.

A key that very many share says nothing, and is passed over where it is looked up; so keys may be as cheap as they like.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations
from typing import NamedTuple

from gleanery.resolution.matches.names import LINK, name
from gleanery.resolution.matches.traits import Traits

CELL = 0.002  # degrees of latitude: about 220 metres
MOST_WORDS = 6
MOST_DAYS = 31
LAST_DIGITS = 7
SHORTEST_WORD = 3
PREFIX = 5


class Key(NamedTuple):
    rule: str
    value: str


def keys(one: Traits) -> set[Key]:
    """Under which it is kept."""
    return {Key(rule, value) for rule, value in _keys(one, [_cell(one)] if one.lat is not None else [], _days(one))}


def wanted(one: Traits) -> set[Key]:
    """Under which others are looked for: also what is just behind the border of a cell."""
    return {Key(rule, value) for rule, value in _keys(one, _cells(one), _days(one, 1))}


def _keys(one: Traits, cells: list[str], days: list[str]) -> Iterator[tuple[str, str]]:
    words = _words(one.name) or _words(one.also)
    yield from _reach(one)
    yield from _address(one)
    for cell in cells:
        yield "cell", cell
        for word in words:
            yield "cell and word", f"{cell} {word}"
    if one.kind in ("event", "opportunity"):
        yield from _dated(one, words, days)
    yield from _named(one, words)
    if one.also and one.name:
        yield from _named(one, _words(one.also))


def _reach(one: Traits) -> Iterator[tuple[str, str]]:
    if one.official_id:
        yield "official id", one.official_id
    if one.phone:
        yield "phone", one.phone[-LAST_DIGITS:]
    if one.email:
        yield "e-mail", one.email
    if one.page:
        yield "page", one.page
    if one.site:
        yield "site", one.site
        for area in _areas(one):
            yield "site and area", f"{one.site} {area}"


def _address(one: Traits) -> Iterator[tuple[str, str]]:
    if one.street and one.house:
        number = one.house.split("-")[0].split("/")[0].rstrip("abcdefgh")
        street = one.street.split()[0][:PREFIX]
        yield "address", f"{number} {street}"
        for area in _areas(one):
            yield "address and area", f"{number} {street} {area}"


def _dated(one: Traits, words: list[str], days: list[str]) -> Iterator[tuple[str, str]]:
    """Two that are on one day need little else in common."""
    places = {one.at, *_words(one.venue)[:3], one.street.split()[0] if one.street else ""} - {""}
    for day in days:
        for place in places:
            yield "day and venue", f"{day} {place}"
        for word in words:
            yield "day and word", f"{day} {word}"
            for area in _areas(one):
                yield "day, area and word", f"{day} {area} {word}"
        if one.locality:
            yield "day and town", f"{day} {one.locality}"


def _named(one: Traits, words: list[str]) -> Iterator[tuple[str, str]]:
    areas = _areas(one)
    whole = " ".join(sorted(words))
    if whole:
        yield "name", whole
        yield "initials", "".join(sorted(word[0] for word in words))
        for area in areas:
            yield "name and area", f"{whole} {area}"
    for word in words:
        yield "word", word
        yield "beginning", word[:PREFIX]
        for area in areas:
            yield "word and area", f"{word} {area}"
        if one.by or one.run_by:
            yield "word and owner", f"{word} {one.by or ' '.join(_words(one.run_by)[:1])}"
    for pair in combinations(sorted(set(words)), 2):
        yield "two words", " ".join(pair)
    if one.deadline or one.year:
        for word in words:
            yield "word and year", f"{word} {one.year}"
    if one.deadline:
        for owner in [one.by, *_words(one.run_by)[:2]]:
            if owner:
                yield "deadline and owner", f"{one.deadline} {owner}"
        if one.most is not None:
            yield "deadline and amount", f"{one.deadline} {one.most:.0f}"


def _areas(one: Traits) -> list[str]:
    town = "".join(_words(one.locality)[:1])[:PREFIX]
    return [area for area in (one.postal_code[:4], town) if area]


def _words(text: str) -> list[str]:
    """By their sound, the telling ones first; a name of nothing but generic words has those."""
    found = [word for word in name(text).words if word.weight > LINK] if text else []
    telling = [word for word in found if not word.sort]
    return list(dict.fromkeys(word.sound for word in (telling or found)))[:MOST_WORDS]


def _cell(one: Traits) -> str:
    return _grid(one.lat or 0.0, one.lon or 0.0, 0, 0)


def _cells(one: Traits) -> list[str]:
    if one.lat is None or one.lon is None:
        return []
    return [_grid(one.lat, one.lon, up, right) for up in (-1, 0, 1) for right in (-1, 0, 1)]


def _grid(lat: float, lon: float, up: int, right: int) -> str:
    """Cells of about equal breadth: degrees of longitude are narrower towards the poles."""
    row = math.floor(lat / CELL) + up
    width = CELL / max(0.05, math.cos(math.radians(row * CELL)))
    return f"{row} {math.floor(lon / width) + right}"


def _days(one: Traits, around: int = 0) -> list[str]:
    if one.day is None:
        return []
    many = min((one.last_day - one.day).days, MOST_DAYS) if one.last_day and one.last_day > one.day else 0
    return [str(one.day + timedelta(days=offset)) for offset in range(-around, many + 1 + around)]
