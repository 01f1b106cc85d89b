"""Names taken apart: which words tell much, which little, and what sort of thing they name. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from gleanery.resolution import normal
from gleanery.resolution.matches.spelling import sound

LINK, SORT, COMMON, PLAIN = 0.05, 0.3, 0.5, 1.0
MOST_WORDS = 16
DESIGNATORS = frozenset("abc")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|er|e|i|ti|va|ri|o|a)?")
_CODE = re.compile(r"[a-z]{1,3}\d{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ROMAN = re.compile(r"(?=[ivx])(x{0,2})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


class Word(NamedTuple):
    text: str
    sound: str  # or the idea that it stands for, if it is one of words.toml
    weight: float
    sort: str = ""  # what it says a thing is
    number: str = ""  # its value, if it is one
    contrast: tuple[str, str] | None = None


class Name(NamedTuple):
    words: tuple[Word, ...]
    joined: str
    initials: str  # of the telling words
    every: str  # of all words
    sorts: frozenset[str]
    dependents: frozenset[str]
    numbers: frozenset[str]  # also codes, and letters by which halls and parts are told apart: rink A
    years: frozenset[str]
    contrasts: Mapping[str, str]
    sounds: frozenset[str]


def _table(data: Mapping[str, str]) -> Mapping[str, str]:
    return {word: idea for idea, words in data.items() for word in words.split()}


_DATA = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text("utf-8"))
LINKS, COMMONS = frozenset(_DATA["links"].split()), frozenset(_DATA["common"].split())
MEANINGS = _table(_DATA["meanings"])
DEPENDENTS = _table(_DATA["dependents"])
SORTS, FORMS, NUMBERS = _table(_DATA["sorts"]), _table(_DATA["forms"]), _table(_DATA["numbers"])
CONTRASTS = {word: (group, idea) for group, ideas in _DATA["contrasts"].items() for word, idea in _table(ideas).items()}


@lru_cache(maxsize=131_072)
def name(text: str) -> Name:
    """Of what is written in Latin letters already; legal forms at its ends are left out."""
    whole = _without_form(text.split())[:MOST_WORDS]
    words = tuple({each.sound: each for each in map(word, whole)}.values())  # said twice is said once
    telling = [each for each in words if each.weight > LINK]
    numbers = frozenset(each.number for each in words if each.number) | (DESIGNATORS & {*whole[1:]})
    years = frozenset(filter(_YEAR.fullmatch, numbers))
    return Name(
        words,
        "".join(each.text for each in telling),
        "".join(each.text[0] for each in telling),
        "".join(each.text[0] for each in words),
        frozenset(each.sort for each in words if each.sort),
        frozenset(each.sort for each in words if each.text in DEPENDENTS),
        numbers - years,
        years,
        dict(each.contrast for each in words if each.contrast),
        frozenset(each.sound for each in words),
    )


# Beside the legal forms that normal.py leaves out of identities.
_FORMS_TOO = frozenset(
    ["onlus", "ets", "aps", "asd", "zs", "ops", "ngo", "npo", "odv", "scio", "stk", "ry", "mtu", "udk"]
)


def _without_form(words: list[str]) -> list[str]:
    begin, end = 0, len(words)
    while end > begin and _is_form(words[end - 1]):
        end -= 1
    while begin < end and _is_form(words[begin]):
        begin += 1
    return words[begin:end] or words


def _is_form(text: str) -> bool:
    return text in normal.LEGAL_FORMS or text in _FORMS_TOO


@lru_cache(maxsize=131_072)
def word(text: str) -> Word:
    number = _number(text)
    if number:
        return Word(text, number, PLAIN, number=number)
    if text in LINKS or len(text) == 1:
        return Word(text, text, LINK)
    if contrast := CONTRASTS.get(text):
        return Word(text, contrast[1], COMMON, contrast=contrast)
    sort = SORTS.get(text, "") or DEPENDENTS.get(text, "")
    if sort or text in FORMS:
        return Word(text, sort or FORMS[text], SORT, sort)
    if text in MEANINGS:
        return Word(text, MEANINGS[text], COMMON)
    return Word(text, sound(text), COMMON if text in COMMONS else PLAIN)


def _number(text: str) -> str:
    if _NUMBER.fullmatch(text):
        return re.sub(r"\D.*", "", text).lstrip("0") or "0"
    if text in NUMBERS:
        return NUMBERS[text]
    if _CODE.fullmatch(text):
        return text
    if len(text) > 1 and _ROMAN.fullmatch(text):
        values = [_ROMAN_VALUES[letter] for letter in text]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return str(sum(-one if one < after else one for one, after in pairs))
    return ""
