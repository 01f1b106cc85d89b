"""Letters: one plain spelling for every way of writing a word, so that a table needs each word once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# What Unicode does not take apart, but people write without: pacanele, kredi, dogum, lozanka.
_PLAIN = str.maketrans({"ı": "i", "ł": "l", "ø": "o", "đ": "dj", "æ": "ae", "œ": "oe", "ħ": "h"})
_OTHER = re.compile("[ıłøđæœħ]")

# Accents and their like; the planes above hold none of a language in the tables.
_MN = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) == "Mn")
_MARKS = re.compile(f"[{_MN}]")

_SEAM = re.compile("[a-z][а-яіјѕα-ω]|[а-яіјѕα-ω][a-z]")
_MIXED = re.compile(r"\w*(?:[a-z][а-яіјѕα-ω]|[а-яіјѕα-ω][a-z])\w*")
_TO_LATIN = str.maketrans("асеіјорѕхукмтвнαεικορτυνχ", "aceijopsxykmtbhaeikoptuvx")
_TO_CYRILLIC = str.maketrans("aceijopsxykmtbh", "асеіјорѕхукмтвн")

_DIGITS_INSIDE = re.compile(r"\b[a-z]+[013457$@][a-z]+[a-z013457$@]*\b")
_DIGIT_LETTERS = str.maketrans("013457$@", "oieastsa")

# Bulgarian, and Serbian after its Latin letters have lost their marks: both are read by the tables of Cyrillic words.
_BULGARIAN = str.maketrans(
    dict(zip("абвгдезиклмнопрстуфхъ", "abvgdeziklmnoprstufha", strict=True))
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ь": "y", "ю": "yu", "я": "ya", "ј": "j"}
)
_SERBIAN = str.maketrans(
    dict(zip("абвгдежзијклмнопрстуфхцчшћ", "abvgdezzijklmnoprstufhccsc", strict=True))
    | {"љ": "lj", "њ": "nj", "ђ": "dj", "џ": "dz"}
)


def fold(text: str) -> str:
    """Case-folded, without marks, and each word in one script; folding twice changes nothing more."""
    if text.isascii():
        return _undisguised(text.lower())
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()
    return _undisguised(plain.translate(_PLAIN) if _OTHER.search(plain) else plain)


def in_latin(word: str) -> frozenset[str]:
    """How a Cyrillic word is spelled by people, and domains, that have only Latin letters."""
    latin = {word.translate(_BULGARIAN), word.translate(_SERBIAN)}
    return frozenset(each for each in latin if each.isascii() and each != word)


def _undisguised(text: str) -> str:
    if _SEAM.search(text):
        text = _MIXED.sub(lambda found: _in_one_script(found.group()), text)
    if _DIGITS_INSIDE.search(text):
        text = _DIGITS_INSIDE.sub(lambda found: found.group().translate(_DIGIT_LETTERS), text)
    return text


@lru_cache(maxsize=4096)
def _in_one_script(word: str) -> str:
    latin = word.translate(_TO_LATIN)
    if latin.isascii():
        return latin
    return word.translate(_TO_CYRILLIC)
