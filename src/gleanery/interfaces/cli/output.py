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
from gleanery.interfaces.cli import fitting

out = Console(emoji=False)
err = Console(stderr=True, emoji=False)

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


def table(
    rows: Iterable[Sequence[Any]],
    *columns: str,
    empty: str,
    to: Console = out,
    total: int = 0,
    spare: Sequence[str] = (),
) -> None:
    """`total`: how many there are, of which these are the first. `spare`: what a narrow terminal can do without."""
    shown = [[_shown(cell) for cell in row] for row in rows]
    if not shown:
        say(empty, to=to)
        return
    if to.is_terminal:
        _draw(shown, columns, spare, to)
    else:
        say("\n".join(fitting.lines(columns, shown)), to=to)
    if total > len(shown):  # beside the list: whoever reads it by a program reads only its lines
        say(f"{len(shown)} of {total}; --most N shows more.", to=err)


def _draw(rows: list[list[str]], columns: Sequence[str], spare: Sequence[str], to: Console) -> None:
    kept = fitting.kept(columns, rows, spare, to.width)
    grid = Table(box=None, header_style="bold", pad_edge=False, show_header=any(columns))
    for at in kept:
        whole = columns[at] in fitting.WHOLE
        width = fitting.least(columns[at], [row[at] for row in rows])
        grid.add_column(columns[at], no_wrap=whole, overflow="ignore" if whole else "fold", min_width=width)
    for row in rows:
        grid.add_row(*(escape(row[at]) for at in kept))
    to.print(grid)
    if left_out := [each for at, each in enumerate(columns) if at not in kept and any(row[at] for row in rows)]:
        say(f"No room for {', '.join(left_out)}: a wider window shows more, --json all.", to=err)


def _shown(cell: Any) -> str:
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return "" if cell is None else str(cell)
