"""Transliteration: Cyrillic in Latin letters, the official Bulgarian way and as names of sites spell it by ear."""

from __future__ import annotations

from functools import lru_cache

from gleanery.judging.tables import SMALL

_LETTERS = dict(zip("абвгдезийклмнопрстуфхъьэыё", "abvgdeziyklmnoprstufhayeye", strict=True)) | {
    "ж": "zh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "sht",
    "ю": "yu",
    "я": "ya",
    "ѝ": "i",
    "ј": "j",
    "і": "i",
}
_OFFICIAL = str.maketrans(_LETTERS)
_BY_EAR = str.maketrans(_LETTERS | {"ъ": "u"})

# One spelling for what ears hear alike: fondacia, fondatsiya, fondaciya; muzei, muzey, muzej.
_ALIKE = (
    ("sht", "s"),
    ("sh", "s"),
    ("zh", "z"),
    ("ch", "c"),
    ("tz", "c"),
    ("ts", "c"),
    ("ph", "f"),
    ("th", "t"),
    ("ck", "k"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
    ("ii", "i"),
    ("tre", "ter"),
)


def official(text: str) -> str:
    """As passports and road signs write it; -ия at the end of a word is -ia."""
    latin = " ".join(
        word[:-2] + "ia" if word.endswith("ия") and len(word) > len("ия") else word for word in text.casefold().split()
    )
    return latin.translate(_OFFICIAL)


@lru_cache(maxsize=16384)
def skeletons(word: str) -> tuple[str, ...]:
    """How a word may look in the name of a site, roughly spelled: twice if ъ may be a or u, never if it is small."""
    folded = word.casefold()
    if folded in SMALL:
        return ()
    if folded.isascii():
        return (rough(folded),)
    return tuple(dict.fromkeys((rough(folded.translate(_OFFICIAL)), rough(folded.translate(_BY_EAR)))))


def rough(latin: str) -> str:
    for spelled, heard in _ALIKE:
        latin = latin.replace(spelled, heard)
    return latin
