"""Notes about records, and which of them a source is set to ask a person about. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from gleanery.errors import Invalid

# A note is shown with its record and never holds it back, unless every source of the record asks about it.
NOTES = ("missing_description", "missing_venue", "too_far_in_future", "zero_length")
PROBATION = "probation"  # all that a source brings waits for a person
ASKS = (*NOTES, PROBATION)


def checked(codes: Iterable[str]) -> list[str]:
    """Return the codes in their usual order, each once. Invalid names those that a source cannot ask about."""
    given = set(codes)
    if unknown := sorted(given - set(ASKS)):
        raise Invalid(f"A source cannot ask about {', '.join(unknown)}: only about {', '.join(ASKS)}.")
    return [code for code in ASKS if code in given]
