"""Keyword list: words in a row, no sentence around them, and signs that they are bait."""

from __future__ import annotations

from collections import Counter

from gleanery.discovery.spam.phrases import TOKEN
from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import STRAY_FAMILIES, THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_list"
ENOUGH = 5


def keyword_list(reading: Reading) -> Spam | None:
    """Whether the text is a list of bait: goods of many trades, or one word with every ending a searcher adds."""
    strays = stray_goods(reading)
    shopping = reading.distinct("shopping.shopping")
    score = _list_shape(reading) * 2 + min(len(strays), 4) + min(len(shopping), 3) + _common_head(reading)
    score += reading.ending in THROWAWAY_ENDINGS
    score += min(len(reading.distinct("filler.filler")), 2)
    if score < ENOUGH or not (strays or shopping):
        return None
    return Spam(RULE, f"It is a list of search words: {quoted([*strays, *shopping])}.")


def stray_goods(reading: Reading) -> list[str]:
    """One sign for each family of goods that has no business here."""
    families = [reading.distinct(family) for family in STRAY_FAMILIES]
    return [goods for family in families for goods in family[:2]]


def _list_shape(reading: Reading) -> bool:
    items = reading.items
    words = len(TOKEN.findall(reading.description))
    return len(items) >= 5 and words <= 3.2 * len(items)


def _common_head(reading: Reading) -> int:
    """Items that begin with the same word."""
    heads = Counter(item.split()[0] for item in reading.items)
    return 2 if heads and heads.most_common(1)[0][1] >= 4 else 0
