"""Grouping of flagged pairs by their common cause: two sources with the same records, or a series. Pure."""

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
FEWEST = 2  # pairs of a cause
DIGITS = 16


class Side(NamedTuple):
    """Record of a pair, with the source that first reported it."""

    record: UUID
    name: str
    day: date | None
    source: str


class Pair(NamedTuple):
    """Pair from an open warning: the first record is waiting and may be the same as the other."""

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
        """Return a digest of the pairs, so that nobody decides about pairs that they were not shown."""
        return _digest(*sorted(f"{pair.item} {pair.other.record}" for pair in self.pairs))

    @property
    def sentence(self) -> str:
        first, last = self.key[:2]
        pairs = f"{counted(len(self.pairs), 'pair')} of {first} and {last}"
        if self.kind == SOURCES:
            return f"{pairs}."
        one, other = (side.name for side in self.pairs[0][1:3])
        names = f"“{one}”" if self.key[2] == self.key[3] else f"“{one}” and “{other}”"
        return f"{names}, on several days: {pairs}."


def grouped(pairs: Iterable[Pair]) -> list[Cause]:
    """Return causes with at least two pairs, the largest first. A pair may belong to a series and to its sources."""
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
