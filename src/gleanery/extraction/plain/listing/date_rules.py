"""Date rules in words, such as "the second Tuesday of each month", and their days within the horizon."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from gleanery.extraction.values.calendar_words import MONTH_OF, WEEKDAY_OF
from gleanery.extraction.values.horizon import DAYS_AHEAD

LAST = -1
WEEK = 7
LONGEST = 600

_ORDINALS = {
    1: "first 1st първ(?:и|ата|ият|а) ersten? premiere? premier primera? primul prima primo",
    2: "second 2nd втор(?:и|ата|ият|а) zweiten? deuxième segundo segunda doilea secondo",
    3: "third 3rd трет(?:и|ата|ият|а) dritten? troisième tercer tercera treilea terzo",
    4: "fourth 4th четвърт(?:и|ата|ият|а) vierten? quatrième cuarto cuarta patrulea quarto",
    5: "fifth 5th пет(?:и|ата|ият|а) fünften? cinquième quinto quinta cincilea",
    LAST: "last последн(?:и|ата|ият|а) letzten? dernière dernier último última ultim[aou]",
}
_NUMBER = "|".join(word for words in _ORDINALS.values() for word in words.split())
_DAY = "|".join(sorted((word for word in WEEKDAY_OF if len(word) > 2), key=len, reverse=True))  # noqa: PLR2004
_RULE = re.compile(
    rf"\b(?P<numbers>(?:{_NUMBER})(?:\s?(?:,|and|&|и|und|et|y|și|e|/)\s?(?:the\s|le\s|el\s)?(?:{_NUMBER}))*)\s"
    rf"(?P<day>{_DAY})(?P<many>s?)\b(?P<month>\s(?:of|in|от|на|im|du|de|del|al)\s(?:each|every|the|a|month|всеки|месец|jeden|jedes|monat|chaque|"
    r"mois|cada|mes|fiecărei|luni|ogni|mese|январи|\w+)\w*)?",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:except|excluding|no (?:\w+ )?meetings? in|not (?:meet|held) in|without|"
    r"без|с изключение на|außer|sauf|excepto)\b"
    r"(?P<rest>.{0,80})",
    re.IGNORECASE,
)
_NOT_EVEN = re.compile(
    r"\b(?:every other|alternat\w+|bi-?monthly|quarterly|as needed|if needed|odd|even|през месец|zweimonatlich|"
    r"un mois sur deux)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class DateRule:
    """A rule for the nth weekdays of certain months."""

    numbers: tuple[int, ...]
    weekday: int
    months: frozenset[int]
    words: str

    def days(self, today: date) -> Iterator[date]:
        month = today.replace(day=1)
        last = today + timedelta(days=DAYS_AHEAD)
        while month <= last:
            if month.month in self.months:
                yield from (day for day in sorted(self._in_month(month)) if today <= day <= last)
            month = (month + timedelta(days=32)).replace(day=1)

    def _in_month(self, month: date) -> Iterator[date]:
        length = monthrange(month.year, month.month)[1]
        first = 1 + (self.weekday - month.weekday()) % WEEK
        for number in self.numbers:
            day = first + WEEK * ((length - first) // WEEK if number == LAST else number - 1)
            if day <= length:
                yield month.replace(day=day)


def rule_in(text: str) -> DateRule | None:
    """Return the first complete rule in a text, or None."""
    text = text[:LONGEST]
    match = _RULE.search(text)
    if match is None or not (match["many"] or match["month"]) or _NOT_EVEN.search(text):
        return None
    return DateRule(
        tuple(_numbers(match["numbers"])), WEEKDAY_OF[match["day"].lower()], _months(text, match), match.group().strip()
    )


def _numbers(text: str) -> Iterator[int]:
    for number, words in _ORDINALS.items():
        if re.search(rf"\b(?:{'|'.join(words.split())})\b", text, re.IGNORECASE):
            yield number


def _months(text: str, match: re.Match[str]) -> frozenset[int]:
    """Return the months named after the rule, else all except those excluded."""
    after = text[match.end() - len(match["month"] or "") : match.end() + 60] if match["month"] else ""
    left_out = {month for each in _WITHOUT.finditer(text) for month in _named(each["rest"])}
    return frozenset((_named(after) - left_out) or set(range(1, 13)) - left_out)


def _named(text: str) -> set[int]:
    """Return the months named in the first sentence; lower-case "may" does not count."""
    words = _WORD.findall(text.partition(".")[0])
    return {MONTH_OF[word.lower()] for word in words if len(word) > 2 and word.lower() in MONTH_OF and word != "may"}  # noqa: PLR2004
