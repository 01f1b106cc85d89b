"""Flagged pairs grouped by what they have in common: two sources that tell the same things, or a series. Pure."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple
from uuid import UUID

from gleanery.matching import normal
from gleanery.text import counted

SERIES, SOURCES = "series", "sources"
FEWEST = 2  # pairs: one alone is decided as it is
DIGITS = 16


class Side(NamedTuple):
    """A record of a pair, with the source that first spoke of it."""

    record: UUID
    name: str
    day: date | None
    source: str


class Pair(NamedTuple):
    """What an open warning says: the first waits, and may be the same as the other."""

    item: UUID
    one: Side
    other: Side
    probability: float


@dataclass(frozen=True, slots=True)
class Cause:
    kind: str
    pairs: tuple[Pair, ...]
    key: tuple[str, ...]

    @property
    def id(self) -> str:
        return _digest(self.kind, *self.key)

    @property
    def seen(self) -> str:
        """Changes with the pairs, so that nobody decides about pairs that they were not shown."""
        return _digest(*sorted(f"{pair.item} {pair.other.record}" for pair in self.pairs))

    @property
    def sentence(self) -> str:
        first, last = self.key[:2]
        told = f"{counted(len(self.pairs), 'pair')} of {first} and {last}"
        if self.kind == SOURCES:
            return f"{told}."
        one, other = (side.name for side in self.pairs[0][1:3])
        names = f"“{one}”" if self.key[2] == self.key[3] else f"“{one}” and “{other}”"
        return f"{names}, on several days: {told}."


def grouped(pairs: Iterable[Pair]) -> list[Cause]:
    """Causes of at least two pairs, the largest first. A pair of a series is part of what its sources share too."""
    found: defaultdict[tuple[str, tuple[str, ...]], list[Pair]] = defaultdict(list)
    for pair in pairs:
        sides = sorted((side.source, normal.name(side.name)) for side in (pair.one, pair.other))
        sources, names = zip(*sides, strict=True)
        found[SERIES, (*sources, *names)].append(pair)
        if sources[0] != sources[1]:
            found[SOURCES, sources].append(pair)
    causes = [Cause(kind, tuple(listed), key) for (kind, key), listed in found.items() if len(listed) >= FEWEST]
    return sorted(causes, key=lambda cause: (-len(cause.pairs), cause.kind, cause.key))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:DIGITS]
