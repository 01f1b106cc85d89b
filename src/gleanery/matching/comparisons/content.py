"""Compares amounts and descriptions. Pure."""

from __future__ import annotations

import math

from gleanery.matching.comparison import EVERY, Comparison, Level
from gleanery.matching.pair import Pair

FEWEST_WORDS = 5
COSINES = ((0.8, "same"), (0.5, "much"), (0.25, "some"), (0.1, "little"), (0.0, "other"))


def _amount(pair: Pair) -> str:
    here, there = ({each.least, each.most} - {None} for each in (pair.one, pair.other))
    if not here or not there:
        return ""
    if pair.one.currency and pair.other.currency and pair.one.currency != pair.other.currency:
        return ""
    return "same" if here & there else "other"


def _description(pair: Pair) -> str:
    """Compare the rare words of two descriptions, ignoring words that a source uses for everything it lists."""
    here, there = (_words(pair, at) for at in (0, 1))
    if min(len(here), len(there)) < FEWEST_WORDS:
        return ""
    weight = pair.rarity.of_text
    both = math.fsum(weight(word) ** 2 for word in here & there)
    lengths = math.fsum(weight(word) ** 2 for word in here) * math.fsum(weight(word) ** 2 for word in there)
    cosine = both / math.sqrt(lengths) if lengths else 0.0
    return next(level for least, level in COSINES if cosine >= least)


def _words(pair: Pair, at: int) -> set[str]:
    record = (pair.one, pair.other)[at]
    return set(record.about).difference(pair.rarity.boilerplate.get(pair.sources[at], ()))


AMOUNT = Comparison(
    "amount",
    ("funding",),
    _amount,
    (Level("same", "They give the same amount."), Level("other", "They give different amounts.")),
)
DESCRIPTION = Comparison(
    "description",
    EVERY,
    _description,
    (
        Level("same", "Their descriptions are nearly the same."),
        Level("much", "Their descriptions have many rare words in common."),
        Level("some", "Their descriptions have some rare words in common."),
        Level("little", "Their descriptions have little in common."),
        Level("other", "Their descriptions have nothing in common."),
    ),
)
