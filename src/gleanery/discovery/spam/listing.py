"""Keyword list: words in a row, no sentence around them, and signs that they are bait."""

from __future__ import annotations

from collections import Counter

from gleanery.discovery.spam.phrases import TOKEN
from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import STRAY_FAMILIES, THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_list"
ENOUGH = 5
LIST, HEAD, LINKS = 2, 2, 2
MOST_STRAYS, MOST_SHOPPING = 4, 3
FEWEST_ITEMS = 5
LONGEST_ITEM = 3.2  # words on average: more is a sentence
SAME_HEAD = 4
MANY_FAMILIES = 3


def keyword_list(reading: Reading) -> Spam | None:
    """Whether the text is a list of bait: goods of many trades, or one word with every ending a searcher adds."""
    strays, shopping = reading.stray_goods, reading.distinct("shopping.shopping")
    score = (
        is_list(reading) * LIST
        + min(len(strays), MOST_STRAYS)
        + min(len(shopping), MOST_SHOPPING)
        + _has_common_head(reading) * HEAD
        + (reading.ending in THROWAWAY_ENDINGS)
        + _is_shop_window(reading) * LINKS
    )
    if score < ENOUGH or not (is_list(reading) or _is_shop_window(reading)) or not _is_bait(reading):
        return None
    return Spam(RULE, f"It is a list of search words, not a text: {quoted([*strays, *shopping])}.")


def _is_bait(reading: Reading) -> bool:
    """Sponsors, services and places to stay are listed too: bait speaks as searchers do, or wants to be clicked."""
    shopping = reading.distinct("shopping.shopping")
    if not reading.stray_goods:
        return len(shopping) > 1
    clicks = "links.hints" in reading.found or "links.offers" in reading.found
    return bool(shopping) or clicks or reading.ending in THROWAWAY_ENDINGS


def stray_families(reading: Reading) -> int:
    return sum(family in reading.found for family in STRAY_FAMILIES)


def is_list(reading: Reading) -> bool:
    words = len(TOKEN.findall(reading.description))
    return len(reading.items) >= FEWEST_ITEMS and words <= LONGEST_ITEM * len(reading.items)


def is_mixed_list(reading: Reading) -> bool:
    return stray_families(reading) >= MANY_FAMILIES and is_list(reading)


def _has_common_head(reading: Reading) -> bool:
    heads = Counter(item.split()[0] for item in reading.items)
    return bool(heads) and heads.most_common(1)[0][1] >= SAME_HEAD


def _is_shop_window(reading: Reading) -> bool:
    """Goods of many families, recommended in sentences."""
    return stray_families(reading) >= MANY_FAMILIES and bool(reading.found.get("links.hints"))
