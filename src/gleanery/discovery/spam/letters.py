"""Folds text to one plain spelling per word, so that word tables need each word once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters that Unicode does not decompose but people write without marks: pacanele, kredi, dogum, lozanka.
_PLAIN = str.maketrans({"ı": "i", "ł": "l", "ø": "o", "đ": "dj", "æ": "ae", "œ": "oe", "ħ": "h"})
_OTHER = re.compile("[ıłøđæœħ]")

# Combining marks of the first plane; the languages in the tables use no others.
_MN = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) == "Mn")
_MARKS = re.compile(f"[{_MN}]")

_SEAM = re.compile("[a-z][а-яіјѕα-ω]|[а-яіјѕα-ω][a-z]")
_MIXED = re.compile(r"\w*(?:[a-z][а-яіјѕα-ω]|[а-яіјѕα-ω][a-z])\w*")
_TO_LATIN = str.maketrans("асеіјорѕхукмтвнαεικορτυνχ", "aceijopsxykmtbhaeikoptuvx")
_TO_CYRILLIC = str.maketrans("aceijopsxykmtbh", "асеіјорѕхукмтвн")

_DIGITS_INSIDE = re.compile(r"\b[a-z]+[013457$@][a-z]+[a-z013457$@]*\b")
_DIGIT_LETTERS = str.maketrans("013457$@", "oieastsa")

# Transliteration of Bulgarian, and of Serbian without marks, so that tables of Cyrillic words match both.
_BULGARIAN = str.maketrans(
    dict(zip("абвгдезиклмнопрстуфхъ", "abvgdeziklmnoprstufha", strict=True))
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ь": "y", "ю": "yu", "я": "ya", "ј": "j"}
)
_SERBIAN = str.maketrans(
    dict(zip("абвгдежзијклмнопрстуфхцчшћ", "abvgdezzijklmnoprstufhccsc", strict=True))
    | {"љ": "lj", "њ": "nj", "ђ": "dj", "џ": "dz"}
)


def fold(text: str) -> str:
    """Return the text case-folded, without marks, with each word in one script (idempotent)."""
    if text.isascii():
        return _undisguised(text.lower())
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())).casefold()
    return _undisguised(plain.translate(_PLAIN) if _OTHER.search(plain) else plain)


def in_latin(word: str) -> frozenset[str]:
    """Return transliterations of a Cyrillic word, as in Latin text and domain names."""
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
