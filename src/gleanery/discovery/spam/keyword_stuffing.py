"""Keyword stuffing: the same few words over and over, or sentences that only fill a page."""

from __future__ import annotations

import re
from collections import Counter

from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.verdict import Spam, quoted

RULE = "keyword_stuffing"
STEM = 5  # letters: enough to take inflections together, "Förderung" and "Fördermittel"
SHORTEST_WORD = 4
PHRASE = 3  # words
LEAST_WORDS = 10

_PLACEHOLDER = re.compile(r"\{\{?\s*\w+\s*\}?\}|%%?\w+%%?(?=\W)|\[(?:city|keyword|name|month|place|town|state)\]")


def keyword_stuffing(reading: Reading) -> Spam | None:
    """Whether the text was written for a search engine and not for people."""
    return _repeated_words(reading) or _repeated_phrase(reading) or _placeholder(reading) or _filler(reading)


def _repeated_words(reading: Reading) -> Spam | None:
    """Two words that fill the text: one alone may head a list ("Fund for teachers, Fund for paths ...")."""
    words = [token for token in reading.tokens if len(token) >= SHORTEST_WORD and not token[0].isdigit()]
    if len(words) < LEAST_WORDS:
        return None
    first, second = (*Counter(word[:STEM] for word in words).most_common(2), ("", 0))[:2]
    share = (first[1] + second[1]) / len(words)
    if not (first[1] >= 4 and second[1] >= 3 and first[1] + second[1] >= 8 and share >= 0.4) and not (
        first[1] >= 8 and first[1] / len(words) >= 0.4
    ):
        return None
    shown = [next(word for word in words if word.startswith(stem)) for stem, _ in (first, second) if stem]
    return Spam(RULE, f"{quoted(shown)} make up {share:.0%} of the longer words.")


def _repeated_phrase(reading: Reading) -> Spam | None:
    """Three words in the same order three times."""
    tokens = reading.tokens
    grams = Counter(zip(tokens, tokens[1:], tokens[2:], strict=False))
    if not grams:
        return None
    gram, times = grams.most_common(1)[0]
    if times < 3 or all(len(word) < SHORTEST_WORD or word[0].isdigit() for word in gram):
        return None
    return Spam(RULE, f"{quoted([' '.join(gram)])} is said {times} times.")


def _placeholder(reading: Reading) -> Spam | None:
    found = _PLACEHOLDER.search(reading.text)
    return Spam(RULE, f"A machine forgot to fill in {quoted([found.group()])}.") if found else None


def _filler(reading: Reading) -> Spam | None:
    filler = reading.distinct("filler.filler")
    if len(filler) < 3:
        return None
    return Spam(RULE, f"{quoted(filler)} only fill the page.")
