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
from gleanery.resolution.matches.traits import Traits, sites

CELL = 0.002  # degrees of latitude: about 220 metres
MANY, FEW = 6, 4  # words of a name
MOST_DAYS = 31
LAST_DIGITS = 7
PREFIX = 5


class Key(NamedTuple):
    rule: str
    value: str


def keys(one: Traits) -> set[Key]:
    """Under which it is kept."""
    return {Key(rule, value) for rule, value in _keys(one, [_cell(one)] if one.lat is not None else [], _days(one), 0)}


def wanted(one: Traits) -> set[Key]:
    """Under which others are looked for: also what is just behind the border of a cell, or of a day."""
    return {Key(rule, value) for rule, value in _keys(one, _cells(one), _days(one), 1)}


def _keys(one: Traits, cells: list[str], days: list[str], around: int) -> Iterator[tuple[str, str]]:
    words = _words(one.name) or _words(one.also)
    yield from _reach(one)
    yield from _address(one)
    for cell in cells:
        yield "cell", cell
        for word in words[:FEW]:
            yield "cell and word", f"{cell} {word}"
    if one.day is not None:
        yield from _dated(one, words, days, around)
    if one.deadline is not None:
        yield from _due(one)
    yield from _named(one, words)
    if one.also and one.name:
        yield from _named(one, _words(one.also)[:FEW])


def _reach(one: Traits) -> Iterator[tuple[str, str]]:
    if one.official_id:
        yield "official id", one.official_id
    if one.phone:
        yield "phone", one.phone[-LAST_DIGITS:]
    if one.email:
        yield "e-mail", one.email
    if one.page:
        yield "page", one.page
    for site in sites(one):
        yield "site", site
        for area in _areas(one):
            yield "site and area", f"{site} {area}"


def _address(one: Traits) -> Iterator[tuple[str, str]]:
    if one.street and one.house:
        number = one.house.split("-")[0].split("/")[0].rstrip("abcdefgh")
        street = one.street.split()[0][:PREFIX]
        yield "address", f"{number} {street}"
        for area in _areas(one):
            yield "address and area", f"{number} {street} {area}"


def _dated(one: Traits, words: list[str], days: list[str], around: int) -> Iterator[tuple[str, str]]:
    """Two that are on one day need little else in common; of what goes on for weeks the venue is enough."""
    places = {one.at, *_words(one.venue)[:2], one.street.split()[0] if one.street else ""} - {""}
    for day in days:
        for place in places:
            yield "day and venue", f"{day} {place}"
    for offset in range(-around, around + 1):
        begin = one.day + timedelta(days=offset) if one.day else None
        for word in words[:MANY]:
            yield "day and word", f"{begin} {word}"
    for town in _towns(one):
        yield "day and town", f"{one.day} {town}"
    if one.minute is not None:
        for area in (*_towns(one), one.country):
            yield "time and area", f"{one.day} {one.minute} {area}"


def _due(one: Traits) -> Iterator[tuple[str, str]]:
    yield "deadline", str(one.deadline)
    for owner in filter(None, [one.by, *_words(one.run_by)[:2]]):
        yield "deadline and owner", f"{one.deadline} {owner}"
    for amount in filter(None, (one.most, one.least)):
        yield "deadline and amount", f"{one.deadline} {amount:.0f}"


def _named(one: Traits, words: list[str]) -> Iterator[tuple[str, str]]:
    areas = _areas(one)
    if words:
        yield "name", " ".join(sorted(words))
    for word in words[:MANY]:
        yield "word", word
    for word in words[:FEW]:
        yield "beginning", f"{word[:PREFIX]} {areas[-1] if areas else ''}"
        for area in areas:
            yield "word and area", f"{word} {area}"
        for owner in filter(None, [one.by, *_words(one.run_by)[:1]]):
            yield "word and owner", f"{word} {owner}"
        if one.year:
            yield "word and year", f"{word} {one.year}"
    for pair in combinations(sorted(set(words[:FEW])), 2):
        yield "two words", " ".join(pair)


def _areas(one: Traits) -> list[str]:
    """The postal code, and the town by its first and its last word: В. Търново is Велико Търново."""
    return [each for each in (one.postal_code[:4], *_towns(one)) if each]


def _towns(one: Traits) -> list[str]:
    words = [word.sound[:PREFIX] for word in name(one.locality).words if word.weight > LINK] if one.locality else []
    return list(dict.fromkeys([*words[:1], *words[-1:]]))


def _words(text: str) -> list[str]:
    """By their sound, the telling ones first; a name of nothing but generic words has those."""
    found = [word for word in name(text).words if word.weight > LINK] if text else []
    telling = [word for word in found if not word.sort]
    return list(dict.fromkeys(word.sound for word in sorted(telling or found, key=lambda word: -word.weight)))


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


def _days(one: Traits) -> list[str]:
    if one.day is None:
        return []
    many = min((one.last_day - one.day).days, MOST_DAYS) if one.last_day and one.last_day > one.day else 0
    return [str(one.day + timedelta(days=offset)) for offset in range(many + 1)]
