"""Word lists, one entry per line; the header of each states its purpose, origin and licence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def words_in(name: str) -> frozenset[str]:
    """Return the entries of a list."""
    return frozenset(_lines(name))


@cache
def pairs_in(name: str) -> Mapping[str, str]:
    """Return a mapping of each first word to the rest of its line: `bros brothers`."""
    return {first: second.strip() for line in _lines(name) for first, _, second in [line.partition(" ")]}


@cache
def groups_in(name: str) -> Mapping[str, frozenset[str]]:
    """Return the groups of each word; a line is `hotel: hotel hostel inn`."""
    found: dict[str, set[str]] = {}
    for line in _lines(name):
        group, _, words = line.partition(":")
        for word in words.split():
            found.setdefault(word, set()).add(group)
    return {word: frozenset(groups) for word, groups in found.items()}


@cache
def sides_in(name: str) -> Mapping[str, tuple[str, int]]:
    """Return the contrast and side of each word; a line is one side: `sex: men boys`."""
    found = {}
    for side, line in enumerate(_lines(name)):
        what, _, words = line.partition(":")
        found.update(dict.fromkeys(words.split(), (what, side)))
    return found


def _lines(name: str) -> Iterator[str]:
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
