"""`gleanery dedupe`: finds near duplicates in one or two files without storing anything."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from json import loads
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from gleanery.errors import Invalid
from gleanery.interfaces.cli.records.dedupe_report import facts_of, nothing_to_compare, print_found
from gleanery.interfaces.cli.records.kind_names import kind_meant
from gleanery.interfaces.cli.terminal.output import Json, Stream, err, show
from gleanery.resolution.importing.spreadsheets import guarded

COLUMNS = ("id_a", "id_b", "probability", "band", "points", "cluster")
NAMES = ("name_a", "name_b")
MOST_PROCESSES = 4


def _existing(files: list[Path]) -> list[Path]:
    """Refuse missing files. A dash passes: a later check refuses it and says what to do instead."""
    if missing := [each for each in files if not each.exists() and str(each) != "-"]:
        raise typer.BadParameter(f"file '{missing[0]}' does not exist.")
    return files


Which = Annotated[
    list[Path],
    typer.Argument(metavar="FILE [FILE]", callback=_existing, dir_okay=False, help="CSV, JSON Lines or iCalendar."),
]


def dedupe(  # noqa: PLR0913, PLR0917  # each is an option of the command
    files: Which,
    kind: Annotated[str, typer.Option(callback=kind_meant, help="What each row is: event, place, organization, ...")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="The CSV file for the pairs; by default standard output."),
    ] = None,
    renames: Annotated[
        str, typer.Option("--map", help='Columns and their fields, as "Site name=name,Zip=postal_code".')
    ] = "",
    names: Annotated[bool, typer.Option("--names", help="Add the two names as columns.")] = False,
    link_only: Annotated[
        bool, typer.Option("--link-only", help="Compare rows only between the two files, not within one.")
    ] = False,
    json: Json = False,
) -> None:
    """Find near duplicates in one or two files. Nothing is stored, and no database is needed."""
    _check(files, output, link_only)
    from gleanery.resolution.importing.columns import read_renames
    from gleanery.resolution.tables.dedupe import dedupe as find
    from gleanery.resolution.tables.sheet import File

    with ExitStack() as stack:
        opened = [File(path.name, stack.enter_context(path.open("rb"))) for path in files]
        bars = stack.enter_context(_bars(quiet=json or not err.is_terminal))
        found = find(
            kind,
            opened,
            today=datetime.now(UTC).date(),
            renames=read_renames(renames),
            link_only=link_only,
            processes=min(MOST_PROCESSES, os.cpu_count() or 1),
            progress=_progress(bars, {path.name: path.stat().st_size for path in files}),
        )
    report, called = found.report, [path.name for path in files]
    facts = {**facts_of(found, called), "output": str(output) if output else None}
    if output is None and json:
        facts["pairs"] = [each._asdict() | {"points": loads(each.points)} for each in found.pairs]
    else:
        _write(found.pairs, output, names=names)
    problem = nothing_to_compare(report.rows, report.compared, called, link_only=link_only)
    show(facts, json, lambda: print_found(facts, kind, found.pairs, problem))
    if report.rows and report.rows == report.unreadable:
        raise typer.Exit(1)


def _check(files: Sequence[Path], output: Path | None, link_only: bool) -> None:
    if len(files) > 2:  # noqa: PLR2004 - a and b
        raise Invalid("Only one or two files can be compared. Put the others into one of them.")
    if any(not each.is_file() for each in files):
        raise Invalid("Input from a pipe cannot be compared, because each file is read twice. Save it to a file first.")
    if link_only and len(files) == 1:
        raise Invalid("--link-only needs two files. Add a second file, or leave it out.")
    if output is None:
        return
    if any(output.exists() and output.samefile(each) for each in files):
        raise Invalid(f"{output} is one of the files to compare. Choose another file for the pairs.")
    if not output.parent.is_dir():
        raise Invalid(f"The directory {output.parent} does not exist. Create it, or choose another one.")


def _bars(*, quiet: bool) -> Progress:
    """Return bars that draw no frames from a thread of their own, because processes are forked meanwhile."""
    return Progress(
        TextColumn("{task.description:14}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f}%", markup=False),
        TimeElapsedColumn(),
        console=err,
        disable=quiet,
        auto_refresh=False,
    )


def _progress(bars: Progress, sizes: dict[str, int]) -> Callable[[str, int, int], None]:
    """Return a callback that draws a bar per stage."""
    tasks: dict[str, TaskID] = {}

    def update(stage: str, done: int, total: int) -> None:
        if stage not in tasks:
            tasks[stage] = bars.add_task(stage, total=total or sizes.get(stage))
        bars.update(tasks[stage], completed=done)
        bars.refresh()

    return update


def _write(pairs: Iterable[Any], output: Path | None, *, names: bool) -> None:
    if output is None:
        _write_to(Stream(), pairs, names=names)
        return
    try:
        with output.open("w", encoding="utf-8", newline="") as file:
            _write_to(file, pairs, names=names)
    except OSError as problem:
        raise Invalid(
            f"{output} could not be written completely ({problem.strerror}). Your files are unchanged; free some space "
            "or choose another file, then run the command again."
        ) from None


def _write_to(file: TextIO | Stream, pairs: Iterable[Any], *, names: bool) -> None:
    writer = csv.writer(file)
    writer.writerow((*COLUMNS, *NAMES) if names else COLUMNS)
    for each in pairs:
        called = [guarded(each.name_a), guarded(each.name_b)] if names else []
        ids = guarded(each.id_a), guarded(each.id_b)
        writer.writerow([*ids, f"{each.probability:.4f}", each.band, each.points, each.cluster, *called])
