"""Names that are told by the initials of their words: MJC Boris Vian. Pure."""

from __future__ import annotations

from gleanery.resolution.matches.names import KNOWN, Name

FEWEST_INITIALS, MOST_INITIALS = 3, 6
LOOKALIKE = str.maketrans("cx", "sh")  # initials in Cyrillic that normal.py takes for Roman digits


def is_run(short: str, other: Name) -> bool:
    """Whether it is the initials of several words of a name, one after the other."""
    if not FEWEST_INITIALS - 1 <= len(short) <= MOST_INITIALS or not short.isalpha():
        return False
    read = short.translate(LOOKALIKE)
    for known in other.initials:  # noqa: SIM110 - a loop, since this is asked of every word of every pair
        if short in known or read in known:
            return True
    return False


def are_initials(one: Name, other: Name) -> bool:
    return _is_short_for(one, other) or _is_short_for(other, one)


def _is_short_for(short: Name, whole: Name) -> bool:
    return any(
        len(word.text) >= FEWEST_INITIALS and word.weight >= KNOWN and is_run(word.text, whole) for word in short.words
    )
