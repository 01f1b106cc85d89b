"""What words mean, whatever their language: a line for each meaning, looked up by word or by stem. Pure.

Words are written as spelling.py writes them; a stem, with its star, stands for any word that begins with it and has a
few letters more. A word may have several meanings: two words say the same if they have one in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources

ENDING, SHORTEST = 3, 4  # letters that may follow a stem, and that it has at least
NONE: frozenset[str] = frozenset()


class Lexicon:
    """Of lines like `concert = concert konzert* kontsert*`."""

    def __init__(self, lines: Iterable[str]) -> None:
        words: defaultdict[str, set[str]] = defaultdict(set)
        for line in lines:
            meaning, _, listed = line.partition(" = ")
            for word in listed.split():
                words[word].add(meaning)
        self._words = {word: frozenset(each) for word, each in words.items() if not word.endswith("*")}
        self._stems = {word[:-1]: frozenset(each) for word, each in words.items() if word.endswith("*")}

    def of(self, word: str) -> frozenset[str]:
        """The word itself counts before any stem, and the longest stem before shorter ones."""
        if found := self._words.get(word):
            return found
        for end in range(len(word), max(len(word) - ENDING, SHORTEST) - 1, -1):
            if found := self._stems.get(word[:end]):
                return found
        return NONE


@cache
def ideas() -> Lexicon:
    """What names are about."""
    return Lexicon(_lines("ideas.txt"))


@cache
def sorts() -> Lexicon:
    """What things are, by their names: two names with different sorts tell of different things."""
    return Lexicon(section("sorts.txt", "sorts"))


@cache
def dependents() -> Lexicon:
    """What belongs to another thing: the friends of a library are not the library, nor is a ward the hospital."""
    return Lexicon(section("sorts.txt", "dependents"))


@cache
def contrasts() -> Lexicon:
    """`group.alternative`: two names that have different ones of a group tell of different things."""
    return Lexicon(section("sorts.txt", "contrasts"))


@cache
def tongues() -> Lexicon:
    """The languages that a word is a sign of."""
    return Lexicon(_lines("tongues.txt"))


@cache
def _towns() -> dict[str, str]:
    lines = (line.partition(" = ") for line in _lines("towns.txt"))
    return {other.replace("_", " "): town.replace("_", " ") for town, _, listed in lines for other in listed.split()}


def town(name: str) -> str:
    """By one of its names, if it has several."""
    return _towns().get(name, name)


def section(file: str, name: str) -> Iterable[str]:
    found = ""
    for line in _lines(file):
        if line.startswith("["):
            found = line.strip("[]")
        elif found == name and line:
            yield line


def _lines(file: str) -> list[str]:
    lines = resources.files(__package__).joinpath(file).read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]
