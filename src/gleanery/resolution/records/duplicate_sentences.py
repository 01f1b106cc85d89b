"""What warnings say of other records, which are called there as they are called when that is read. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gleanery.matching.explaining import percent

BY_IDENTITY = "identity"  # what tells these warnings from those of records that are merely alike
TOLD_BY = 12  # last digits of an id that tell two records of one name apart
Detail = Mapping[str, Any]
Names = Mapping[str, str]


def others(detail: Detail) -> list[str]:
    """The ids of the records that a warning is about, beside the one that has it."""
    listed = detail.get("records") or [detail.get("duplicate_of")]
    return [str(each) for each in listed if each]


def sentences(details: Sequence[Detail], names: Names) -> list[str]:
    """One for each of these warnings of one record; what is called the same is told apart by its id."""
    told: list[str] = []
    for detail in details:
        said = _sentence(detail, [_called(each, names) for each in others(detail)])
        told.append(f"{said[:-1]} ({others(detail)[0][-TOLD_BY:]})." if said in told else said)
    return told


def _called(record: str, names: Names) -> str:
    return f"“{names[record]}”" if record in names else "another record"


def _sentence(detail: Detail, called: Sequence[str]) -> str:
    if len(called) > 1:
        return f"It is like {called[0]} and like {called[1]}, which somebody told apart: it can be one at most."
    if detail.get("by") == BY_IDENTITY:
        return f"It is now the same as {called[0]} by all that makes one."
    probability = detail.get("probability")
    likely = "" if probability is None else f": {percent(probability)} likely"
    return f"It may be the same as {called[0]}{likely}."
