"""Names taken apart: which words tell much, which little, and what sort of thing they name. Pure."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from operator import itemgetter
from typing import NamedTuple

from gleanery.resolution import normal
from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.spelling import sound

LINK, SORT, COMMON, KNOWN, PLAIN = 0.05, 0.4, 0.5, 0.8, 1.0
STRANGE = 0.4  # of its weight: a name of which more is in no lexicon may be a translation that nobody sees
COMPOUND = 9  # letters that it has at least
MOST_WORDS = 16
DESIGNATORS = frozenset("abc")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|er|e|i|ti|va|ri|o|a)?")
_CODE = re.compile(r"[a-z]{1,3}\d{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CYRILLIC = re.compile("sht|sh|ch|zh|ts|yu|ya|.")
_letter = itemgetter(0)
_ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


class Word(NamedTuple):
    text: str
    sound: str  # or what it means, if the lexicon knows it and it means just one thing
    weight: float
    sorts: frozenset[str] = lexicon.NONE  # what it may say a thing is
    dependents: frozenset[str] = lexicon.NONE
    number: str = ""  # its value, if it is one
    contrasts: frozenset[str] = lexicon.NONE  # group.alternative
    ideas: frozenset[str] = lexicon.NONE


class Name(NamedTuple):
    words: tuple[Word, ...]
    joined: str
    initials: frozenset[str]  # of the telling words and of all, by letters and as Cyrillic initials are spelled
    sorts: frozenset[str]
    dependents: frozenset[str]
    numbers: frozenset[str]  # also codes, and a letter at the end, by which halls and parts are told apart: rink A
    years: frozenset[str]
    contrasts: Mapping[str, frozenset[str]]  # of each group the alternatives that it has
    sounds: frozenset[str]
    known: bool  # whether most of it is in the lexicon, so that a translation would be seen


def _table(data: Mapping[str, str]) -> Mapping[str, str]:
    return {word: idea for idea, words in data.items() for word in words.split()}


_DATA = tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text("utf-8"))
LINKS, COMMONS = frozenset(_DATA["links"].split()), frozenset(_DATA["common"].split())
FILLER = frozenset(_DATA["filler"].split())
SHORT = _table(_DATA["short"])
STATES = {short: state.replace("_", " ") for state, short in _DATA["states"].items()}
FORMS, NUMBERS = _table(_DATA["forms"]), _table(_DATA["numbers"])


@lru_cache(maxsize=32_768)  # of which each takes some three kilobytes
def name(text: str) -> Name:
    """Of what is written in Latin letters already; legal forms at its ends are left out."""
    given = [SHORT.get(word, word) for word in _without_form(text.split())[:MOST_WORDS]]
    whole = [part for word in given for part in _parts(word)]
    said = [*map(word, whole)]
    words = tuple({each.sound: each for each in said}.values())  # said twice is said once
    telling = [each for each in words if each.weight > LINK]
    numbers = frozenset([each.number for each in words if each.number]) | (DESIGNATORS & {*whole[1:][-1:]})
    years = frozenset(filter(_YEAR.fullmatch, numbers)) if numbers else numbers
    return Name(
        words,
        "".join([each.text for each in telling]),
        _initials(said),
        frozenset().union(*[each.sorts for each in words if each.sorts]),
        frozenset().union(*[each.dependents for each in words if each.dependents]),
        numbers - years,
        years,
        grouped([each for word in words for each in word.contrasts]),
        frozenset([each.sound for each in words]),
        sum([each.weight for each in telling if each.weight == PLAIN])
        <= STRANGE * sum([each.weight for each in telling]),
    )


def _initials(words: Iterable[Word]) -> frozenset[str]:
    said, telling = [each.text for each in words], [each.text for each in words if each.weight >= SORT]
    return frozenset("".join(map(first, listed)) for listed in (said, telling) for first in (_letter, _initial))


@lru_cache(maxsize=16_384)
def _initial(text: str) -> str:
    """As Cyrillic ones are spelled."""
    found = _CYRILLIC.match(text)
    return found[0] if found else ""


# Beside the legal forms that normal.py leaves out of identities.
_TOO = "onlus ets aps asd zs ops ngo npo odv scio stk ry mtu udk snts yulnts"
_FORMS_TOO = frozenset(_TOO.split())


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
def _parts(text: str) -> tuple[str, ...]:
    """The two words of a compound: Weihnachts and markt, if the lexicon knows both, or Tenn and kirche, a sort."""
    if len(text) < COMPOUND or not text.isalpha() or lexicon.ideas().of(text) or lexicon.contrasts().of(text):
        return (text,)
    for at in range(4, len(text) - 3):
        if _is_known(text[at:]) and _is_known(text[:at]):
            return text[:at], text[at:]
    for at in range(4, len(text) - 4):
        if lexicon.sorts().of(text[at:]):
            return text[:at], text[at:]
    return (text,)


def _is_known(text: str) -> bool:
    lexicons = (lexicon.sorts(), lexicon.dependents(), lexicon.contrasts(), lexicon.ideas())
    return text in FORMS or any(each.of(text) for each in lexicons)


@lru_cache(maxsize=131_072)
def word(text: str) -> Word:
    number = _number(text)
    if number:
        return Word(text, number, COMMON, number=number, ideas=lexicon.ideas().of(number))
    if text in LINKS or len(text) == 1:
        return Word(text, text, LINK)
    if contrasts := lexicon.contrasts().of(text):
        return Word(text, _meaning(contrasts) or sound(text), COMMON, contrasts=contrasts)
    sorts, dependents = lexicon.sorts().of(text), lexicon.dependents().of(text)
    if sorts or dependents:
        return Word(text, _meaning(sorts | dependents) or sound(text), SORT, sorts | dependents, dependents)
    if text in FORMS:
        return Word(text, FORMS[text], SORT)
    ideas = lexicon.ideas().of(text)
    weight = COMMON if text in COMMONS else KNOWN if ideas else PLAIN
    return Word(text, _meaning(ideas) or sound(text), weight, ideas=ideas)


def _meaning(meanings: frozenset[str]) -> str:
    return next(iter(meanings)) if len(meanings) == 1 else ""


def grouped(contrasts: Iterable[str]) -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for each in contrasts:
        found[each.partition(".")[0]] |= {each}
    return found


def are_contrary(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> bool:
    """Whether of some group each has another alternative: for women and for men."""
    return any(there.isdisjoint(one.get(group, there)) for group, there in other.items())


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
