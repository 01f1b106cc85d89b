"""Codes of notes about records, and those for which a source's records can be held back for review. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from gleanery.errors import Invalid

# A note holds a record back only if every source of the record is set to ask about it.
NOTES = ("missing_description", "missing_venue", "too_far_in_future", "zero_length")
PROBATION = "probation"  # holds back every record of the source
ASKS = (*NOTES, PROBATION)


def check_codes(codes: Iterable[str]) -> list[str]:
    """Return the codes in their usual order, each once. Raises Invalid for unknown codes."""
    given = set(codes)
    if unknown := sorted(given - set(ASKS)):
        raise Invalid(f"Unknown note: {', '.join(unknown)}. Choose from {', '.join(ASKS)}.")
    return [code for code in ASKS if code in given]
