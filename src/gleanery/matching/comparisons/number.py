"""Compares numbers and single letters in two names: School 5, Building C, Phase 2. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gleanery.matching.comparison import EVERY, Comparison, Level
from gleanery.matching.pair import Pair

_ROMAN = re.compile(r"i{1,3}|iv|vi{0,3}|ix|xi{0,2}")
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_NTH = "first second third fourth fifth sixth seventh eighth ninth"
_WORDS = {word: number for listed in (_COUNTED, _NTH) for number, word in enumerate(listed.split(), 1)}
_YEAR = re.compile(r"20\d\d")
LONG = 3  # digits from which a number is likely to be unique
_CODE = re.compile(r"[a-z]{0,2}\d+[a-z]?")


def numbers(name: str) -> frozenset[str]:
    """Return the numbers in a name, spelled or in digits, and a single letter at its end, but no years."""
    words = name.split()
    found = {word for word in words if _CODE.fullmatch(word) and not _YEAR.fullmatch(word)}
    found |= {str(_WORDS[word]) for word in words if word in _WORDS}
    if len(words) > 1:
        last = words[-1]
        if _ROMAN.fullmatch(last):
            found.add(str(_arabic(last)))
        elif len(last) == 1 and last.isalpha():
            found.add(last)
    return frozenset(each.lstrip("0") or each for each in found)


def _arabic(roman: str) -> int:
    values = {"i": 1, "v": 5, "x": 10}
    worths = [values[letter] for letter in roman]
    return sum(-worth if any(worth < later for later in worths[at:]) else worth for at, worth in enumerate(worths))


def _number(pair: Pair) -> str:
    here, there = numbers(pair.one.name), numbers(pair.other.name)
    if not here and not there:
        return ""
    if not here or not there:
        return "one"
    if here == there:
        return "same"
    long_here, long_there = ({each for each in one if len(each) >= LONG} for one in (here, there))
    is_other = here.isdisjoint(there) or (long_here and long_there and long_here.isdisjoint(long_there))
    return "other" if is_other else "some"


def _values(pair: Pair) -> Mapping[str, str]:
    here, there = (", ".join(sorted(numbers(each.name))) for each in (pair.one, pair.other))
    return {"left": here.upper(), "right": there.upper()}


NUMBER = Comparison(
    "number in the name",
    EVERY,
    _number,
    (
        Level("same", "Both names have the same number or letter: {left}."),
        Level("some", "Only some of the numbers in the names agree."),
        Level("one", "Only one name has a number or letter."),
        Level("other", "The names have different numbers: {left} and {right}.", veto=True),
    ),
    _values,
    is_ranked=False,
)
