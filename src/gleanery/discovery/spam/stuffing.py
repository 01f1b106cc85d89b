"""Keyword stuffing: the same few words over and over, or sentences that only fill a page."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from gleanery.discovery.spam.listing import is_list
from gleanery.discovery.spam.phrases import TOKEN
from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_stuffing"
STEM = 5  # letters: enough to take inflections together, "Förderung" and "Fördermittel"
SHORTEST_WORD = 4
FEWEST_WORDS = 10
# How often the first word comes, the second, and their share of the longer words: in a long text words may come back.
STUFFED = ((5, 4, 0.33), (7, 3, 0.4), (8, 0, 0.45))
SUSPICIOUS = (4, 3, 0.26)  # honest names and lists reach this: it takes another sign
PAIRS, MANY_PAIRS, WORDS_FOR_A_PAIR = 3, 4, 8  # two words side by side, again and again
EMPTY, WORN, STRAY, ENOUGH_FILLER = 2, 1, 2, 4

_PLACEHOLDER = re.compile(
    r"\{\{?\s*\w+\s*\}?\}|\[(?:city|keyword|name|month|place|town|state)\]|%(?:city|keyword|name)%"
)


def keyword_stuffing(reading: Reading) -> Spam | None:
    """Whether the text was written for a search engine and not for people."""
    return _repetition(reading) or _placeholder(reading) or _filler(reading)


def _repetition(reading: Reading) -> Spam | None:
    """Two words that fill the text: one alone may head an honest list ("Fund for teachers, Fund for paths ...")."""
    words = [token for token in reading.tokens if len(token) >= SHORTEST_WORD and not token[0].isdigit()]
    if len(words) < FEWEST_WORDS:
        return None
    stems = [word[:STEM] for word in words]
    (first, often), (second, less) = (*Counter(stems).most_common(2), ("", 0))[:2]
    share = (often + less) / len(words)
    pairs = Counter(pairwise(stems)).most_common(1)[0][1]
    if any(_reaches(limits, often, less, share) for limits in STUFFED):
        stuffed = _title_repeats(reading) or _has_another_sign(reading)
    elif pairs >= max(MANY_PAIRS, len(words) / WORDS_FOR_A_PAIR):
        stuffed = not is_list(reading) or _has_another_sign(reading)
    else:
        stuffed = (_reaches(SUSPICIOUS, often, less, share) or pairs >= PAIRS) and _has_another_sign(reading)
    if not stuffed:
        return None
    shown = [words[stems.index(stem)] for stem in (first, second) if stem]
    return Spam(RULE, f"{quoted(shown)} fill the text: {often + less} of its {len(words)} longer words.")


def _title_repeats(reading: Reading) -> bool:
    """A person says a thing once in a title."""
    stems = [word[:STEM] for word in TOKEN.findall(reading.title) if len(word) >= SHORTEST_WORD]
    return len(stems) > len(set(stems))


def _reaches(limits: tuple[int, int, float], often: int, less: int, share: float) -> bool:
    return often >= limits[0] and less >= limits[1] and share >= limits[2]


def _has_another_sign(reading: Reading) -> bool:
    return bool(
        reading.ending in THROWAWAY_ENDINGS
        or len(reading.distinct("shopping.shopping")) > 1
        or reading.found.get("filler.empty")
        or reading.found.get("lines.offers")
        or reading.stray_goods
    )


def _placeholder(reading: Reading) -> Spam | None:
    found = _PLACEHOLDER.search(reading.text)
    return Spam(RULE, f"A machine forgot to fill in {quoted([found.group()])}.") if found else None


def _filler(reading: Reading) -> Spam | None:
    """Phrases of texts that say nothing; advertised goods beside them tell what the text is for."""
    empty, worn, strays = reading.distinct("filler.empty"), reading.distinct("filler.worn"), reading.stray_goods
    score = len(empty) * EMPTY + len(worn) * WORN + min(len(strays), 2) * STRAY
    if score < ENOUGH_FILLER + reading.site.trust + (not reading.site.doubt) or not (empty or worn):
        return None
    return Spam(RULE, f"{quoted([*empty, *worn, *strays])} fill a page that says nothing.")
