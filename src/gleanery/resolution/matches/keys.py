"""Cheap keys by which near duplicates meet: two records are compared if they share one. Pure.

A key that very many share says nothing: it is passed over where it is looked up, and whoever comes later is not kept
under it. So keys may be as cheap as they like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from gleanery.resolution.matches import cells, lexicon
from gleanery.resolution.matches.names import LINK, name
from gleanery.resolution.matches.spelling import name as spelled
from gleanery.resolution.matches.traits import CROWDED, Traits, sites

MOST_SHARING = 20  # a key that more have says nothing: its votes do not add up to anything
LEAST_VOTE = 0.26  # what four others have as well, and nothing more, is hardly ever a sign
COUNTED = ("name", "phone", "address and area")  # by how many have these it is told how much they tell
MANY, FEW = 6, 4  # words of a name
MOST_MEANINGS = 3
LAST_DIGITS = 6  # as within a town
PREFIX = 5
_CROWDING = {"phone": "phone", "address and area": "address"}


class Key(NamedTuple):
    rule: str
    value: str


def keys(one: Traits) -> set[Key]:
    """Under which it is kept."""
    return {Key(*each) for each in by_rules(one, RULES)}


def wanted(one: Traits) -> set[Key]:
    """Under which others are looked for: also what is just behind the border of a cell, or of a day."""
    return {Key(*each) for each in by_rules(one, RULES, around=1)}


class Parts(NamedTuple):
    """What the rules take their values from. `called`: the words of the name and, where there is one, of the other."""

    one: Traits
    words: tuple[str, ...]
    called: Sequence[tuple[str, ...]]
    towns: tuple[str, ...]
    areas: Sequence[str]
    around: int


def by_rules(one: Traits, rules: Iterable[str], around: int = 0) -> Iterator[tuple[str, str]]:
    """Each rule with its values; `around`: how many cells and days to either side are its neighbours."""
    words = _words(one.name) or _words(one.also)
    called = (words, _words(one.also)[:FEW]) if one.also and one.name else (words,)
    towns = _towns(one.locality)
    # The postal code, and the town by its first and its last word: В. Търново is Велико Търново.
    code = one.postal_code[:4]
    parts = Parts(one, words, called, towns, (code, *towns) if code else towns, around)
    for rule in rules:
        for value in RULES[rule](parts):
            yield rule, value


def _told(field: str) -> Callable[[Parts], Iterable[str]]:
    value_of = attrgetter(field)
    return lambda parts: (value,) if (value := value_of(parts.one)) else ()


def _phone(parts: Parts) -> Iterable[str]:
    return (parts.one.phone[-LAST_DIGITS:],) if parts.one.phone else ()


def _site(parts: Parts) -> Iterable[str]:
    return sites(parts.one)


def _site_and_area(parts: Parts) -> Iterable[str]:
    return [f"{site} {area}" for site in sites(parts.one) for area in parts.areas]


def _address(parts: Parts) -> Iterable[str]:
    one = parts.one
    if not one.street or not one.house:
        return ()
    number = _number(one.house)
    words = one.street.split()  # the first and the last: Georgi Kochev is Kochev, too
    return [f"{number} {word[:PREFIX]}" for word in dict.fromkeys((words[0], words[-1]))]


def _number_and_code(parts: Parts) -> Iterable[str]:
    """Streets are translated, and so are names."""
    one = parts.one
    return (f"{_number(one.house)} {one.postal_code}",) if one.house and one.postal_code else ()


def _number(house: str) -> str:
    return house.partition("-")[0].partition("/")[0].rstrip("abcdefgh")


def _address_and_area(parts: Parts) -> Iterable[str]:
    return [f"{address} {area}" for address in _address(parts) for area in parts.areas]


def _cell(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.lat is None or one.lon is None:
        return ()
    steps = range(-parts.around, parts.around + 1)
    return [cells.grid(one.lat, one.lon, up, right) for up in steps for right in steps]


def _cell_and_word(parts: Parts) -> Iterable[str]:
    return [f"{cell} {word}" for cell in _cell(parts) for word in parts.words[:FEW]]


def _day_and_venue(parts: Parts) -> Iterable[str]:
    """Two that are on one day need little else in common; of what goes on for weeks the venue is enough."""
    one = parts.one
    if one.day is None:
        return ()
    places = {one.at, *_words(one.venue)[:2], one.street.split()[0] if one.street else ""} - {""}
    return [f"{day} {place}" for day in cells.from_to(one.day, one.last_day) for place in places]


def _day_and_word(parts: Parts) -> Iterable[str]:
    """Also what it is: on one day few towns have two parades."""
    one = parts.one
    if one.day is None:
        return ()
    words = _all_words(one.name or one.also)[:MANY]
    return [f"{begin} {word}" for begin in cells.around(one.day, parts.around) for word in words]


def _day_and_town(parts: Parts) -> Iterable[str]:
    return [f"{parts.one.day} {town}" for town in parts.towns] if parts.one.day is not None else ()


def _time_and_area(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.day is None or one.minute is None:
        return ()
    return [f"{one.day} {one.minute} {area}" for area in parts.towns]


def _time(parts: Parts) -> Iterable[str]:
    one = parts.one
    return (f"{one.day} {one.minute}",) if one.day is not None and one.minute is not None else ()


def _street(parts: Parts) -> Iterable[str]:
    return (" ".join(sorted(parts.one.street.split())),) if parts.one.street else ()


def _deadline(parts: Parts) -> Iterable[str]:
    return (str(parts.one.deadline),) if parts.one.deadline is not None else ()


def _deadline_and_owner(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.deadline is None:
        return ()
    return [f"{one.deadline} {owner}" for owner in (one.by, *_words(one.run_by)[:2]) if owner]


def _deadline_and_amount(parts: Parts) -> Iterable[str]:
    one = parts.one
    if one.deadline is None:
        return ()
    return [f"{one.deadline} {amount:.0f}" for amount in (one.most, one.least) if amount]


def _name(parts: Parts) -> Iterable[str]:
    return [" ".join(sorted(words)) for words in parts.called if words]


def _word(parts: Parts) -> Iterable[str]:
    return [word for words in parts.called for word in words[:MANY]]


def _few_words(parts: Parts) -> Iterable[str]:
    return [word for words in parts.called for word in words[:FEW]]


def _beginning(parts: Parts) -> Iterable[str]:
    area = parts.areas[-1] if parts.areas else ""
    return [f"{word[:PREFIX]} {area}" for word in _few_words(parts)]


def _word_and_area(parts: Parts) -> Iterable[str]:
    return [f"{word} {area}" for word in _few_words(parts) for area in parts.areas]


def _meaning_and_area(parts: Parts) -> Iterable[str]:
    return [f"{meaning} {area}" for meaning in _meanings(parts.one.name) for area in parts.areas]


def _word_and_owner(parts: Parts) -> Iterable[str]:
    owners = [owner for owner in (parts.one.by, *_words(parts.one.run_by)[:1]) if owner]
    return [f"{word} {owner}" for word in _few_words(parts) for owner in owners]


def _word_and_year(parts: Parts) -> Iterable[str]:
    return [f"{word} {parts.one.year}" for word in _few_words(parts)] if parts.one.year else ()


def _two_words(parts: Parts) -> Iterable[str]:
    return [" ".join(pair) for words in parts.called for pair in combinations(sorted(set(words[:FEW])), 2)]


RULES: Mapping[str, Callable[[Parts], Iterable[str]]] = {
    "official id": _told("official_id"),
    "phone": _phone,
    "e-mail": _told("email"),
    "page": _told("page"),
    "site": _site,
    "site and area": _site_and_area,
    "address": _address,
    "address and area": _address_and_area,
    "number and code": _number_and_code,
    "street": _street,
    "cell": _cell,
    "cell and word": _cell_and_word,
    "day and venue": _day_and_venue,
    "day and word": _day_and_word,
    "day and town": _day_and_town,
    "time and area": _time_and_area,
    "time": _time,
    "deadline": _deadline,
    "deadline and owner": _deadline_and_owner,
    "deadline and amount": _deadline_and_amount,
    "name": _name,
    "word": _word,
    "beginning": _beginning,
    "word and area": _word_and_area,
    "meaning and area": _meaning_and_area,
    "word and owner": _word_and_owner,
    "word and year": _word_and_year,
    "two words": _two_words,
}
BY_REFERENCE = ("day and venue", "deadline and owner", "word and owner")
HAVE_NEIGHBOURS = ("cell", "cell and word", "day and word")


@lru_cache(maxsize=16_384)
def _towns(locality: str) -> tuple[str, ...]:
    words = (
        [word.sound[:PREFIX] for word in name(spelled(lexicon.town(locality))).words if word.weight > LINK]
        if locality
        else []
    )
    return tuple(dict.fromkeys([*words[:1], *words[-1:]]))


@lru_cache(maxsize=16_384)
def _words(text: str) -> tuple[str, ...]:
    """By their sound, the most telling ones first; a name of nothing but generic words has those."""
    found = [word for word in name(text).words if word.weight > LINK] if text else []
    telling = [word for word in found if not word.sorts]
    return tuple(dict.fromkeys([word.sound for word in sorted(telling or found, key=lambda word: -word.weight)]))


@lru_cache(maxsize=16_384)
def _meanings(text: str) -> tuple[str, ...]:
    """Of words that may mean two or three things: by their sound they meet no translation."""
    found = [word.ideas | word.sorts | word.contrasts for word in name(text).words]
    return tuple(dict.fromkeys([each for ideas in found if 1 < len(ideas) <= MOST_MEANINGS for each in sorted(ideas)]))


@lru_cache(maxsize=16_384)
def _all_words(text: str) -> tuple[str, ...]:
    """With the generic ones, at the end."""
    found = [word.sound for word in name(text).words if word.weight > LINK] if text else []
    return tuple(dict.fromkeys((*_words(text), *found)))


def crowding(one: Traits) -> Iterator[tuple[str, Key]]:
    """A field, and a key of it: what a crowd has in common says little of any two of them."""
    if one.kind in CROWDED:
        if " " in one.street:  # by its first word alone: very many have the last one
            one = one._replace(street=one.street.partition(" ")[0])
        for rule, value in by_rules(one, _CROWDING):
            yield _CROWDING[rule], Key(rule, value)
