"""Output of all commands: tables and sentences for people, JSON for programs.

Text from outside may contain terminal control sequences. They are removed here and nowhere else.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from typer.rich_utils import rich_format_error

from gleanery.errors import Invalid
from gleanery.interfaces.cli.terminal import table_fitting
from gleanery.interfaces.cli.terminal.hints import with_settings
from gleanery.kinds import KINDS
from gleanery.text import counted, for_a_terminal, for_json


class Terminal(Console):
    """Rich console that cleans all text it draws, table cells included."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False, markup=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for each in super().render(renderable, options):
            yield each if each.control else Segment(for_a_terminal(each.text), each.style)


class Stream(io.TextIOBase):
    """Standard output as a file, for tables that programs read; cleaned like all other output."""

    def write(self, text: str) -> int:
        out.file.write("\r\n".join(map(for_a_terminal, text.split("\r\n"))))
        return len(text)


out = Terminal()
err = Terminal(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def show(value: Any, as_json: bool, for_people: Callable[[], None]) -> None:
    if as_json:
        _write_json(value, indent=2)
    else:
        for_people()


def _write_json(value: Any, indent: int | None = None) -> None:
    out.file.write(for_json(json.dumps(value, ensure_ascii=False, default=str, indent=indent)) + "\n")


def say(sentence: str | Text, *, to: Console = out, style: str = "") -> None:
    """Print one or more lines of any length; commands that they recommend get the settings in use."""
    text = with_settings(sentence) if isinstance(sentence, str) else sentence
    to.print(text, soft_wrap=True, style=style or None)


def draw(grid: Table) -> None:
    """Print a table made elsewhere."""
    out.print(grid)


def warn(sentence: str) -> None:
    say(f"Warning: {sentence}", to=err, style="yellow")


def complain(problem: Exception) -> None:
    """Report why a command failed: as JSON with `--json`, else to people on standard error."""
    if "--json" in sys.argv:
        with suppress(OSError):
            _write_json({"error": type(problem).__name__, "detail": with_settings(str(problem))})
            flush()
            return
    say(f"Error: {problem}", to=err, style="red")


def flush() -> None:
    """Flush standard output. If that fails, drop the rest, or Python would fail once more when it exits."""
    try:
        out.file.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.file.fileno())
        raise


def complain_of_usage(problem: Any) -> None:
    """Print a usage error in Typer's own box, with quoted arguments cleaned."""
    for name, value in vars(problem).items():
        if isinstance(value, str):
            setattr(problem, name, for_a_terminal(value))
    rich_format_error(problem)


def complain_of_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Clean tracebacks, which may quote text from outside; used as `sys.excepthook`."""
    err.file.write(for_a_terminal("".join(traceback.format_exception(kind, error, trace))))


def ask(question: str) -> bool:
    return typer.confirm(for_a_terminal(question))


def ask_password() -> str:
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def is_attended() -> bool:
    """Return True if a person reads the output and can answer."""
    return sys.stdin.isatty() and is_read_on_a_terminal()


def is_read_on_a_terminal() -> bool:
    """Return True if a person reads the output. Rich would also say so if only colours were forced."""
    return sys.stdout.isatty()


def must_be_one_of(known: Iterable[str], given: str, what: str) -> None:
    """Refuse an unknown value of a filter; an empty one means no filter."""
    if given and given not in (known := list(known)):
        raise Invalid(f"{given!r} is not a {what}. Choose one of: {', '.join(known)}.")


def counted_kinds(counts: Mapping[str, int]) -> str:
    """Return the counts in words: 12 events, 1 funding programme."""
    return ", ".join(counted(count, KINDS[kind].one, KINDS[kind].many) for kind, count in sorted(counts.items()))


def table(
    rows: Iterable[Sequence[Any]],
    *columns: str,
    empty: str,
    to: Console = out,
    total: int = 0,
    spare: Sequence[str] = (),
) -> None:
    """Print a table. `total`: the number of all rows; `spare`: columns that a narrow terminal may leave out."""
    shown = [[_shown(cell) for cell in row] for row in rows]
    if not shown:
        say(empty, to=to)
        return
    if to.is_terminal:
        _draw(shown, columns, spare, to)
    else:
        say("\n".join(table_fitting.lines(columns, shown)), to=to)
    if total > len(shown):  # on standard error, so that a program that reads the list gets only its rows
        say(f"{len(shown)} of {total} shown. Use --most N to show more.", to=err)


def _draw(rows: list[list[str]], columns: Sequence[str], spare: Sequence[str], to: Console) -> None:
    kept = table_fitting.kept(columns, rows, spare, to.width)
    grid = Table(box=None, header_style="bold", pad_edge=False, show_header=any(columns))
    for at in kept:
        whole = columns[at] in table_fitting.WHOLE
        width = table_fitting.least(columns[at], [row[at] for row in rows])
        grid.add_column(columns[at], no_wrap=whole, overflow="ignore" if whole else "fold", min_width=width)
    for row in rows:
        grid.add_row(*(row[at] for at in kept))
    to.print(grid)
    if left_out := [each for at, each in enumerate(columns) if at not in kept and any(row[at] for row in rows)]:
        say(f"No room for {', '.join(left_out)}. Widen the window, or use --json to see everything.", to=err)


def _shown(cell: Any) -> str:
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return "" if cell is None else str(cell)
