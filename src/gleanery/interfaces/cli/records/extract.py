"""`gleanery extract` and `observation`: from stored pages to what sources say, without a request to any site."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gleanery.errors import Invalid
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, counted_kinds, err, say, show, table
from gleanery.text import counted

observations = typer.Typer(no_args_is_help=True, help="Observations: what sources say, with where they say it.")
COLUMNS = ("id", "kind", "name", "source", "version", "last_seen", "not_seen_since")
SPARE = ("not_seen_since", "version", "last_seen", "kind", "source")


def extract(
    domain: Annotated[str, typer.Argument(help="The domain, in any spelling.")],
    again: Annotated[bool, typer.Option("--again", help="Every stored page, also those already extracted.")] = False,
    json: Json = False,
) -> None:
    """Read what is stored of a domain for what it offers; no request is made."""
    with application():
        from gleanery.domains import registry

        (facts,) = extract_with_progress([registry.find(domain)], json, again=again)
    show(facts, json, lambda: print_summary(facts))


def extract_with_progress(domains: list[Any], json: bool, *, again: bool = False) -> list[dict[str, Any]]:
    """One domain after the other, with one bar for all of their pages."""
    from gleanery.extraction import services

    columns = (
        TextColumn("extracting    ", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    run = services.extract_again if again else services.extract_domain
    with Progress(*columns, console=err, disable=json) as bars:
        waiting = sum(services.count_waiting(domain, again=again) for domain in domains)
        task = bars.add_task("extracting", total=waiting)
        runs = [run(domain, lambda count: bars.advance(task, count)) for domain in domains]
    return [{"domain": domain.name, **each.as_dict()} for domain, each in zip(domains, runs, strict=True)]


def print_summary(facts: dict[str, Any], *, hints: bool = True) -> None:
    if not facts["pages"]:
        again = f"gleanery extract --again {facts['domain']}"
        say(f"Nothing new is stored of {facts['domain']}. To read everything once more:  {again}")
        return
    kinds = counted_kinds(facts["kinds"]) or "nothing"
    pages, contacts = counted(facts["pages"], "page"), counted(facts["contacts"], "contact")
    say(f"{pages} of {facts['domain']}, {facts['relevant']} of them relevant: {kinds}.")
    say(f"New or changed: {counted(facts['new_versions'], 'observation')}. Named: {contacts}.")
    if facts["failures"]:
        say(f"{counted(facts['failures'], 'page')} could not be read; the console says why.")
    if hints:
        say(f"What they say:  gleanery observation list --domain {facts['domain']}")


@observations.command("list")
def list_observations(
    domain: Annotated[str, typer.Option(help="Only those of this domain.")] = "",
    kind: Annotated[str, typer.Option(help="Only those of this kind.")] = "",
    source: Annotated[str, typer.Option(help="Only those of the source of this name.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Superseded versions too.")] = False,
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show what sources say, the newest first."""
    with application():
        from gleanery.domains import registry
        from gleanery.extraction.models import Observation

        found = Observation.objects.select_related("source", "page").order_by("-id")
        found = found if every else found.filter(superseded_at=None)
        found = found.filter(source__domain=registry.find(domain)) if domain else found
        found = found.filter(kind=kind) if kind else found
        found = found.filter(source__name=source) if source else found
        rows, total = [_facts(each) for each in found[:most]], found.count()
    cells = [[row[each] for each in COLUMNS] for row in rows]
    empty = "No source says such a thing yet."
    show(rows, json, lambda: table(cells, *COLUMNS, empty=empty, total=total, spare=SPARE))


@observations.command("show")
def show_observation(
    observation: Annotated[str, typer.Argument(help="The id, as the list shows it.")], json: Json = False
) -> None:
    """Show one observation: each value, and where on the page it stood."""
    with application():
        from gleanery.extraction import services

        row = services.find_observation(_id(observation))
        shown = ("extractor", "extractor_version", "first_seen", "superseded_at", "payload", "evidence", "original")
        facts = {**_facts(row), **{each: getattr(row, each) for each in shown}}
    show(facts, json, lambda: _print_observation(facts))


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Invalid(f"{text!r} is no id of an observation: `gleanery observation list` shows them.") from None


def _print_observation(facts: dict[str, Any]) -> None:
    say(f"{facts['name']}: {facts['kind']} of {facts['source']}, version {facts['version']}, by {facts['extractor']}")
    say(facts["url"] or "")
    rows = [[name, value, facts["evidence"].get(name, "")] for name, value in facts["payload"].items()]
    table(rows, "field", "value", "where it stood", empty="It says nothing.")


def _facts(row: Any) -> dict[str, Any]:
    shown = ("id", "kind", "external_id", "version", "last_seen", "not_seen_since")
    names = {"name": str(row), "source": row.source.name, "url": row.page.url if row.page else None}
    return {**{each: getattr(row, each) for each in shown}, **names}
