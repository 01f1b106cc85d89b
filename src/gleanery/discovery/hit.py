"""A search result as received from a search engine."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result; its text is untrusted and not cleaned yet."""

    query: str
    url: str
    title: str
    description: str
    position: int
    line: int = field(default=0, compare=False)  # its line number, if it came from a file
