"""The kind that somebody names on the command line: what people call otherwise than we do is understood."""

from __future__ import annotations

ALSO = {"organisation": "organization", "business": "organization"}


def kind_meant(given: str) -> str:
    """What reads an option `--kind` of a file calls this; a word that means nothing is refused there."""
    word = given.strip().casefold()
    return ALSO.get(word, word)
