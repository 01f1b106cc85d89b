"""How words of any script are spelled alike: in Latin letters, and by rough sound. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

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
# As other languages write the saint of a name; what makes a record's identity stays with the few of normal.py.
_TOO = "sankt san santo santa sint sao sfantul sfanta agios agia ayios saints sts sveta sveti sainte"
_SAINTS = dict.fromkeys(_TOO.split(), "saint")
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
    spelled = (_word(normal.SAINTS.get(word, word)) for word in normal.words(text))
    return " ".join(_SAINTS.get(word, word) for word in spelled)


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
