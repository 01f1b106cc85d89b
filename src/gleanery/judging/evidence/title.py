"""Parts of a title between dashes, bars and colons, each with its words."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.lexicon import words_in
from gleanery.judging.tables import IDLE

_SEPARATOR: Final = re.compile(r" (?:[-–—|·•»›/]+|::) |[|•]|[—›] |(?<!\d): ")  # text has single spaces
_OPENING: Final = re.compile("[«„“]")
_QUOTED: Final = re.compile("[«„“][^«»„“”]*[»“”]")
_QUOTES: Final = "«»„“”\"‘’'"


class Part(NamedTuple):
    """Part of a title, its words, and the position of its first word in the title."""

    text: str
    words: list[str]
    start: int


class Title(NamedTuple):
    """Words of a title, and the parts that may name something, without "Home" and the like."""

    words: list[str]
    parts: list[Part]


def read_title(title: str) -> Title:
    words: list[str] = []
    parts = []
    for piece in _pieces(title):
        own = words_in(piece)
        if not IDLE.issuperset([word.casefold() for word in own]):
            parts.append(Part(_trimmed(piece), own, len(words)))
        words += own
    return Title(words, parts)


def _pieces(title: str) -> list[str]:
    """Split at separators, but not inside a quoted name such as „Искра – 1927“."""
    if not _OPENING.search(title):
        return _SEPARATOR.split(title)
    quoted = [found.span() for found in _QUOTED.finditer(title)]
    pieces, start = [], 0
    for found in _SEPARATOR.finditer(title):
        if not any(begin < found.start() < end - 1 for begin, end in quoted):
            pieces.append(title[start : found.start()])
            start = found.end()
    return [*pieces, title[start:]]


def _trimmed(piece: str) -> str:
    """Remove quotation marks around the whole part; those inside belong to the name."""
    text = piece.strip(" .,;-–—|…")
    if text[:1] in _QUOTES and text[-1:] in _QUOTES and not any(mark in text[1:-1] for mark in _QUOTES):
        text = text[1:-1].strip()
    return text
