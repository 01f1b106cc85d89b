"""Lists of words, an entry a line; each says in its header what it is for, where it comes from and its licence."""

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
    """Return a list of entries that stand for others: `bros brothers`."""
    return {first: second.strip() for line in _lines(name) for first, _, second in [line.partition(" ")]}


@cache
def groups_in(name: str) -> Mapping[str, frozenset[str]]:
    """Return each word with the groups it is in: `hotel: hotel hostel inn`."""
    found: dict[str, set[str]] = {}
    for line in _lines(name):
        group, _, words = line.partition(":")
        for word in words.split():
            found.setdefault(word, set()).add(group)
    return {word: frozenset(groups) for word, groups in found.items()}


@cache
def sides_in(name: str) -> Mapping[str, tuple[str, int]]:
    """Return each word with what it contrasts in and its side, a line each: `sex: men boys`."""
    found = {}
    for side, line in enumerate(_lines(name)):
        what, _, words = line.partition(":")
        found.update(dict.fromkeys(words.split(), (what, side)))
    return found


def _lines(name: str) -> Iterator[str]:
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line
