"""The keyword list rule: lists of words without sentences, with signs of spam."""

from __future__ import annotations

from collections import Counter

from gleanery.discovery.spam.phrases import TOKEN
from gleanery.discovery.spam.result_text import ResultText
from gleanery.discovery.spam.tables import STRAY_FAMILIES, THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_list"
ENOUGH = 5
LIST, HEAD, LINKS = 2, 2, 2
MOST_STRAYS, MOST_SHOPPING = 4, 3
FEWEST_ITEMS = 5
LONGEST_ITEM = 3.2  # words on average; longer items are sentences
SAME_HEAD = 4
MANY_FAMILIES = 3


def keyword_list(result: ResultText) -> Spam | None:
    """Hit if the text is a list of goods of many trades, or of search phrases about one thing."""
    strays, shopping = result.stray_goods, result.distinct("shopping.shopping")
    score = (
        is_list(result) * LIST
        + min(len(strays), MOST_STRAYS)
        + min(len(shopping), MOST_SHOPPING)
        + _has_common_head(result) * HEAD
        + (result.ending in THROWAWAY_ENDINGS)
        + _is_shop_window(result) * LINKS
    )
    if score < ENOUGH or not (is_list(result) or _is_shop_window(result)) or not _is_bait(result):
        return None
    return Spam(RULE, f"It is a list of search words instead of a text: {quoted([*strays, *shopping])}.")


def _is_bait(result: ResultText) -> bool:
    """Return True for words of searchers or links to click, unlike honest lists of sponsors or services."""
    shopping = result.distinct("shopping.shopping")
    if not result.stray_goods:
        return len(shopping) > 1
    clicks = "links.hints" in result.found or "links.offers" in result.found
    return bool(shopping) or clicks or result.ending in THROWAWAY_ENDINGS


def stray_families(result: ResultText) -> int:
    return sum(family in result.found for family in STRAY_FAMILIES)


def is_list(result: ResultText) -> bool:
    words = len(TOKEN.findall(result.description))
    return len(result.items) >= FEWEST_ITEMS and words <= LONGEST_ITEM * len(result.items)


def is_mixed_list(result: ResultText) -> bool:
    return stray_families(result) >= MANY_FAMILIES and is_list(result)


def _has_common_head(result: ResultText) -> bool:
    heads = Counter(item.split()[0] for item in result.items)
    return bool(heads) and heads.most_common(1)[0][1] >= SAME_HEAD


def _is_shop_window(result: ResultText) -> bool:
    """Return True if goods of many families are recommended."""
    return stray_families(result) >= MANY_FAMILIES and bool(result.found.get("links.hints"))
