"""The keyword stuffing rule: the same few words repeated, or sentences that only fill a page."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from gleanery.discovery.spam.listing import is_list
from gleanery.discovery.spam.phrases import TOKEN
from gleanery.discovery.spam.result_text import ResultText
from gleanery.discovery.spam.tables import THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_stuffing"
STEM = 5  # letters, enough to group inflections such as "Förderung" and "Fördermittel"
SHORTEST_WORD = 4
FEWEST_WORDS = 10
# Count of the most frequent word, of the second, and their share of the longer words.
STUFFED = ((5, 4, 0.33), (7, 3, 0.4), (8, 0, 0.45))
SUSPICIOUS = (4, 3, 0.26)  # honest names and lists reach this too, so another sign is needed
PAIRS, MANY_PAIRS, WORDS_FOR_A_PAIR = 3, 4, 8  # repeated pairs of neighbouring words
EMPTY, WORN, STRAY, ENOUGH_FILLER = 2, 1, 2, 4

_PLACEHOLDER = re.compile(
    r"\{\{?\s*\w+\s*\}?\}|\[(?:city|keyword|name|month|place|town|state)\]|%(?:city|keyword|name)%"
)


def keyword_stuffing(result: ResultText) -> Spam | None:
    """Hit if the text was written for search engines."""
    return _repetition(result) or _placeholder(result) or _filler(result)


def _repetition(result: ResultText) -> Spam | None:
    """Hit if two words fill the text; one alone may begin each item of an honest list."""
    words = [token for token in result.tokens if len(token) >= SHORTEST_WORD and not token[0].isdigit()]
    if len(words) < FEWEST_WORDS:
        return None
    stems = [word[:STEM] for word in words]
    (first, often), (second, less) = (*Counter(stems).most_common(2), ("", 0))[:2]
    share = (often + less) / len(words)
    pairs = Counter(pairwise(stems)).most_common(1)[0][1]
    if any(_reaches(limits, often, less, share) for limits in STUFFED):
        stuffed = _title_repeats(result) or _has_another_sign(result)
    elif pairs >= max(MANY_PAIRS, len(words) / WORDS_FOR_A_PAIR):
        stuffed = not is_list(result) or _has_another_sign(result)
    else:
        stuffed = (_reaches(SUSPICIOUS, often, less, share) or pairs >= PAIRS) and _has_another_sign(result)
    if not stuffed:
        return None
    shown = [words[stems.index(stem)] for stem in (first, second) if stem]
    return Spam(RULE, f"{quoted(shown)} fill the text: {often + less} of its {len(words)} longer words.")


def _title_repeats(result: ResultText) -> bool:
    """Return True if the title repeats a word."""
    stems = [word[:STEM] for word in TOKEN.findall(result.title) if len(word) >= SHORTEST_WORD]
    return len(stems) > len(set(stems))


def _reaches(limits: tuple[int, int, float], often: int, less: int, share: float) -> bool:
    return often >= limits[0] and less >= limits[1] and share >= limits[2]


def _has_another_sign(result: ResultText) -> bool:
    return bool(
        result.ending in THROWAWAY_ENDINGS
        or len(result.distinct("shopping.shopping")) > 1
        or result.found.get("filler.empty")
        or result.found.get("lines.offers")
        or result.stray_goods
    )


def _placeholder(result: ResultText) -> Spam | None:
    found = _PLACEHOLDER.search(result.text)
    return Spam(RULE, f"The placeholder {quoted([found.group()])} was never filled in.") if found else None


def _filler(result: ResultText) -> Spam | None:
    """Hit for empty phrases, together with advertised goods."""
    empty, worn, strays = result.distinct("filler.empty"), result.distinct("filler.worn"), result.stray_goods
    score = len(empty) * EMPTY + len(worn) * WORN + min(len(strays), 2) * STRAY
    if score < ENOUGH_FILLER + result.site.trust + (not result.site.doubt) or not (empty or worn):
        return None
    return Spam(RULE, f"{quoted([*empty, *worn, *strays])} fill a page that says nothing.")
