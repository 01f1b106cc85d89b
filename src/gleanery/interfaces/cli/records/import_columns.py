"""What a report on a file says of its columns: what they were taken as, which mean nothing, which would not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from gleanery.interfaces.cli.terminal.output import out, say


def print_columns(facts: dict[str, Any], kind: str, *, refused: int, to: Console = out) -> None:
    for sentence in told_of_columns(facts, kind, refused=refused):
        say(sentence, to=to)


def told_of_columns(facts: dict[str, Any], kind: str, *, refused: int) -> list[str]:
    from gleanery.resolution.records.values import NAMELESS

    unknown, told = facts["unknown_columns"], []
    if taken := facts.get("taken_columns"):
        told.append(f"Columns taken as: {', '.join(f'{given} = {ours}' for given, ours in taken.items())}.")
    if unknown:
        told.append(f"Columns that mean nothing here: {', '.join(unknown)}. To rename one:  --map")
    if facts["rows"] == refused and NAMELESS in {each["reason"] for each in facts["refusals"]}:
        told += _how_to_name(unknown, kind)
    return told


def _how_to_name(unknown: Sequence[str], kind: str) -> list[str]:
    """A column is proposed only if it is likely the name: a wrong proposal is worse than none."""
    from gleanery.resolution.importing.column_synonyms import likely_name
    from gleanery.resolution.importing.columns import understood

    can_be_mapped = [each for each in unknown if not {",", '"'}.intersection(each)]
    if likely := likely_name(kind, can_be_mapped):
        return [f'No row has a name. If {likely} is the name, say so:  --map "{likely}=name"']
    columns = ", ".join(understood(kind))
    known = f"No row has a name. Columns that are understood, also by other usual names: {columns}."
    if not can_be_mapped:
        return [known]
    return [known, f'If one of {", ".join(can_be_mapped)} is the name, say which:  --map "COLUMN=name"']
