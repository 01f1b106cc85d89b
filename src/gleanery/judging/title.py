"""Title: its pieces between dashes, bars and colons, each with the words that it takes of the whole."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.lexicon import words_in
from gleanery.judging.tables import IDLE

_SEPARATOR: Final = re.compile(r" (?:[-–—|·•»›/]+|::) |[|•]|[—›] |(?<!\d): ")  # text comes with single spaces
_QUOTES: Final = "«»„“”\"‘’'"


class Part(NamedTuple):
    """A piece of the title, its words, and at which word of the title it begins."""

    text: str
    words: list[str]
    start: int


class Title(NamedTuple):
    """All words of a title, and the pieces that could name something: "Home" and "Начало" do not."""

    words: list[str]
    parts: list[Part]


def read_title(title: str) -> Title:
    words: list[str] = []
    parts = []
    for piece in _SEPARATOR.split(title):
        own = words_in(piece)
        if not IDLE.issuperset([word.casefold() for word in own]):
            parts.append(Part(_trimmed(piece), own, len(words)))
        words += own
    return Title(words, parts)


def _trimmed(piece: str) -> str:
    """Quotation marks around the whole go, those inside belong to the name."""
    text = piece.strip(" .,;-–—|…")
    if text[:1] in _QUOTES and text[-1:] in _QUOTES and not any(mark in text[1:-1] for mark in _QUOTES):
        text = text[1:-1].strip()
    return text
