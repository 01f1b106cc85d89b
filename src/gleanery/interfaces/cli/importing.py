"""`gleanery import`: files of records, with a bar, a report, and nothing lost when it breaks off."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gleanery.counting import counted
from gleanery.interfaces.cli.columns import print_columns
from gleanery.interfaces.cli.kinds import kind_meant
from gleanery.interfaces.cli.output import Json, err, say, show, table
from gleanery.interfaces.cli.runtime import application

MOST_SHOWN = 20
MOST_NAMED = 5
FEW = 3
OUTCOMES = {
    "created": "new records",
    "in_review": "new records that wait for a look",
    "merged": "joined a record that was there",
    "updated": "changed",
    "unchanged": "as they were",
    "refused": "refused",
}


def import_file(  # noqa: PLR0913, PLR0917  # each is an option of the command
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="JSON Lines, CSV or iCalendar, by its name.")
    ],
    source: Annotated[str, typer.Option(help="Who says this; the same name each time.")],
    trust: Annotated[
        int | None, typer.Option(min=1, max=10, help="How far it is believed, 1 to 10; 5 if never said.")
    ] = None,
    kind: Annotated[
        str, typer.Option(callback=kind_meant, help="What each row is, unless a column `kind` says so.")
    ] = "",
    renames: Annotated[str, typer.Option("--map", help='Names of columns, as "Site name=name,Zip=postal_code".')] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would happen; store nothing.")] = False,
    json: Json = False,
) -> None:
    """Take in a file of records. Run again after it broke off, or with a newer file: what is known is not doubled."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution.columns import Columns, read_renames
        from gleanery.resolution.files import form_of
        from gleanery.resolution.importing import Import

        form = form_of(file.name)
        columns = Columns(kind or ("event" if form == "icalendar" else ""), read_renames(renames))
        task = Import(
            actor=at_terminal(), source=source, trust=trust, form=form, columns=columns, today=datetime.now(UTC).date()
        )
        with file.open("rb") as opened, _bars(quiet=json) as bars:
            bar = bars.add_task(file.name, total=file.stat().st_size)
            run = task.dry_run if dry_run else task.run
            facts = run(opened, lambda position: bars.update(bar, completed=position)).as_dict()
    show(facts, json, lambda: _print(facts, columns.kind))
    if facts["rows"] and facts["rows"] == facts["refused"]:
        raise typer.Exit(1)


def _bars(*, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description:14}"),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=quiet,
    )


def _print(facts: dict[str, Any], kind: str) -> None:
    would = "Nothing was stored. An import would give" if facts["dry_run"] else f"From {facts['source']}"
    say(f"{would}, of {counted(facts['rows'], 'row')}:")
    table([[facts[name], said] for name, said in OUTCOMES.items() if facts[name]], "", "", empty="Nothing.")
    print_columns(facts, kind, refused=facts["refused"])
    for code, count in facts["warnings"].items():
        say(f"! {count} with the warning {code}")
    _print_rows("Joined a record that was there", facts["joined"], facts["merged"], "record show")
    _print_rows("Wait for a look", facts["waiting"], facts["in_review"], "review show")
    _print_refused(facts)
    if facts["in_review"] and not facts["dry_run"]:
        say("All that wait:  gleanery review list --kind record")
    if not facts["dry_run"]:
        say("What is known now:  gleanery record list")


def _print_rows(title: str, listed: list[dict[str, Any]], count: int, command: str) -> None:
    if not listed:
        return
    say(f"\n{title}:")
    for each in listed[:MOST_NAMED]:
        shown = f"  gleanery {command} {each['record']}" if each["record"] else ""
        say(f"line {each['line']}: {each['name']}{shown}")
    if (more := count - MOST_NAMED) > 0:
        say(f"... and {more} more; --json lists them.")


def _print_refused(facts: dict[str, Any]) -> None:
    """What is wrong with many rows is said once."""
    if not facts["refused"]:
        return
    say("\nRefused:")
    lines: dict[str, list[str]] = {}
    for each in facts["refusals"]:
        lines.setdefault(each["reason"], []).append(str(each["line"]))
    rows = [
        [each["rows"], _first(lines.get(each["reason"], []), each["rows"]), each["reason"]]
        for each in facts["reasons"][:MOST_SHOWN]
    ]
    table(rows, "rows", "line", "because", empty="")
    if (more := facts["refused"] - sum(each["rows"] for each in facts["reasons"][:MOST_SHOWN])) > 0:
        say(f"... and {more} more; --json lists them.")


def _first(lines: list[str], count: int) -> str:
    return ", ".join(lines[:FEW]) + (", ..." if count > FEW else "")
