"""In which language a name is, as far as a few letters and small words tell: translated names are not alike. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

LATIN, ENGLISH, NOT_ENGLISH = "latin", "en", "one of several"
_WORD = re.compile(r"\w+")
_SCRIPTS = (
    ("cyrillic", re.compile("[\u0400-\u052f]")),
    ("greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("arabic", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("hebrew", re.compile("[\u0590-\u05ff]")),
    ("indic", re.compile("[\u0900-\u0dff]")),
    ("thai", re.compile("[\u0e00-\u0eff]")),
    ("georgian or armenian", re.compile("[\u0530-\u058f\u10a0-\u10ff]")),
    ("east asian", re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")),
)
_WORDS = {
    "en": "the of for and with at by from your our",
    "de": "der die das und für im am zum zur mit vom ein eine des dem beim bei auf",
    "fr": "le la les des du et pour avec aux au une sur de",
    "es": "el los las del y para con una por de la",
    "it": "il della di per gli nel nella dei alla con e la",
    "pt": "do da dos das para no na em ao e de",
    "nl": "de het een van voor en op bij",
    "pl": "w z i dla na od do po przy im",
    "ro": "și pentru din cu la al de în",
    "tr": "ve ile için bir",
    "nordic": "och og i på för for av til till med den det",
    "fi": "ja ei tai",
    "hu": "és a az egy",
    "cs": "a v na pro se ve při",
    "hr": "i u za na od",
}
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
_OF_WORD: dict[str, list[str]] = {}
for _tongue, _words in _WORDS.items():
    for _word in _words.split():
        _OF_WORD.setdefault(_word, []).append(_tongue)


@lru_cache(maxsize=65_536)
def tongue(text: str) -> str:
    """A script, or a language of Latin script; just "latin" where neither letters nor small words give it away."""
    is_plain = text.isascii()
    for script, letters in () if is_plain else _SCRIPTS:
        if letters.search(text):
            return script
    small = text.casefold()
    said: Counter[str] = Counter()
    for word in _WORD.findall(small):
        for each in _OF_WORD.get(word, ()):
            said[each] += 2
    for each, letters_of in () if is_plain else _LETTERS.items():
        said[each] += sum(small.count(letter) for letter in letters_of)
    ranked = said.most_common(2)
    if not ranked or not ranked[0][1]:
        return LATIN
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return LATIN if said[ENGLISH] == ranked[0][1] else NOT_ENGLISH
    return ranked[0][0]


def are_foreign(one: str, other: str) -> bool:
    if not one or not other or one == other:
        return False
    if NOT_ENGLISH in (one, other) and _is_latin(one) and _is_latin(other):
        return ENGLISH in (one, other)
    return LATIN not in (one, other) or not (_is_latin(one) and _is_latin(other))


def _is_latin(given: str) -> bool:
    return given in (LATIN, NOT_ENGLISH) or given in _WORDS
