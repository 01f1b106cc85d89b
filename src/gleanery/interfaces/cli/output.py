"""What commands print: for people a table or a sentence, for programs JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gleanery.counting import counted
from gleanery.errors import Invalid

out = Console(emoji=False)
err = Console(stderr=True, emoji=False)

# What a person copies into the next command is never cut.
WHOLE = {"id", "domain", "name", "prefix", "username"}

# What one and several of a kind are called.
KINDS = {
    "event": ("event", "events"),
    "funding": ("funding programme", "funding programmes"),
    "opportunity": ("opportunity", "opportunities"),
    "organization": ("organisation", "organisations"),
    "place": ("place", "places"),
    "service": ("service", "services"),
}

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def show(value: Any, as_json: bool, for_people: Callable[[], None]) -> None:
    if as_json:
        out.file.write(json.dumps(value, ensure_ascii=False, default=str, indent=2) + "\n")
    else:
        for_people()


def say(sentence: str, *, to: Console = out) -> None:
    """Text is printed as it is: brackets in a name are not markup."""
    to.print(escape(sentence), soft_wrap=True, highlight=False)


def must_be_one_of(known: Iterable[str], given: str, what: str) -> None:
    """A filter that was not given asks for nothing."""
    if given and given not in (known := list(known)):
        raise Invalid(f"{given!r} is no {what}; there are {', '.join(known)}.")


def counted_kinds(counts: Mapping[str, int]) -> str:
    """12 events, 1 funding programme."""
    return ", ".join(counted(count, *KINDS[kind]) for kind, count in sorted(counts.items()))


def table(rows: Iterable[Sequence[Any]], *columns: str, empty: str, to: Console = out, total: int = 0) -> None:
    """`total`: how many there are, of which these are the first."""
    rows = list(rows)
    if not rows:
        say(empty, to=to)
        return
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        grid.add_column(column, no_wrap=column in WHOLE, overflow="ignore" if column in WHOLE else "fold")
    for row in rows:
        grid.add_row(*(escape(_shown(cell)) for cell in row))
    to.print(grid)
    if total > len(rows):  # beside the list: whoever reads it by a program reads only its lines
        say(f"{len(rows)} of {total}; --most N shows more.", to=err)


def _shown(cell: Any) -> str:
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return "" if cell is None else str(cell)
