"""In which language a name is, as far as its letters and words tell: translated names are not alike. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.spelling import latin

LATIN, ENGLISH = "latin", "en"
_SCRIPTS = (
    ("cyrillic", re.compile("[\u0400-\u052f]")),
    ("greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("arabic", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("hebrew", re.compile("[\u0590-\u05ff]")),
    ("indic", re.compile("[\u0900-\u0dff]")),
    ("thai", re.compile("[\u0e00-\u0eff]")),
    ("georgian_or_armenian", re.compile("[\u0530-\u058f\u10a0-\u10ff]")),
    ("east_asian", re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")),
)
_OTHERS = frozenset(script for script, _ in _SCRIPTS)
_LETTERS = {
    "de": "äöüß",
    "fr": "éèêçàœ",
    "es": "ñáíóú¿¡",
    "pt": "ãõç",
    "pl": "łąęśźżćń",
    "ro": "ășțîâ",
    "tr": "ığşİçöü",
    "nordic": "åøæäö",
    "fi": "äö",
    "hu": "őűáéíóöü",
    "cs": "ěřůčšžýáíé",
    "hr": "čćđšž",
}
TELLS = 2  # a word, as much as two letters that few languages have


@lru_cache(maxsize=65_536)
def tongue(text: str) -> str:
    """A script, or the languages of Latin script that it may be in; just "latin" where nothing gives them away."""
    is_plain = text.isascii()
    for script, letters in () if is_plain else _SCRIPTS:
        if letters.search(text):
            return script
    said: defaultdict[str, int] = defaultdict(int)
    for word in latin(text):
        for each in lexicon.tongues().of(word):
            said[each] += TELLS
    small = text.casefold()
    for each, letters_of in () if is_plain else _LETTERS.items():
        said[each] += sum(small.count(letter) for letter in letters_of)
    most = max(said.values(), default=0)
    return " ".join(sorted(each for each, points in said.items() if points == most)) if most else LATIN


@lru_cache(maxsize=16_384)
def are_foreign(one: str, other: str) -> bool:
    if not one or not other:
        return False
    here, there = set(one.split()), set(other.split())
    if LATIN in here | there:
        return here <= _OTHERS or there <= _OTHERS
    return here.isdisjoint(there)


def is_likely_translated(one: str, other: str) -> bool:
    """Into English, or from it, as most that is translated; nobody knows what is in no language that is known here."""
    return not {ENGLISH, LATIN}.isdisjoint(one.split() + other.split())
