"""Short forms written out: РИМ is a regional history museum, and bibl. a library. Pure."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.spelling import latin
from gleanery.resolution.matches.tongues import are_foreign, tongue

FEWEST = 3  # letters by which a short form is known in small letters too, if it is no word
_CUT = re.compile(r"[^\W\d_]+(?:[.-][^\W\d_]+)*\.|\b[^\W\d_]{1,5}-[^\W\d_]{1,6}\b")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\. ?){3,8}")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"\b[^\W\d_]{2,8}\b(?![.’'-]\w)")


@lru_cache(maxsize=65_536)
def written_out(text: str) -> str:
    """A name with its short forms as their languages have them in full, as far as abbreviations.txt knows them."""
    whole = _CUT.sub(_whole, _DOTTED.sub(_undotted, text)) if "." in text or "-" in text else text
    capitals = whole.upper()
    if _capitals().keys().isdisjoint(_WORD.findall(capitals)):
        return whole
    is_of_one_case = whole in (capitals, whole.lower())
    initials = _initials(whole)

    def in_full(found: re.Match[str]) -> str:
        word = found[0]
        known = _capitals().get(word.upper())
        if known is None or (len(word) >= FEWEST and word.upper() in initials):
            return word  # IPL – Institute for Public Libraries
        if word.isascii() and are_foreign(tongue(whole), tongue(known)):
            return word  # CBF is a confederation in Brazil alone
        if not is_of_one_case:
            return known if word.isupper() else word  # Coffee with a Cop
        return word if len(word) < FEWEST or _is_word(word) else known

    return _WORD.sub(in_full, whole)


def _initials(text: str) -> str:
    """Of its words but the small ones, and those that are short forms themselves; in capitals."""
    return "".join(word[0] for word in _LETTERS.findall(text) if word[0].isupper() and not word.isupper())


def _undotted(found: re.Match[str]) -> str:
    """A.M.A.P. is AMAP, if that is known."""
    letters = found[0].replace(".", "").replace(" ", "")
    return f"{letters} " if letters in _capitals() else found[0]


def _whole(found: re.Match[str]) -> str:
    return f"{known} " if (known := _cut().get(found[0].casefold())) else found[0]


@cache
def _cut() -> dict[str, str]:
    return dict(line.split(" = ") for line in lexicon.section("abbreviations.txt", "cut"))


@cache
def _capitals() -> dict[str, str]:
    return dict(line.split(" = ") for line in lexicon.section("abbreviations.txt", "capitals"))


def _is_word(text: str) -> bool:
    """Written like a short form, it may be a word all the same: rim is Rome in Bulgarian."""
    spelled = "".join(latin(text))
    known = (lexicon.tongues(), lexicon.ideas(), lexicon.sorts(), lexicon.dependents(), lexicon.contrasts())
    return lexicon.town(spelled) != spelled or any(each.of(spelled) for each in known)
