"""Spam: what a rule says about a result it would throw out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spam:
    """The rule that hit, and one sentence for the volunteer who looks into the spam bin."""

    rule: str
    reason: str


def quoted(phrases: Iterable[str], most: int = 3) -> str:
    """«a», «b» and «c»: the words a reason points at."""
    marks = [f"«{phrase}»" for phrase in dict.fromkeys(phrases)][:most]
    return marks[0] if len(marks) == 1 else f"{', '.join(marks[:-1])} and {marks[-1]}"
