"""Splits an address into street name, house number, unit and postal code, as far as that is certain. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from gleanery.matching.lists import words_in
from gleanery.matching.spelling import latin

_COMPASS = "north south east west northeast northwest southeast southwest n s e w ne nw se sw"
_SIDES = frozenset(_COMPASS.split())
_UNIT = re.compile(
    r"(?:\b(?:suite|ste|unit|apartment|apt|room|rm|floor|flr|fl|bldg|building|shop|level|lvl|etage|stock|piso|etaj|ap|"
    r"ет|етаж|ап|вх|вход|офис|стая|lok|lokal|local|kat|d)\b\.?|#)\s*№?\s*([\w-]+)|\b(\d+)(?:st|nd|rd|th)\s+(?:floor|fl)\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^)]*\)")
_HOUSE = re.compile(
    r"(?<![\w])\d{1,5}(?:[a-zа-я](?!\w)|\s[a-zа-я]$)?(?:\s?[-–/]\s?\d{1,5}(?:[a-zа-я](?!\w))?)?(?!\w)", re.IGNORECASE
)
_POSTAL = re.compile(r"(?<!\w)(\d{5})(?:-\d{4})?\s*$")
_PARTED = re.compile(r"[,;\n]|(?<!\d)\s[-–—]\s|\s[-–—]\s(?!\d{1,4}\b)")  # "12 - 14" is a range of numbers
_NAMED, _STREET = re.compile(r"[^\W\d]{3}"), re.compile(r"[^\W\d]{2}|\d(?:st|nd|rd|th)")
_COMPOUND = re.compile(r"(?<=\w{4})(?:strasse|straat|gatan|vagen|gade|utca|str)$")
_MONTHS = """
    january february march april may june july august september october november december
    yanuari fevruari mart mai yuni yuli avgust septemvri oktomvri noemvri dekemvri mayo julio
"""
_DATES = frozenset(_MONTHS.split())
MOST_WORDS = 4
WIDEST_RANGE = 100


class Address(NamedTuple):
    street: str = ""
    house: str = ""
    unit: str = ""
    postal_code: str = ""


@lru_cache(maxsize=65_536)
def split_address(text: str, locality: str = "") -> Address:
    if not text:
        return Address()
    text = _IN_BRACKETS.sub(" ", text)
    postal = _POSTAL.search(text)
    unit = _UNIT.search(text)
    bare = _UNIT.sub(" , ", text)
    if postal:
        bare = _POSTAL.sub("", bare)
    house, street = _house(_part([part.strip() for part in _PARTED.split(bare) if part.strip()]))
    return Address(
        _street(street, set(latin(locality))),
        house,
        "".join(latin((unit[1] or unit[2]) if unit else "")),
        postal[1] if postal else "",
    )


@lru_cache(maxsize=65_536)
def house_numbers(house: str) -> frozenset[int]:
    """Return the house numbers in a range ("5-9" is 5 to 9), ignoring letters after a number."""
    found = [int(each) for each in re.findall(r"\d+", house)]
    if len(found) == 2 and 0 < found[1] - found[0] < WIDEST_RANGE:  # noqa: PLR2004 - from and to
        return frozenset(range(found[0], found[1] + 1))
    return frozenset(found)


def _part(parts: list[str]) -> str:
    """Return the part with street and number; a comma may stand between them: "Main Street, 5" and "6, rue X"."""
    for index, part in enumerate(parts[1:], 1):
        before = parts[index - 1]
        if (_HOUSE.fullmatch(part) and not _HOUSE.search(before)) or (
            _HOUSE.fullmatch(before) and not _HOUSE.search(part)
        ):
            return f"{before} {part}"
    kinds = words_in("streets")
    numbered = [part for part in parts if _HOUSE.search(part) and _NAMED.search(part)]
    named = [part for part in numbered if not kinds.isdisjoint(latin(part))]
    streets = () if numbered else [part for part in parts if kinds.intersection(latin(part))]
    return (named or numbered or streets or parts or [""])[0]


def _house(part: str) -> tuple[str, str]:
    """Return house number and rest; a leading number counts unless it is part of the street ("23rd"), else the last."""
    found = list(_HOUSE.finditer(part))
    if not found:
        return "", part
    first, last = found[0], found[-1]
    chosen = first if first.start() == 0 and _STREET.search(part, first.end()) else last
    if chosen is not last and _DATES.issuperset(latin(part[first.end() : last.start()])):
        chosen = last  # 11 Oktomvri 8
    house = "".join(chosen.group().casefold().replace("–", "-").split())
    return "".join(latin(house)) if house.isalnum() else house, part[: chosen.start()] + " " + part[chosen.end() :]


def _street(text: str, locality: set[str]) -> str:
    kinds = words_in("streets")
    words = [_COMPOUND.sub("", word) for word in latin(text)]
    specific = [word for word in words if len(word) > 1 and word not in kinds and word not in _SIDES]
    named = [word for word in specific if word not in locality] or specific
    return " ".join(named[:MOST_WORDS]) or " ".join([word for word in words if word not in kinds] or words)[:40]
