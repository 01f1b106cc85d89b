"""The result of a spam rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spam:
    """The rule that hit, and a sentence for people who look into the spam bin."""

    rule: str
    reason: str


def quoted(phrases: Iterable[str], most: int = 3) -> str:
    """Return phrases quoted for a sentence: «a», «b» and «c»."""
    marks = [f"«{phrase}»" for phrase in dict.fromkeys(phrases)][:most]
    return marks[0] if len(marks) == 1 else f"{', '.join(marks[:-1])} and {marks[-1]}"
