"""`gleanery backup`, `restore` and `store`: writes everything into one file, and restores it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.filesize import decimal
from rich.progress import DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, err, say, show, table
from gleanery.text import counted

stores = typer.Typer(no_args_is_help=True, help="Old stores that `gleanery restore --replace` has kept.")
NO_SECRETS = (
    "It contains no secrets: after a restore, people log in with a link from `gleanery user link NAME`, and API keys "
    "must be made again."
)


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(help="The file to write, or its directory; by default GLEANERY_BACKUP_DIR, or the current one."),
    ] = None,
    with_secrets: Annotated[
        bool, typer.Option("--with-secrets", help="Include digests of passwords and keys, login links and sessions.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a consistent copy of everything into one file; other work can continue."""
    with application() as settings:
        from gleanery.database.backup import nightly, services

        given = file or settings.backup_dir or Path()
        target = given / nightly.new_name() if os.path.isdir(given) else given
        with _telling("backing up", json) as tell:
            manifest = services.save(target, tell, with_secrets=with_secrets)
    facts = {"file": str(target), "file_bytes": target.stat().st_size, **_facts(manifest)}
    show(facts, json, lambda: _print_saved(facts))


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `gleanery backup` has written.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a store that is not empty; the old one is kept.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check the file and describe it.")] = False,
    json: Json = False,
) -> None:
    """Restore a backup into an empty store, or with --replace in place of the current one."""
    from gleanery.database.backup.archive import opened

    with opened(file) as archive:
        with _telling("reading", json, archive.manifest.bytes) as tell:
            archive.verify(tell)
        facts = {"file": str(file), **_facts(archive.manifest)}
        if check:
            show(facts, json, lambda: say(f"{_contents(facts)} It is complete."))
            return
        with application(migrates=False):
            from gleanery.database.backup import services

            about = {name: facts[name] for name in ("made_at", "gleanery", "with_secrets")}
            with _telling("restoring", json, archive.manifest.bytes) as tell:
                kept = services.restore(archive, tell, _note("restore", about), replace=replace)
    facts["kept"] = kept
    show(facts, json, lambda: _print_restored(facts))


@stores.command("list")
def list_stores(json: Json = False) -> None:
    """Show the old stores that are kept, the latest first."""
    with application(migrates=False):
        from gleanery.database.backup import stores_aside

        found = [each.as_dict() for each in stores_aside.stores()]
    cells = [[row["name"], row["since"], decimal(row["bytes"])] for row in found]
    show(found, json, lambda: table(cells, "name", "since", "size", empty="No old stores are kept."))


@stores.command("back")
def bring_store_back(
    name: Annotated[str, typer.Argument(help="As `gleanery store list` has it.")], json: Json = False
) -> None:
    """Bring an old store back; the one in use is kept instead."""
    with application(migrates=False):
        from gleanery.database.backup import services

        kept = services.bring_back(name, _note("bring_back", {"store": name}))
    facts = {"store": name, "kept": kept}
    show(facts, json, lambda: say(f"{name} is in use again. {_where(kept)}"))


@stores.command("drop")
def drop_store(
    name: Annotated[str, typer.Argument(help="As `gleanery store list` has it.")], json: Json = False
) -> None:
    """Delete an old store for good."""
    with application(migrates=False):
        from gleanery.database.backup import services

        services.drop(name, _note("drop", {"store": name}))
    show({"store": name}, json, lambda: say(f"{name} was deleted."))


def _note(action: str, after: dict[str, Any]) -> Callable[[], object]:
    """Return a function that writes to the journal of the store that is in use when it is called."""

    def write() -> None:
        from gleanery.accounts import journal
        from gleanery.accounts.actor import at_terminal

        journal.write_of_store(at_terminal(), action, after=after)

    return write


@contextmanager
def _telling(doing: str, json: bool, total: int | None = None) -> Iterator[Callable[[str, int], None]]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        DownloadColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, disable=json, transient=True) as bars:
        task = bars.add_task(doing, total=total)
        yield lambda name, count: bars.update(task, advance=count, description=f"{doing} {name}")


def _facts(manifest: Any) -> dict[str, Any]:
    shown = ("made_at", "gleanery", "postgresql", "with_secrets", "rows")
    facts = {name: getattr(manifest, name) for name in shown}
    facts["made_at"] = manifest.made_at.isoformat(timespec="seconds")
    return {**facts, "tables": {name: each.rows for name, each in manifest.tables.items()}}


def _contents(facts: dict[str, Any]) -> str:
    tables = counted(len(facts["tables"]), "table")
    return f"{facts['file']} contains {facts['rows']:,} rows of {tables}, as of {facts['made_at']}."


def _print_saved(facts: dict[str, Any]) -> None:
    say(f"{_contents(facts)} Its size is {decimal(facts['file_bytes'])}.")
    say("It contains secrets: store it as safely as passwords." if facts["with_secrets"] else NO_SECRETS)
    say(f"To restore it:  gleanery restore {shlex.quote(facts['file'])}")


def _print_restored(facts: dict[str, Any]) -> None:
    say(f"{facts['rows']:,} rows of {counted(len(facts['tables']), 'table')} were restored from {facts['file']}.")
    if not facts["with_secrets"]:
        say(NO_SECRETS)
    if facts["kept"]:
        say(_where(facts["kept"]))


def _where(kept: str) -> str:
    return (
        f"The old store is kept in the same database as {kept}. To bring it back, run `gleanery store back {kept}`; to "
        f"delete it, run `gleanery store drop {kept}`."
    )
