"""Syntax of the word tables, and a search for all their entries at once.

An entry is a sequence of words. `casino` matches that word; `казин*` the word with an ending of at most four letters;
`buy|order` either word; `*kredit` a word that ends so, as in German compounds; `_` any word; `#` a number. Only whole
words match, so `win` does not match winrock. Cyrillic entries also match their Latin transliteration.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from gleanery.discovery.spam.letters import fold, in_latin

LONGEST_ENDING = 4
SHORTEST_IN_LATIN = 5  # shorter ones may be other words: пари, pari; цен*, center
NUMBER = "#"
ANY = "_"

# Scripts without spaces between words: there an entry may match any part of a run of letters.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%€$£₺]")


class Found(NamedTuple):
    """A phrase found in a text: its table, its first token and the end, and its spelling in the text."""

    group: str
    start: int
    end: int
    shown: str


class _Node:
    """A node in the tree of entries: the tables of entries that end here, and the possible next words."""

    __slots__ = ("groups", "next")

    def __init__(self) -> None:
        self.groups: list[str] = []
        self.next: dict[str, _Node] = {}


class Phrases:
    """All entries of all tables as one tree of words, so that one pass over a text finds all."""

    def __init__(self, groups: dict[str, list[str]]) -> None:
        self._words: set[str] = set()
        self._unspaced: set[str] = set()
        self._tails: set[str] = set()
        self._root = _Node()
        for group, entries in groups.items():
            for entry in entries:
                self._add(group, entry)
        self._known = lru_cache(maxsize=32768)(self._look_up)

    def find(self, tokens: list[str]) -> list[Found]:
        """Return every phrase in the text, in order."""
        known = [self._known(token) for token in tokens]
        found: list[Found] = []
        for start, (_, beginnings) in enumerate(known):
            nodes, end = beginnings, start + 1
            while nodes:
                for node in nodes:
                    for group in node.groups:
                        found.append(Found(group, start, end, " ".join(tokens[start:end])))
                if end == len(tokens):
                    break
                nodes = [node.next[word] for node in nodes if node.next for word in known[end][0] if word in node.next]
                end += 1
        return found

    def _add(self, group: str, entry: str) -> None:
        nodes = [self._root]
        for position in entry.split():
            words = _spellings(position)
            self._words |= words
            self._tails |= {word for word in words if word.startswith("*")}
            self._unspaced |= {word for word in words if _UNSPACED.match(word)}
            nodes = [node.next.setdefault(word, _Node()) for node in nodes for word in words]
        for node in nodes:
            node.groups.append(group)

    def _look_up(self, token: str) -> tuple[tuple[str, ...], list[_Node]]:
        """Return the table words that match this token, and the nodes of entries that begin with it."""
        whole = {token, NUMBER if token[0].isdigit() else ANY}
        stems = {f"{token[: len(token) - cut]}*" for cut in range(min(LONGEST_ENDING + 1, len(token)))}
        whole |= {tail for tail in self._tails if token.endswith(tail[1:])}
        if _UNSPACED.search(token):
            whole |= {word for word in self._unspaced if word in token}
        words = tuple(sorted((whole | stems) & self._words))
        return words, [self._root.next[word] for word in words if word in self._root.next]


def _spellings(position: str) -> frozenset[str]:
    words: set[str] = set()
    for word in position.split("|"):
        plain = fold(word)
        words.add(plain)
        if len(plain.rstrip("*")) >= SHORTEST_IN_LATIN:
            words.update(in_latin(plain))
    return frozenset(words)
