"""Normal form of names and addresses, in which different spellings become equal. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPECIAL = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d", "ħ": "h", "&": " and "}
)
_BREVE = "\u0306"  # й is a letter of its own, not an и with an accent
_APART = re.compile(r"[\W_]+")
# Cyrillic letters that look like Latin ones: in Roman numerals and codes both are typed.
_ALIKE = str.maketrans("авекмнорстухіј", "abekmhopctyxij")
_ROMAN = re.compile(r"[ivxlcdmіхсм]+")
_CODE = re.compile(r"[a-zавекмнорстухіј]*\d[a-z\dавекмнорстухіј]*")

SAINTS = {"st": "saint", "ste": "sainte", "св": "свети", "света": "свети", "sv": "sveti", "sveta": "sveti"}
STREETS = {
    "st": "street",
    "str": "street",
    "rd": "road",
    "ave": "avenue",
    "av": "avenue",
    "blvd": "boulevard",
    "bd": "boulevard",
    "bul": "bulevard",
    "ul": "ulitsa",
    "sq": "square",
    "ln": "lane",
    "dr": "drive",
    "pl": "place",
    "strasse": "street",
    "ул": "улица",
    "бул": "булевард",
    "пл": "площад",
    "жк": "комплекс",
    "no": "",
    "number": "",
    "номер": "",
}
_FORMS = """
    ltd limited inc incorporated llc llp lp plc corp corporation cic cio company gmbh ggmbh mbh ag ev eg kg ohg sa sas
    sarl asbl vzw bv nv sl spa srl sro as oy oyj ab aps doo dooel ad ead eood ood оод еоод ад еад ет сд кд дззд ооо
    зао оао пао ао нко ано тов kft zrt rt spzoo
"""
LEGAL_FORMS = frozenset(_FORMS.split())


def name(text: str) -> str:
    """Return the normal form of the name of a thing or a place."""
    return " ".join(SAINTS.get(word, word) for word in words(text))


def bare_name(text: str) -> str:
    """Return the name of an organisation without its legal form, unless the legal form is all there is."""
    whole = [SAINTS.get(word, word) for word in words(text)]
    begin, end = 0, len(whole)
    while end > begin and whole[end - 1] in LEGAL_FORMS:
        end -= 1
    while begin < end and whole[begin] in LEGAL_FORMS:
        begin += 1
    return " ".join(whole[begin:end] or whole)


def address(text: str) -> str:
    """Return street and number, with street abbreviations written out."""
    return " ".join(word for each in words(text) if (word := STREETS.get(each, each)))


def house_number(text: str) -> str:
    """Return the number before or after the street; ignore what follows a comma, such as a floor or an entrance."""
    first = words(text.partition(",")[0])
    numbers = [index for index, word in enumerate(first) if word[0].isdigit()]
    if not numbers:
        return ""
    index = numbers[0] if numbers[0] == 0 and len(first) > 1 and not first[-1][0].isdigit() else numbers[-1]
    return first[index]


@lru_cache(maxsize=16_384)
def words(text: str) -> tuple[str, ...]:
    """Split a text into words: lower case, compatibility forms unified, no accents or punctuation, "&" as "and".

    Single letters in a row are joined, so that "e.V.", "E. V." and "eV" are the same word.
    """
    plain = text.casefold() if text.isascii() else _plain(text)
    found: list[str] = []
    alone = False
    for word in _APART.split(plain.replace("&", " and ")):
        if not word:
            continue
        single = len(word) == 1 and not word.isdigit()
        if single and alone:
            found[-1] += word
        else:
            found.append(word)
        alone = single
    return tuple(word if word.isascii() else _digits(word) for word in found)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SPECIAL)
    if folded.isascii():
        return folded
    kept: list[str] = []
    for letter in unicodedata.normalize("NFD", folded):
        if unicodedata.combining(letter):
            if letter == _BREVE and kept and kept[-1] == "и":
                kept.append(letter)
        else:
            kept.append(_ascii_digit(letter))
    return unicodedata.normalize("NFKC", "".join(kept))


def _ascii_digit(letter: str) -> str:
    return str(unicodedata.decimal(letter)) if letter.isdecimal() else letter


def _digits(word: str) -> str:
    """Read Roman numerals and codes typed in Cyrillic as the Latin letters they look like (XX, A1)."""
    return word.translate(_ALIKE) if _ROMAN.fullmatch(word) or _CODE.fullmatch(word) else word
