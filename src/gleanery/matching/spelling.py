"""Transliteration of words in any script to lower-case Latin letters, as they are compared. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

from gleanery.matching import normal
from gleanery.matching.lists import pairs_in

# The spelling on Bulgarian, Macedonian and Serbian signs, which differs from anyascii.
_CYRILLIC = {
    **dict(zip("абвгдезийклмнопрстуфъыэ", "abvgdeziyklmnoprstufaye", strict=True)),
    "ж": "zh",
    "х": "h",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "sht",
    "ь": "",
    "ю": "yu",
    "я": "ya",
    "ё": "yo",
    "є": "ye",
    "і": "i",
    "ї": "i",
    "ґ": "g",
    "ђ": "dj",
    "ј": "j",
    "љ": "lj",
    "њ": "nj",
    "ћ": "c",
    "џ": "dz",
    "ѓ": "g",
    "ќ": "k",
    "ѕ": "dz",
    "ў": "u",
}
_GREEK = dict(zip("αβγδεζηικλμνοπρσςτυφωθξχψ", [*"avgdeziiklmnoprsstifo", "th", "x", "ch", "ps"], strict=True))
_LATIN = str.maketrans({**_CYRILLIC, **_GREEK, "ß": "ss"})
_APOSTROPHE = re.compile(r"['’`´](s)\b|['’`´]", re.IGNORECASE)
_SAINTS = dict.fromkeys(
    [
        "sankt",
        "san",
        "santo",
        "santa",
        "sint",
        "sao",
        "agios",
        "agia",
        "saints",
        "sts",
        "sveta",
        "sveti",
        "sainte",
        "st",
    ],
    "saint",
)
_SCRIPTS = (
    ("Cyrillic", re.compile("[\u0400-\u052f]")),
    ("Greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("Arabic", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("Hebrew", re.compile("[\u0590-\u05ff]")),
    ("Indic", re.compile("[\u0900-\u0dff]")),
    ("Chinese, Japanese or Korean", re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")),
)
LATIN = "Latin"
_STREET_BEFORE = frozenset(["market", "station", "church", "school", "library", "clinic", "surgery", "car", "park"])


@lru_cache(maxsize=65_536)
def latin(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower-case Latin letters without accents."""
    words = normal.words(_APOSTROPHE.sub(r"\1", _repair_encoding(text) if "\u00c3" in text else text))
    return tuple(each for word in words if (each := word if word.isascii() else _transliterated(word)))


@lru_cache(maxsize=65_536)
def name(text: str) -> str:
    """Return a name as it is stored: its words with abbreviations written out, separated by spaces."""
    words = latin(text)
    return " ".join(_written_out(words, at) for at in range(len(words)))


@lru_cache(maxsize=65_536)
def script(text: str) -> str:
    if text.isascii():
        return LATIN
    return next((called for called, letters in _SCRIPTS if letters.search(text)), LATIN)


def _repair_encoding(text: str) -> str:
    """Repair UTF-8 that was read as Latin-1 (CafÃ©)."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _transliterated(word: str) -> str:
    latin_word = word.translate(_LATIN)
    if latin_word.isascii():
        return latin_word
    return "".join(filter(str.isalnum, anyascii(unicodedata.normalize("NFKC", latin_word)).casefold()))


def _written_out(words: tuple[str, ...], at: int) -> str:
    """Write out an abbreviation; "St" is "street" after a name and "saint" before one."""
    word = words[at]
    if word == "st" and at > 0 and (at == len(words) - 1 or words[at + 1] in _STREET_BEFORE):
        return "street"
    return _SAINTS.get(word) or pairs_in("short").get(word, word)
