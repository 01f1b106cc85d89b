"""Sentences of warnings about other records, with the current names of these. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gleanery.matching.explaining import percent

BY_IDENTITY = "identity"  # marks warnings about equal identity, not mere similarity
SHOWN_DIGITS = 12  # last digits of an id, shown where two records have the same name
Detail = Mapping[str, Any]
Names = Mapping[str, str]


def others(detail: Detail) -> list[str]:
    """Return the ids of the other records that a warning is about."""
    listed = detail.get("records") or [detail.get("duplicate_of")]
    return [str(each) for each in listed if each]


def sentences(details: Sequence[Detail], names: Names) -> list[str]:
    """Return a sentence per warning of one record; equal sentences get the end of an id."""
    found: list[str] = []
    for detail in details:
        sentence = _sentence(detail, [_called(each, names) for each in others(detail)])
        digits = others(detail)[0][-SHOWN_DIGITS:]
        found.append(f"{sentence[:-1]} ({digits})." if sentence in found else sentence)
    return found


def _called(record: str, names: Names) -> str:
    return f"“{names[record]}”" if record in names else "another record"


def _sentence(detail: Detail, called: Sequence[str]) -> str:
    if len(called) > 1:
        return f"It is like {called[0]} and {called[1]}, which are marked as different. It can match only one."
    if detail.get("by") == BY_IDENTITY:
        return f"Its identity now matches {called[0]}."
    probability = detail.get("probability")
    likely = "" if probability is None else f": {percent(probability)} likely"
    return f"It may be the same as {called[0]}{likely}."
