"""Title: its pieces between dashes, bars and colons, each with the words that it takes of the whole."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.lexicon import words_in
from gleanery.judging.tables import IDLE

_SEPARATOR: Final = re.compile(r"\s+(?:[-–—|·•»›/]+|::)\s+|\s*[|•]\s*|\s*[—›]\s+|(?<!\d):\s+")
_QUOTES: Final = "«»„“”\"‘’'"


class Part(NamedTuple):
    """A piece of the title, its words, and at which word of the title it begins."""

    text: str
    words: list[str]
    start: int


def parts_of(title: str) -> list[Part]:
    """The pieces that could name something: "Home" and "Начало" do not."""
    parts, start = [], 0
    for piece in _SEPARATOR.split(title):
        words = words_in(piece)
        if not all(word.casefold() in IDLE for word in words):
            parts.append(Part(_trimmed(piece), words, start))
        start += len(words)
    return parts


def _trimmed(piece: str) -> str:
    """Quotation marks around the whole go, those inside belong to the name."""
    text = piece.strip(" .,;-–—|…")
    if text[:1] in _QUOTES and text[-1:] in _QUOTES and not any(mark in text[1:-1] for mark in _QUOTES):
        text = text[1:-1].strip()
    return text
