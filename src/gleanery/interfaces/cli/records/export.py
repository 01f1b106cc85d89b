"""`gleanery export`: what is published as a file of an open format, or as a static copy of the site."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gleanery.errors import Invalid
from gleanery.interfaces.cli.records.kind_names import kind_meant
from gleanery.interfaces.cli.runtime import application, base_of
from gleanery.interfaces.cli.terminal.output import Json, counted_kinds, err, must_be_one_of, say, show
from gleanery.text import counted


def export(  # noqa: PLR0913, PLR0917  # each is an option of the command
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, metavar="FILE", help="The file to write.")
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="jsonl, csv, datapackage, ics, jsonld, parquet, hsds or commongrants; else by the name of the file.",
        ),
    ] = "",
    kind: Annotated[str, typer.Option(callback=kind_meant, help="Only this kind of record.")] = "",
    search: Annotated[
        str, typer.Option(help='Filters as the address of the search has them, such as "place=Sofia&free=1".')
    ] = "",
    coming: Annotated[bool, typer.Option("--coming", help="Leave out what is over, as the search does.")] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="Add who says so, and when it was last confirmed.")
    ] = False,
    checksum: Annotated[bool, typer.Option("--checksum", help="Also write FILE.sha256.")] = False,
    site: Annotated[
        Path | None,
        typer.Option(
            "--site", file_okay=False, metavar="DIR", help="Write a static copy of the site into this folder."
        ),
    ] = None,
    base_url: Annotated[
        str, typer.Option("--base-url", help="Address of the public site in links; else GLEANERY_PUBLIC_URL.")
    ] = "",
    json: Json = False,
) -> None:
    """Write what is published to a file, from one moment of the store, or a static copy of the site to a folder.

    Contacts are never in either.
    """
    if site is not None:
        _copy(site, base_url, quiet=json)
        return
    if output is None:
        raise Invalid("Name the file to write with -o, or a folder with --site: nothing was written.")
    if not output.parent.is_dir():
        raise Invalid(f"There is no directory {output.parent}, so nothing was written. Make it, or name another file.")
    with application() as settings:
        from gleanery.publishing.exports.formats import format_for
        from gleanery.publishing.exports.services import Wanted
        from gleanery.publishing.exports.services import export as write

        wanted = Wanted(
            format=format_for(form, output.name),
            filters=_filters(search, kind),
            root=(base_url or base_of(settings)).rstrip("/"),
            with_past=not coming,
            with_sources=sources,
        )
        with _bars(quiet=json) as progress:
            bar = progress.add_task(output.name, total=None)

            def advance(count: int) -> None:
                progress.advance(bar, count)
                progress.refresh()

            written = write(wanted, output, begin=lambda total: progress.update(bar, total=total), advance=advance)
    if checksum:
        output.with_name(f"{output.name}.sha256").write_text(f"{written.sha256}  {output.name}\n", encoding="utf-8")
    facts = {
        "file": str(output),
        "format": wanted.format.name,
        "records": sum(written.counts.values()),
        "kinds": written.counts,
        "bytes": written.size,
        "sha256": written.sha256,
    }
    show(facts, json, lambda: _print(facts))


def _copy(folder: Path, base_url: str, *, quiet: bool) -> None:
    with application() as settings:
        from django.db import connections

        from gleanery.publishing.static_site.services import copy_site, usual_processes

        base = base_url or base_of(settings)
        connections.close_all()  # helpers are forked, and have connections of their own
        with _bars(quiet=quiet) as progress:
            bar = progress.add_task(folder.name, total=None)

            def advance(count: int) -> None:
                progress.advance(bar, count)
                progress.refresh()

            copied = copy_site(
                folder,
                base,
                live_url="" if settings.public_url in ("", base) else settings.public_url,
                processes=usual_processes(),
                begin=lambda total: progress.update(bar, total=total),
                advance=advance,
            )
    facts = {"folder": str(folder), "base_url": base, **asdict(copied)}
    show(facts, quiet, lambda: _print_copied(facts))


def _print_copied(facts: dict[str, Any]) -> None:
    say(
        f"{facts['folder']}: pages of {counted(facts['records'], 'record')}, {counted(facts['files'], 'file')} in all;"
        f" {facts['written']} written, {facts['deleted']} deleted."
    )
    say(f"Put the folder on any web server, or look at it with python -m http.server -d {facts['folder']}")


def _bars(*, quiet: bool) -> Progress:
    """Drawn when there is news, by no thread of its own: helpers are forked meanwhile."""
    return Progress(
        TextColumn("{task.description:14}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=quiet,
        auto_refresh=False,
    )


def _filters(search: str, kind: str) -> Any:
    """The filters of an address. In a browser what cannot be read is passed over; a file would then hold too much."""
    from gleanery.publishing.search.filters import read
    from gleanery.publishing.showing.kinds import KIND_WORDS

    must_be_one_of(KIND_WORDS, kind, "kind of record")
    given = dict(parse_qsl(search.rpartition("?")[2], keep_blank_values=True)) | ({"kind": kind} if kind else {})
    filters = read(given)
    understood = dict(parse_qsl(filters.address()))
    if unread := [f"{name}={value}" for name, value in given.items() if value and name not in understood]:
        raise Invalid(f"The search does not understand {unread[0]!r}: nothing was written. Mend it or leave it out.")
    return filters


def _print(facts: dict[str, Any]) -> None:
    say(f"{facts['file']}: {counted_kinds(facts['kinds']) or 'no records'}, {facts['bytes']:,} bytes.")
    say(f"SHA-256 {facts['sha256']}")
