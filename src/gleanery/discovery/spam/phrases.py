"""Phrases: how the word tables are written, and how a text is searched for all of them at once.

A table entry is a row of words. In it `casino` is that word alone; `казин*` is the word with an ending of at most four
letters; `buy|order` is one of them; `_` is any one word; `#` is a number. Words are whole words, so `win` is no part
of winrock. Entries in Cyrillic are found in Latin letters as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gleanery.discovery.spam.letters import fold, in_latin

LONGEST_ENDING = 4
SHORTEST_IN_LATIN = 4  # shorter ones mean something else in another language: пари, pari
NUMBER = "#"
ANY = "_"

TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$£₺]")


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase of a table in a text: the table it stands in, where it begins and ends, and how the text spells it."""

    group: str
    start: int
    end: int
    shown: str


@dataclass(frozen=True, slots=True)
class _Entry:
    group: str
    rest: tuple[frozenset[str], ...]


class Phrases:
    """All entries of all tables, by their first word: one pass over a text finds them all."""

    def __init__(self, groups: dict[str, Iterable[str]]) -> None:
        self._words: set[str] = {ANY, NUMBER}
        self._entries: dict[str, list[_Entry]] = {}
        for group, entries in groups.items():
            for entry in entries:
                self._add(group, entry)
        self.meanings = lru_cache(maxsize=65536)(self._meanings)

    def find(self, tokens: list[str]) -> list[Found]:
        """Every phrase in the text, in its order."""
        meanings = [self.meanings(token) for token in tokens]
        return list(self._matches(tokens, meanings))

    def _matches(self, tokens: list[str], meanings: list[frozenset[str]]) -> Iterator[Found]:
        for start, words in enumerate(meanings):
            for word in words:
                for entry in self._entries.get(word, ()):
                    end = start + 1 + len(entry.rest)
                    if end <= len(tokens) and _fits(entry.rest, meanings, start + 1):
                        yield Found(entry.group, start, end, " ".join(tokens[start:end]))

    def _add(self, group: str, entry: str) -> None:
        first, *rest = (_spellings(position) for position in entry.split())
        self._words.update(first, *rest)
        for word in first:
            self._entries.setdefault(word, []).append(_Entry(group, tuple(rest)))

    def _meanings(self, token: str) -> frozenset[str]:
        """The words of the tables that this word of a text can be."""
        found = {token, NUMBER if token[0].isdigit() else ANY}
        found.update(f"{token[: len(token) - cut]}*" for cut in range(min(LONGEST_ENDING + 1, len(token))))
        return frozenset(found & self._words)


def _fits(rest: tuple[frozenset[str], ...], meanings: list[frozenset[str]], position: int) -> bool:
    return all(not wanted.isdisjoint(meanings[position + index]) for index, wanted in enumerate(rest))


def _spellings(position: str) -> frozenset[str]:
    words: set[str] = set()
    for word in position.split("|"):
        plain = fold(word)
        words.add(plain)
        if len(plain.rstrip("*")) >= SHORTEST_IN_LATIN:
            words.update(in_latin(plain))
    return frozenset(words)
