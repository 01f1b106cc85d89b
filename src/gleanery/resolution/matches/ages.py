"""For what ages something is, as names and conditions tell it: 3–6 years, under 27, 18+, от 7 до 12 г. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

Ages = tuple[int, int]  # from and to, in months
YEAR = 12
OLDEST = 120 * YEAR


def _any_of(words: str) -> str:
    return "(?:" + "|".join(words.split("/")) + ")"


_MONTHS = _any_of(r"months?/mths?/mon\.?/monate?n?/mois/meses/mesi/мес(?:еца?|\.)?/miesi\w*/měsíc\w*/luni/maanden")
_YEARS = _any_of(
    r"years?/yrs?/yo/jahren?/ans/años/anos/anni/лет/години/год/г/lat/let/rok\w*/ani/jaar/år/vuo\w*/év\w*/ετών/χρονών"
)
_UNIT = rf"\s*(?:(?P<months>{_MONTHS})|{_YEARS})(?!\w)\.?"
_TO = _any_of(r"[-–—]/to/bis/à/a/до/do/tot")
_OVER = _any_of(r"over/above/from/ab/über/над/от/навърш\w+/dès/más de/oltre/powyżej/od/peste/vanaf")
_UNDER = _any_of(r"under/below/up to/unter/bis/под/до/moins de/menores de/sotto i/fino a/poniżej/do/sub/tot")
_FROM_TO = re.compile(
    rf"(?<![\d.,/])(?P<least>\d{{1,2}})(?:\s*(?:(?P<first_months>{_MONTHS})|(?P<first_years>{_YEARS}))(?!\w)\.?)?\s*{_TO}\s*"
    rf"(?P<most>\d{{1,3}}){_UNIT}",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"(?<!\w){_OVER}\s+(?P<least>\d{{1,2}}){_UNIT}|(?<![\d.,])(?P<plus>\d{{1,2}})\s?\+(?!\w)", re.IGNORECASE
)
_TILL = re.compile(
    rf"(?<!\w){_UNDER}\s+(?P<most>\d{{1,2}}){_UNIT}|(?<!\w)(?:under|unter|U)[ -]?(?P<bare>\d{{1,2}})s?(?!\w)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"(?:\b(?:ages?|aged|alter|edad|età|wiek|възраст)\s+|^\s*)(\d{1,2})\s*[-–—]\s*(\d{1,2})(?=\s*[,;()]|\s*$)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def ages(text: str) -> Ages | None:
    """None if they are not told, or more than once."""
    if not any(letter.isdigit() for letter in text):
        return None
    told = [
        # Of 0–12 months both are months; of 10 months to 3 years only the first is.
        (
            _in_months(each["least"], each["first_months"] or (each["months"] and not each["first_years"])),
            _in_months(each["most"], each["months"]),
        )
        for each in _FROM_TO.finditer(text)
    ] or [
        *((_in_months(each["least"] or each["plus"], each["months"]), OLDEST) for each in _FROM.finditer(text)),
        *((0, _in_months(each["most"] or each["bare"], each["months"])) for each in _TILL.finditer(text)),
        *((int(least) * YEAR, int(most) * YEAR) for least, most in _AGED.findall(text)),
    ]
    return told[0] if len(told) == 1 and told[0][0] < told[0][1] <= OLDEST else None


def are_apart(one: Ages, other: Ages) -> bool:
    """Whether nobody is of both; that one ends where the other begins makes no difference."""
    return one[1] <= other[0] or other[1] <= one[0]


def _in_months(number: str, months: object) -> int:
    return int(number) * (1 if months else YEAR)
