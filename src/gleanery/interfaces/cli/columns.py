"""What a report on a file says of its columns: which mean nothing, and which would be understood."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gleanery.interfaces.cli.output import out, say


def print_columns(facts: dict[str, Any], kind: str, *, refused: int, to: Console = out) -> None:
    from gleanery.resolution.columns import understood
    from gleanery.resolution.values import NAMELESS

    unknown = facts["unknown_columns"]
    if unknown:
        say(f"Columns that mean nothing here: {', '.join(unknown)}. To rename one:  --map", to=to)
    if facts["rows"] == refused and {each["reason"] for each in facts["refusals"]} == {NAMELESS}:
        say(f"No row has a name. Columns that are understood: {', '.join(understood(kind))}.", to=to)
        say(f'If another one is the name, say which:  --map "{unknown[0] if unknown else "Title"}=name"', to=to)
