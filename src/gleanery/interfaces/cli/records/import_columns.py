"""Sentences about the columns of a file: how they were read, which are unknown, and how to rename them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from gleanery.interfaces.cli.terminal.output import out, say


def print_columns(facts: dict[str, Any], kind: str, *, refused: int, to: Console = out) -> None:
    for sentence in column_sentences(facts, kind, refused=refused):
        say(sentence, to=to)


def column_sentences(facts: dict[str, Any], kind: str, *, refused: int) -> list[str]:
    from gleanery.resolution.records.values import NAMELESS

    unknown, sentences = facts["unknown_columns"], []
    if taken := facts.get("taken_columns"):
        sentences.append(f"Columns read as: {', '.join(f'{given} = {ours}' for given, ours in taken.items())}.")
    if unknown:
        sentences.append(f"Unknown columns: {', '.join(unknown)}. To use one, name its field with --map.")
    if facts["rows"] == refused and NAMELESS in {each["reason"] for each in facts["refusals"]}:
        sentences += _how_to_name(unknown, kind)
    return sentences


def _how_to_name(unknown: Sequence[str], kind: str) -> list[str]:
    """Return how to name the column with the names; one is proposed only if it is likely right."""
    from gleanery.resolution.importing.column_synonyms import likely_name
    from gleanery.resolution.importing.columns import understood

    can_be_mapped = [each for each in unknown if not {",", '"'}.intersection(each)]
    if likely := likely_name(kind, can_be_mapped):
        return [f'No row has a name. If {likely} is the name, add:  --map "{likely}=name"']
    columns = ", ".join(understood(kind))
    known = f"No row has a name. Known columns, also under other common names: {columns}."
    if not can_be_mapped:
        return [known]
    return [known, f'If one of {", ".join(can_be_mapped)} is the name, add:  --map "COLUMN=name"']
