"""Parser for sums of money in text: currency, lower and upper bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 6_000
MOST = 200

# Signs and words of each currency; the first match wins, so longer words come first.
CURRENCIES = (
    ("EUR", r"€|EUR\b|euros?\b|евро(?:то)?\b"),
    ("BGN", r"лв\b\.?|лев(?:а|ове)?\b|BGN\b|leva\b"),
    ("GBP", r"£|GBP\b|pounds?\b"),
    ("USD", r"US\$|USD\b|\$|(?:US )?dollars?\b|долара\b"),
    ("RON", r"RON\b|(?:de )?lei\b"),
    ("CHF", r"CHF\b|Fr\.|Franken\b"),
    ("PLN", r"PLN\b|zł\b"),
    ("CZK", r"CZK\b|Kč"),
    ("HUF", r"HUF\b|Ft\b"),
    ("SEK", r"SEK\b"),
    ("NOK", r"NOK\b"),
    ("DKK", r"DKK\b"),
)
MULTIPLIERS = (
    (r"(?:k|K)(?![\w])|хил(?:\.|яди)|thousand|Tsd\.?|mil(?=\s+(?:euros?|€))", 1_000),
    (r"(?:m|M)(?![\w²³])|млн\.?|милиона?|millions?|Mio\.?|Millionen|Million|milioane|millones|millón", 1_000_000),
    (r"bn(?![\w])|млрд\.?|milliards?|billion|Mrd\.?", 1_000_000_000),
)

_SIGN = "|".join(sign for _, sign in CURRENCIES)
_TIMES = "|".join(words for words, _ in MULTIPLIERS)
_GAP = r"[ \u00a0\u202f\u2009]"
_NUMBER = rf"\d{{1,3}}(?:(?:{_GAP}|[.,'’])\d{{3}})+(?!\d)(?:[.,]\d{{1,2}}(?!\d))?|\d{{1,12}}(?:[.,]\d{{1,2}}(?!\d))?"


def _one(which: int) -> str:
    return (
        rf"(?:(?P<b{which}>{_SIGN}){_GAP}?)?(?<![\d.,])(?P<n{which}>{_NUMBER})(?:[,.][-–—]{{1,2}})?"
        rf"(?:{_GAP}?(?P<t{which}>{_TIMES}))?(?:{_GAP}?(?P<a{which}>{_SIGN}))?"
    )


_TO = r"\s?(?:[-–—−]|до|to|and|bis|und|et|à|a|y|hasta|și|și|până la|и)\s?"
_SUM = re.compile(rf"{_one(1)}(?:{_TO}{_one(2)})?", re.IGNORECASE)

_UP_TO = re.compile(
    r"(?:\bup to|\bmaximum(?: of)?|\bmax\.?|\bno more than|\bat most|\bdo|до|максимум|макс\.|не повече от|"
    r"bis zu|bis|höchstens|"
    r"maximal|jusqu[’']à|hasta|máxim[oa](?: de)?|până la|maxim(?:um)?|au plus)\s*(?:the amount of |размер на )?$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:\bfrom|\bat least|\bminimum(?: of)?|\bmin\.?|\bstarting at|от|минимум|мин\.|поне|ab|mindestens|à partir de|"
    r"desde|mínimo|de la|minim(?:um)?|над|\bover|more than)\s*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:от|from|between|между|von|zwischen|entre|de|între|din|desde)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum or range. `least` or `most` is None if the text gives no such bound; a plain sum is both."""

    least: int | float | None
    most: int | float | None
    currency: str
    start: int
    end: int


def currency_of(text: str) -> str:
    """Return the only currency in the text, or "" if there is none or more than one."""
    found = {code for code, sign in CURRENCIES if re.search(rf"(?<![^\W\d_])(?:{sign})", text[:LONGEST], re.IGNORECASE)}
    return found.pop() if len(found) == 1 else ""


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_amounts(text: str, *, currency: str = "") -> list[Amount]:
    """Return all sums in order. With `currency`, plain numbers count too, as in a table column."""
    text = text[:LONGEST]
    found: list[Amount] = []
    for match in _SUM.finditer(text):
        if amount := _amount(match, text, currency):
            found.append(amount)
            if len(found) >= MOST:
                break
    return found


def parse_number(written: str) -> int | float | None:
    """Parse 1.250,50, 1,250.50 or 1 250: a separator before three digits groups, before one or two it is decimal."""
    digits = re.sub(rf"{_GAP}|['’]", "", written)
    if match := re.fullmatch(r"(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?", digits):
        whole = int(re.sub(r"[.,]", "", match[1])[:15])
        cents = int(match[2].ljust(2, "0")) if match[2] else 0
        return whole + cents / 100 if cents else whole
    return None


def _amount(match: re.Match[str], text: str, currency: str) -> Amount | None:
    second = match["n2"] is not None
    sign = match["a2"] or match["b2"] or match["a1"] or match["b1"]
    if sign is None and not currency:
        return None
    if second and not _joined(match, text):
        return _single(match, text, currency)
    code = _code(sign) if sign else currency
    low, high = _value(match, 1), _value(match, 2)
    if not second:
        return _single(match, text, currency)
    if low is None or high is None:
        return None
    if match["t2"] and not match["t1"] and low < high:  # "1-2 million" is not one euro
        low = low * _factor(match["t2"])
    if low > high:
        return None
    return Amount(low, high, code, match.start(), match.end())


def _joined(match: re.Match[str], text: str) -> bool:
    """Return True if two numbers form a range, by a dash or "to" between them or "between" before them."""
    between = text[match.end("n1") : match.start("n2")]
    return bool(re.search(r"[-–—−]|до|\bto\b|\bbis\b|\bà\b|\ba\b|hasta|până", between, re.IGNORECASE)) or bool(
        _BETWEEN.search(text[max(0, match.start() - 12) : match.start()])
    )


def _single(match: re.Match[str], text: str, currency: str) -> Amount | None:
    sign = match["a1"] or match["b1"]
    value = _value(match, 1)
    if value is None or (sign is None and not currency):
        return None
    before = text[max(0, match.start() - 24) : match.start()]
    least = None if _UP_TO.search(before) else value
    most = None if least is not None and _AT_LEAST.search(before) else value
    end = match.start("n2") if match["n2"] is not None and match.start("n2") >= 0 else match.end()
    return Amount(least, most, _code(sign) if sign else currency, match.start(), end)


def _value(match: re.Match[str], which: int) -> int | float | None:
    if match[f"n{which}"] is None:
        return None
    number = parse_number(match[f"n{which}"])
    factor = _factor(match[f"t{which}"])
    if number is None or factor == 1:
        return number
    value = round(number * factor, 2)
    return int(value) if value == int(value) else value


def _factor(word: str | None) -> int:
    if word:
        for words, factor in MULTIPLIERS:
            if re.match(words, f"{word} €", re.IGNORECASE):  # "mil" counts only before a currency
                return factor
    return 1


def _code(sign: str) -> str:
    return next((code for code, signs in CURRENCIES if re.fullmatch(signs, sign, re.IGNORECASE)), "")
