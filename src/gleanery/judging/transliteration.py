"""Transliteration of Cyrillic: the official Bulgarian system, and the phonetic spellings used in domain names."""

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

# One spelling for letters that sound the same: fondacia, fondatsiya, fondaciya; muzei, muzey, muzej.
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
    """Return the official transliteration, as on passports and road signs; final -ия becomes -ia."""
    latin = " ".join(
        word[:-2] + "ia" if word.endswith("ия") and len(word) > len("ия") else word for word in text.casefold().split()
    )
    return latin.translate(_OFFICIAL)


@lru_cache(maxsize=16384)
def skeletons(word: str) -> tuple[str, ...]:
    """Return simplified spellings of a word in a domain name: two if ъ may be "a" or "u", none for a small word."""
    folded = word.casefold()
    if folded in SMALL:
        return ()
    if folded.isascii():
        return (simplified(folded),)
    return tuple(dict.fromkeys((simplified(folded.translate(_OFFICIAL)), simplified(folded.translate(_BY_EAR)))))


def simplified(latin: str) -> str:
    """Return one spelling for letter groups that sound the same."""
    for spelled, sound in _ALIKE:
        latin = latin.replace(spelled, sound)
    return latin
