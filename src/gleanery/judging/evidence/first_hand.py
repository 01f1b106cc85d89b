"""Signs of a first-hand source: words typical of those who offer something themselves."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.title import Title
from gleanery.judging.lexicon import Hit
from gleanery.judging.tables import FIRST_HAND_SIGNS

MOST = 60
MOST_SIGNS = 2  # per kind of sign
OWN_NAME = 8

# First person plural, "финансираме", "раздаваме": the writer offers it.
_OWN_VERB: Final = re.compile(r"(?<![^\W_])[А-Яа-я][а-я]{2,}(?:аме|яме)(?![^\W_])")
_CLOCK: Final = re.compile(r"\d[:.]\d\d\b|\d\s?(?:ч\.|[ap]m\b)")
_QUOTED_NAME: Final = re.compile("[„«“][А-ЯA-Z][^“”»]{1,60}[“”»]")

Found = dict[str, list[Hit]]


class Text(NamedTuple):
    """Case with its parsed title and the lexicon entries found in it."""

    case: Case
    title: Title
    found: Found


class FirstHand(NamedTuple):
    """Points for a first-hand source from 0 to 60, a description, and the words that indicate it."""

    points: int
    says: str
    words: tuple[str, ...]


def first_hand_signs(text: Text) -> FirstHand:
    points, says, words = 0, "", []
    for sign in FIRST_HAND_SIGNS:
        hits = text.found.get(sign.group)
        signs = {hit.lemma: hit.shown for hit in hits} if hits else {}
        if sign.name in _OTHER_SIGNS and (other := _OTHER_SIGNS[sign.name](text.case.description)):
            signs.setdefault(other, other)
        if signs:
            points += sign.points * min(len(signs), MOST_SIGNS)
            says = says or sign.says
            words += list(signs.values())[:2]
    if name := _QUOTED_NAME.search(text.case.title):
        points += OWN_NAME
        words.append(name.group())
    return FirstHand(min(points, MOST), says or "has a proper name", tuple(words))


def _own_verb(description: str) -> str:
    if "аме" not in description and "яме" not in description:
        return ""
    found = _OWN_VERB.search(description)
    return found.group() if found else ""


def _clock(description: str) -> str:
    found = _CLOCK.search(description)
    return found.group() if found else ""


_OTHER_SIGNS: Final = {"own": _own_verb, "timetable": _clock}
