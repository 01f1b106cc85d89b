"""Voice: the signs by which those are known who do a thing themselves, and the text that they are looked for in."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.title import Title
from gleanery.judging.lexicon import Hit
from gleanery.judging.tables import VOICES

MOST = 60
MOST_SIGNS = 2  # of one kind
OWN_NAME = 8

# "Финансираме", "раздаваме": who says so does it.
_OWN_VERB: Final = re.compile(r"(?<![^\W_])[А-Яа-я][а-я]{2,}(?:аме|яме)(?![^\W_])")
_CLOCK: Final = re.compile(r"\d[:.]\d\d\b|\d\s?(?:ч\.|[ap]m\b)")
_QUOTED_NAME: Final = re.compile("[„«“][А-ЯA-Z][^“”»]{1,60}[“”»]")

Found = dict[str, list[Hit]]


class Text(NamedTuple):
    """A case with its title read, and all that the lexicon found in it."""

    case: Case
    title: Title
    found: Found


class Voice(NamedTuple):
    """From 0 to 60, how it speaks for itself, and the words that show it."""

    points: int
    says: str
    words: tuple[str, ...]


def voice_in(text: Text) -> Voice:
    points, says, words = 0, "", []
    for voice in VOICES:
        hits = text.found.get(voice.group)
        signs = {hit.lemma: hit.shown for hit in hits} if hits else {}
        if voice.name in _OTHER_SIGNS and (other := _OTHER_SIGNS[voice.name](text.case.description)):
            signs.setdefault(other, other)
        if signs:
            points += voice.points * min(len(signs), MOST_SIGNS)
            says = says or voice.says
            words += list(signs.values())[:2]
    if name := _QUOTED_NAME.search(text.case.title):
        points += OWN_NAME
        words.append(name.group())
    return Voice(min(points, MOST), says or "gives a name of its own", tuple(words))


def _own_verb(description: str) -> str:
    if "аме" not in description and "яме" not in description:
        return ""
    found = _OWN_VERB.search(description)
    return found.group() if found else ""


def _clock(description: str) -> str:
    found = _CLOCK.search(description)
    return found.group() if found else ""


_OTHER_SIGNS: Final = {"own": _own_verb, "timetable": _clock}
