"""Other words for kinds that people may use on the command line."""

from __future__ import annotations

ALSO = {"organisation": "organization", "business": "organization"}


def kind_meant(given: str) -> str:
    """Return the kind that is meant; unknown words are refused later."""
    word = given.strip().casefold()
    return ALSO.get(word, word)
