"""How words of any script are spelled alike: in Latin letters, and by rough sound. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from anyascii import anyascii

from gleanery.resolution import normal

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
_GREEK = {
    **dict(zip("αβγδεζηικλμνοπρσςτυφω", "avgdeziiklmnoprsstifo", strict=True)),
    "θ": "th",
    "ξ": "x",
    "χ": "ch",
    "ψ": "ps",
}
_LATIN = str.maketrans({**_CYRILLIC, **_GREEK, "ß": "ss"})
# Scripts that are spelled out before accents are taken away, which are their vowels: Armenian, Hebrew, Arabic, those of
# India, Georgian, Korean. Chinese and Japanese names stay as they are: nothing tells how they sound.
_SPELLED_OUT = re.compile("[\u0530-\u06ff\u0750-\u077f\u0900-\u0dff\u10a0-\u10ff\uac00-\ud7af]+")
_NO_LETTERS = re.compile("[^A-Za-z0-9]+")
_VOWELS = re.compile("[aeiouyhw]+")
# As other languages write the saint of a name; what makes a record's identity stays with the few of normal.py.
_TOO = "sankt san santo santa sint sao sfantul sfanta agios agia ayios saints sts sveta sveti sainte"
_SAINTS = dict.fromkeys(_TOO.split(), "saint")
# What an English street has, and no saint is called.
_HOUSES = """
    baptist cafe car centre center chapel church clinic community gallery gardens hall health house library market
    medical methodist museum neighborhood nursery park primary school station studios surgery theatre theater youth
"""
_IN_STREETS = frozenset(_HOUSES.split())
# Letters of one sound as different systems and languages write them, the longer ones first.
_SYSTEMS = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        ("sht|sch|sh|sz|sj", "s"),
        ("tch|cz|ch", "ts"),
        ("dzh|dj|zh|rz", "j"),
        ("ph", "f"),
        ("th", "t"),
        ("kh", "h"),
        ("ck|q", "k"),
        ("x", "ks"),
        ("c(?![eiy])", "k"),
        ("tz|ts|tc", "c"),
        ("w", "v"),
        ("ou|oo", "u"),
        ("([aou])e", r"\1"),
        ("i?[jy](?=[aou])|i(?=[aou])", ""),
        ("[yj]", "i"),
        ("ee|ie|ii", "i"),
        (r"(.)\1+", r"\1"),
    )
)
# One quick look spares most words all of them.
_VARIES = re.compile(r"[cjqwxy]|[st]z|s[hj]|rz|[pkt]h|zh|ts|d[zj]|ou|ie|i[aou]|[aou]e|([^\W\d_])\1")


@lru_cache(maxsize=65_536)
def latin(text: str) -> tuple[str, ...]:
    """Words in small Latin letters without accents, whatever they were written in."""
    return tuple(_word(word) for word in normal.words(text))


@lru_cache(maxsize=65_536)
def name(text: str) -> str:
    """As names are kept: Latin, with a space between words; "St." is Saint."""
    if not text.isascii() and (told := _spelled_out(text)) != text:
        return " ".join(latin(told))  # of which no word is a saint for looking like one
    return as_written(text)


@lru_cache(maxsize=65_536)
def as_written(text: str) -> str:
    """The same, but for scripts that are only roughly spelled out, with their marks, which are vowels."""
    if not text.isascii() and _SPELLED_OUT.search(folded := _folded(text)):
        return " ".join(folded.split())
    words = normal.words(text)
    spelled = (
        "street" if word == "st" and _is_street(words, at) else _word(normal.SAINTS.get(word, word))
        for at, word in enumerate(words)
    )
    return " ".join(_SAINTS.get(word, word) for word in spelled)


def _is_street(words: Sequence[str], at: int) -> bool:
    """Grey St, Freeman St Market; a saint is named behind it."""
    return at > 0 and (at == len(words) - 1 or words[at + 1] in _IN_STREETS)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _spelled_out(text: str) -> str:
    if _SPELLED_OUT.search(folded := _folded(text)) is None:
        return text
    return _SPELLED_OUT.sub(lambda run: _NO_LETTERS.sub("", anyascii(run[0])), folded)


def sound_alike(one: str, other: str) -> bool:
    """In two scripts of which some write no vowels: by their consonants, if there are several. Aswan is swn."""
    here, there = (sound(_spelled_out(each).casefold().replace(" ", "")) for each in (one, other))
    bare = _VOWELS.sub("", here)
    return here == there or (len(bare) > 1 and bare == _VOWELS.sub("", there))


def _word(word: str) -> str:
    return word if word.isascii() else word.translate(_LATIN)


@lru_cache(maxsize=131_072)
def sound(word: str) -> str:
    """The same for Tsentar, Centar and Zentar; rough on purpose, and only ever compared with others of its kind."""
    if len(word) < 3 or not word.isalpha():  # noqa: PLR2004 - so short a word has no spelling to vary
        return word
    if _VARIES.search(word) is None:
        return word
    for pattern, by in _SYSTEMS:
        word = pattern.sub(by, word)
    return word
