"""`gleanery import`: files of records, with a bar, a report, and nothing lost when it breaks off."""

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
    "in_review": "new records that wait for a look",
    "merged": "joined a record that was there",
    "updated": "changed",
    "unchanged": "as they were",
    "refused": "refused",
}


def is_address(given: str) -> bool:
    return given.lower().startswith(("http://", "https://", "webcal://", "webcals://"))


def there(given: str) -> str:
    """An address is looked at when it is fetched."""
    if not is_address(given) and not Path(given).is_file():
        problem = "is a directory" if Path(given).is_dir() else "does not exist"
        raise typer.BadParameter(f"File {given!r} {problem}.")
    return given


def import_file(  # noqa: PLR0913, PLR0917  # each is an option of the command
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL",
            callback=there,
            help="JSON Lines, CSV or iCalendar, by its name; or the address of a file or a feed.",
        ),
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
    """Take in a file or feed. Run again after it broke off, or with a newer one: what is known is not doubled."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.resolution.importing.columns import Columns, read_renames
        from gleanery.resolution.importing.import_file import Import

        come = _fetched(file) if is_address(file) else _opened(Path(file))
        columns = Columns(kind or ("event" if come.form == "icalendar" else ""), read_renames(renames))
        today = datetime.now(UTC).date()
        task = Import(actor=at_terminal(), source=source, trust=trust, form=come.form, columns=columns, today=today)
        with come.open() as opened, _bars(quiet=json or not come.size) as bars:
            bar = bars.add_task(come.name, total=come.size)
            tell = partial(_tell, bars, bar)
            facts = come.taken(task, opened, tell, dry_run=dry_run).as_dict()
    show(facts, json, lambda: _print(facts, columns.kind))
    if facts["rows"] and facts["rows"] == facts["refused"]:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Come:
    """What is imported: a file, here or fetched, or what a platform answered."""

    name: str
    form: str
    open: Callable[[], BinaryIO]
    size: int
    answer: Any = None

    def taken(self, task: Any, file: BinaryIO, tell: Callable[[int], None], *, dry_run: bool) -> Any:
        from gleanery.resolution.importing.fetched_rows import rows_of

        if self.answer is None:
            return (task.dry_run if dry_run else task.run)(file, tell)
        rows = rows_of(self.answer.drafts, self.answer.content.problem_list)
        return (task.dry_take if dry_run else task.take)(rows)


def _opened(file: Path) -> Come:
    from gleanery.resolution.importing.files import form_of

    return Come(file.name, form_of(file.name), lambda: file.open("rb"), file.stat().st_size)


def _fetched(url: str) -> Come:
    from gleanery.feeds.reading.import_url import FetchedFile, fetch_import

    come = fetch_import(url)
    if isinstance(come, FetchedFile):
        return Come(come.form, come.form, partial(BytesIO, come.body), len(come.body))
    say(f"{come.label}: {counted(len(come.drafts), 'event')}.", to=err)
    return Come(come.label, "icalendar", BytesIO, 0, come)


def _tell(bars: Progress, bar: TaskID, position: int) -> None:
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
    would = "Nothing was stored. An import would give" if facts["dry_run"] else f"From {facts['source']}"
    say(f"{would}, of {counted(facts['rows'], 'row')}:")
    table([[facts[name], said] for name, said in OUTCOMES.items() if facts[name]], "", "", empty="Nothing.")
    print_columns(facts, kind, refused=facts["refused"])
    for code, count in facts["warnings"].items():
        say(f"! {count} with the warning {code}")
    for code, count in facts["notes"].items():
        say(f"  {count} with the note: {words.of(code)}")
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
