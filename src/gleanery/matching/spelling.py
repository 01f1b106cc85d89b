"""Words of any script in small Latin letters, as they are compared. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

from gleanery.matching import normal
from gleanery.matching.lists import pairs_in

# Spelled as Bulgarian, Macedonian and Serbian signs do it, which anyascii does not.
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
_OF_SOMEBODY = re.compile(r"['’`´](s)\b|['’`´]", re.IGNORECASE)
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
    """Return the words of a text in small Latin letters without accents."""
    words = normal.words(_OF_SOMEBODY.sub(r"\1", _read_anew(text) if "\u00c3" in text else text))
    return tuple(each for word in words if (each := word if word.isascii() else _spelled(word)))


@lru_cache(maxsize=65_536)
def name(text: str) -> str:
    """Return a name as it is kept: its words, short forms written out, a space between them."""
    words = latin(text)
    return " ".join(_written_out(words, at) for at in range(len(words)))


@lru_cache(maxsize=65_536)
def script(text: str) -> str:
    if text.isascii():
        return LATIN
    return next((called for called, letters in _SCRIPTS if letters.search(text)), LATIN)


def _read_anew(text: str) -> str:
    """Return what was meant where UTF-8 was read as Latin-1: CafÃ©."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _spelled(word: str) -> str:
    told = word.translate(_LATIN)
    if told.isascii():
        return told
    return "".join(filter(str.isalnum, anyascii(unicodedata.normalize("NFKC", told)).casefold()))


def _written_out(words: tuple[str, ...], at: int) -> str:
    """St is a street behind its name, and a saint before one."""
    word = words[at]
    if word == "st" and at > 0 and (at == len(words) - 1 or words[at + 1] in _STREET_BEFORE):
        return "street"
    return _SAINTS.get(word) or pairs_in("short").get(word, word)
