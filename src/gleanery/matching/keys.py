"""Blocking keys: two records are compared only if they share one of these cheap keys. Pure.

Keys shared by very many records are skipped at lookup, so a key may be as broad as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from gleanery.matching import cells
from gleanery.matching.facts import Facts, significant_words
from gleanery.matching.lists import pairs_in, words_in

MANY, FEW = 6, 4  # words of a name
LAST_DIGITS = 6  # of a phone, as within a town
PREFIX, AREA = 5, 4
# Each key takes up space in a large index. An event with a known day is looked up by its day instead.
_COSTLY = "two words|word and area|word and owner|cell|cell and word|site|site and area|joined name"
_COSTLY += "|address|address and area|number and code"
NEEDLESS = frozenset(_COSTLY.split("|"))
MOST_DAYS = 3  # days that get keys when something runs for weeks


class Key(NamedTuple):
    rule: str
    value: str


class Parts(NamedTuple):
    """Input of the rules; `around` is the number of neighbouring cells to include on each side."""

    one: Facts
    words: tuple[str, ...]
    areas: tuple[str, ...]
    around: int


def keys(one: Facts) -> set[Key]:
    """Return the keys under which a record is stored."""
    return set(_by_rules(one, 0))


def wanted(one: Facts) -> set[Key]:
    """Return the keys to look up for a record; they include neighbouring cells."""
    return set(_by_rules(one, 1))


def _by_rules(one: Facts, around: int) -> Iterator[Key]:
    code = one.postal_code[:AREA]
    towns = [word[:PREFIX] for word in significant_words(one.town)] if one.town else []
    areas = tuple(dict.fromkeys([each for each in (code, *towns[:1], *towns[-1:]) if each]))
    words = tuple(dict.fromkeys((*_rarest(one.name), *_rarest(one.also)[:FEW])))
    parts = Parts(one, words, areas, around)
    needless = NEEDLESS if one.kind == "event" and one.day is not None else ()
    for rule, values in RULES.items():
        if rule not in needless:
            for value in values(parts):
                yield Key(rule, value)


@lru_cache(maxsize=16_384)
def _rarest(name: str) -> tuple[str, ...]:
    """Return the words of a name that are probably the rarest, rarest first."""
    ordinary = pairs_in("ordinary")
    words = dict.fromkeys(word for word in significant_words(name) if word not in words_in("links"))
    return tuple(sorted(words, key=lambda word: int(ordinary.get(word, "0")))[:MANY]) if name else ()


def _same(field: str) -> Callable[[Parts], Iterable[str]]:
    def values(parts: Parts) -> Iterable[str]:
        value = getattr(parts.one, field)
        return (value,) if value else ()

    return values


def _phone(parts: Parts) -> Iterable[str]:
    return (parts.one.phone[-LAST_DIGITS:],) if parts.one.phone else ()


def _sites(parts: Parts) -> list[str]:
    mail = parts.one.email.rpartition("@")[2]
    return [each for each in {parts.one.site, "" if mail in words_in("hosts") else mail} if each]


def _site_and_area(parts: Parts) -> Iterable[str]:
    return [f"{site} {area}" for site in _sites(parts) for area in parts.areas]


def _address(parts: Parts) -> Iterable[str]:
    """Return the number with the first and the last word of the street: "Georgi Kochev" may be listed as "Kochev"."""
    one = parts.one
    if not one.street or not one.house:
        return ()
    words = one.street.split()
    return [f"{_number(one.house)} {word[:PREFIX]}" for word in dict.fromkeys((words[0], words[-1]))]


def _address_and_area(parts: Parts) -> Iterable[str]:
    return [f"{address} {area}" for address in _address(parts) for area in parts.areas]


def _number_and_code(parts: Parts) -> Iterable[str]:
    one = parts.one
    return (f"{_number(one.house)} {one.postal_code}",) if one.house and one.postal_code else ()


def _number(house: str) -> str:
    return house.partition("-")[0].partition("/")[0].rstrip("abcdefgh")


def _cell_and_word(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.lat is None or one.lon is None:
        return ()
    steps = range(-parts.around, parts.around + 1)
    cells_around = {cells.cell_id(one.lat, one.lon, up, right) for up in steps for right in steps}
    return [f"{cell} {word[:PREFIX]}" for cell in cells_around for word in parts.words]


def _cell(parts: Parts) -> Iterable[str]:
    one = parts.one
    return () if one.lat is None or one.lon is None else (cells.cell_id(one.lat, one.lon, 0, 0),)


def _days(parts: Parts) -> list[str]:
    one = parts.one
    if one.day is None:
        return []
    last = min(max(one.last_day or one.day, one.day), one.day + timedelta(days=MOST_DAYS))
    span = range((last - one.day).days + 1)
    return [str(one.day + timedelta(days=each)) for each in span]


def _day_and_venue(parts: Parts) -> Iterable[str]:
    one = parts.one
    places = {one.at, *_rarest(one.venue)[:2], one.street.partition(" ")[0]} - {""}
    return [f"{day} {place}" for day in _days(parts) for place in places]


def _day_and_word(parts: Parts) -> Iterable[str]:
    return [f"{day} {word[:PREFIX]}" for day in _days(parts) for word in parts.words]


def _start_and_town(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.day is None or one.minute is None:
        return ()
    return [f"{one.day} {one.minute} {area}" for area in parts.areas]


def _deadline_and_more(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.deadline is None:
        return ()
    beside = [one.by, *_rarest(one.run_by)[:2], *(f"{amount:.0f}" for amount in (one.most, one.least) if amount)]
    return [f"{one.deadline} {each}" for each in (*beside, *parts.words[:FEW]) if each]


def _word_and_area(parts: Parts) -> Iterable[str]:
    return [f"{word[:PREFIX]} {area}" for word in parts.words[:FEW] for area in parts.areas]


def _word_and_owner(parts: Parts) -> Iterable[str]:
    owners = [owner for owner in (parts.one.by, *_rarest(parts.one.run_by)[:1]) if owner]
    return [f"{word} {owner}" for word in parts.words[:FEW] for owner in owners]


def _name(parts: Parts) -> Iterable[str]:
    return ["".join(sorted(significant_words(name))) for name in (parts.one.name, parts.one.also) if name]


def _joined(parts: Parts) -> Iterable[str]:
    return (parts.one.name.replace(" ", ""),) if parts.one.name else ()


def _word(parts: Parts) -> Iterable[str]:
    return parts.words


def _two_words(parts: Parts) -> Iterable[str]:
    return [" ".join(pair) for pair in combinations(sorted(parts.words[:FEW]), 2)]


RULES: Mapping[str, Callable[[Parts], Iterable[str]]] = {
    "official id": _same("official_id"),
    "phone": _phone,
    "e-mail": _same("email"),
    "page": _same("page"),
    "site": _sites,
    "site and area": _site_and_area,
    "address": _address,
    "address and area": _address_and_area,
    "number and code": _number_and_code,
    "cell": _cell,
    "cell and word": _cell_and_word,
    "day and venue": _day_and_venue,
    "day and word": _day_and_word,
    "start and town": _start_and_town,
    "deadline and more": _deadline_and_more,
    "name": _name,
    "joined name": _joined,
    "word": _word,
    "word and area": _word_and_area,
    "word and owner": _word_and_owner,
    "two words": _two_words,
}
