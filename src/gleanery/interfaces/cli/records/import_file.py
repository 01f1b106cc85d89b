"""`gleanery import`: imports a file or feed of records, with a progress bar and a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from gleanery import words
from gleanery.interfaces.cli.records.import_columns import print_columns
from gleanery.interfaces.cli.records.kind_names import kind_meant
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, err, say, show, table
from gleanery.text import counted

MOST_SHOWN = 20
MOST_NAMED = 5
FEW = 3
OUTCOMES = {
    "created": "new records",
    "in_review": "new records waiting for review",
    "merged": "merged into existing records",
    "updated": "changed",
    "unchanged": "unchanged",
    "refused": "refused",
}


def is_address(given: str) -> bool:
    return given.lower().startswith(("http://", "https://", "webcal://", "webcals://"))


def existing_file(given: str) -> str:
    """Refuse missing files; addresses are checked when they are fetched."""
    if not is_address(given) and not Path(given).is_file():
        problem = "is a directory" if Path(given).is_dir() else "does not exist"
        raise typer.BadParameter(f"File {given!r} {problem}.")
    return given


def import_file(  # noqa: PLR0913, PLR0917  # each is an option of the command
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL",
            callback=existing_file,
            help="A JSON Lines, CSV or iCalendar file, or the address of a file or feed.",
        ),
    ],
    source: Annotated[str, typer.Option(help="Who provides it; use the same name each time.")],
    trust: Annotated[
        int | None, typer.Option(min=1, max=10, help="How far to trust it, 1 to 10; 5 if never set.")
    ] = None,
    kind: Annotated[
        str, typer.Option(callback=kind_meant, help="The kind of each row, unless a column `kind` gives it.")
    ] = "",
    renames: Annotated[
        str, typer.Option("--map", help='Columns and their fields, as "Site name=name,Zip=postal_code".')
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would happen; store nothing.")] = False,
    json: Json = False,
) -> None:
    """Import a file or feed. It can be run again, with the same or a newer file, without making duplicates."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution.importing.columns import Columns, read_renames
        from gleanery.resolution.importing.import_file import Import

        given = _fetched(file) if is_address(file) else _opened(Path(file))
        columns = Columns(kind or ("event" if given.form == "icalendar" else ""), read_renames(renames))
        today = datetime.now(UTC).date()
        task = Import(actor=at_terminal(), source=source, trust=trust, form=given.form, columns=columns, today=today)
        with given.open() as opened, _bars(quiet=json or not given.size) as bars:
            bar = bars.add_task(given.name, total=given.size)
            advance = partial(_advance, bars, bar)
            facts = given.imported(task, opened, advance, dry_run=dry_run).as_dict()
    show(facts, json, lambda: _print(facts, columns.kind))
    if facts["rows"] and facts["rows"] == facts["refused"]:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Input:
    """Input of an import: a file, here or fetched, or the answer of a platform."""

    name: str
    form: str
    open: Callable[[], BinaryIO]
    size: int
    answer: Any = None

    def imported(self, task: Any, file: BinaryIO, advance: Callable[[int], None], *, dry_run: bool) -> Any:
        from gleanery.resolution.importing.fetched_rows import rows_of

        if self.answer is None:
            return (task.dry_run if dry_run else task.run)(file, advance)
        rows = rows_of(self.answer.drafts, self.answer.content.problem_list)
        return (task.dry_take if dry_run else task.take)(rows)


def _opened(file: Path) -> Input:
    from gleanery.resolution.importing.files import form_of

    return Input(file.name, form_of(file.name), lambda: file.open("rb"), file.stat().st_size)


def _fetched(url: str) -> Input:
    from gleanery.feeds.reading.import_url import FetchedFile, fetch_import

    fetched = fetch_import(url)
    if isinstance(fetched, FetchedFile):
        return Input(fetched.form, fetched.form, partial(BytesIO, fetched.body), len(fetched.body))
    say(f"{fetched.label}: {counted(len(fetched.drafts), 'event')}.", to=err)
    return Input(fetched.label, "icalendar", BytesIO, 0, fetched)


def _advance(bars: Progress, bar: TaskID, position: int) -> None:
    bars.update(bar, completed=position)


def _bars(*, quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description:14}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=quiet,
    )


def _print(facts: dict[str, Any], kind: str) -> None:
    rows = counted(facts["rows"], "row")
    say(
        f"Nothing was stored. An import of {rows} would give:"
        if facts["dry_run"]
        else f"{rows} from {facts['source']}:"
    )
    table([[facts[name], said] for name, said in OUTCOMES.items() if facts[name]], "", "", empty="Nothing.")
    print_columns(facts, kind, refused=facts["refused"])
    for code, count in facts["warnings"].items():
        say(f"! {count} with the warning {code}")
    for code, count in facts["notes"].items():
        say(f"  {count} with the note: {words.of(code)}")
    _print_rows("Merged into existing records", facts["joined"], facts["merged"], "record show")
    _print_rows("Waiting for review", facts["waiting"], facts["in_review"], "review show")
    _print_refused(facts)
    if facts["in_review"] and not facts["dry_run"]:
        say("To see all that wait:  gleanery review list --kind record")
    if not facts["dry_run"]:
        say("To see the records:  gleanery record list")


def _print_rows(title: str, listed: list[dict[str, Any]], count: int, command: str) -> None:
    if not listed:
        return
    say(f"\n{title}:")
    for each in listed[:MOST_NAMED]:
        shown = f"  gleanery {command} {each['record']}" if each["record"] else ""
        say(f"line {each['line']}: {each['name']}{shown}")
    if (more := count - MOST_NAMED) > 0:
        say(f"... and {more} more. Use --json to see all.")


def _print_refused(facts: dict[str, Any]) -> None:
    """Print refused rows, grouped by reason."""
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
    table(rows, "rows", "line", "reason", empty="")
    if (more := facts["refused"] - sum(each["rows"] for each in facts["reasons"][:MOST_SHOWN])) > 0:
        say(f"... and {more} more. Use --json to see all.")


def _first(lines: list[str], count: int) -> str:
    return ", ".join(lines[:FEW]) + (", ..." if count > FEW else "")
