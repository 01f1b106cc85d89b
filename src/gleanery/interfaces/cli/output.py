"""What commands print: for people a table or a sentence, for programs JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

out = Console()
err = Console(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def show(value: Any, as_json: bool, for_people: Callable[[], None]) -> None:
    if as_json:
        out.file.write(json.dumps(value, ensure_ascii=False, default=str, indent=2) + "\n")
    else:
        for_people()


def say(sentence: str) -> None:
    """Text is printed as it is: brackets in a name are not markup."""
    out.print(escape(sentence), soft_wrap=True, highlight=False)


def table(rows: Iterable[Sequence[Any]], *columns: str, empty: str) -> None:
    rows = list(rows)
    if not rows:
        say(empty)
        return
    grid = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        grid.add_row(*(escape("" if cell is None else str(cell)) for cell in row))
    out.print(grid)
