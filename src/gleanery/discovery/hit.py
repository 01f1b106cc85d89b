"""Hit: one line of one answer of a search engine, as it came."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hit:
    """Text of a stranger: nothing here is clean yet."""

    query: str
    url: str
    title: str
    description: str
    position: int
    line: int = field(default=0, compare=False)  # of the file that it stood in, if it did
