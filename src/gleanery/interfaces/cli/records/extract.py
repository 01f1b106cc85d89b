"""`gleanery extract` and `observation`: extracts observations from stored pages, and shows them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gleanery.errors import Invalid
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, counted_kinds, err, say, show, table
from gleanery.text import counted

observations = typer.Typer(no_args_is_help=True, help="Observations: what a source says about one thing, and where.")
COLUMNS = ("id", "kind", "name", "source", "version", "last_seen", "not_seen_since")
SPARE = ("not_seen_since", "version", "last_seen", "kind", "source")


def extract(
    domain: Annotated[str, typer.Argument(help="The domain, in any spelling.")],
    again: Annotated[bool, typer.Option("--again", help="Include pages that were already extracted.")] = False,
    json: Json = False,
) -> None:
    """Extract events, services, funding and contacts from the stored pages of a domain, without new requests."""
    with application():
        from gleanery.domains import registry

        (facts,) = extract_with_progress([registry.find(domain)], json, again=again)
    show(facts, json, lambda: print_summary(facts))


def extract_with_progress(domains: list[Any], json: bool, *, again: bool = False) -> list[dict[str, Any]]:
    """Extract the domains in turn, with one progress bar for all pages."""
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
        say(f"There are no new pages of {facts['domain']}. To extract all stored pages again:  {again}")
        return
    kinds = counted_kinds(facts["kinds"]) or "nothing"
    pages, contacts = counted(facts["pages"], "page"), counted(facts["contacts"], "contact")
    say(f"{pages} of {facts['domain']}, {facts['relevant']} of them relevant: {kinds}.")
    say(f"New or changed: {counted(facts['new_versions'], 'observation')} and {contacts}.")
    if facts["failures"]:
        say(f"{counted(facts['failures'], 'page')} could not be read. The console shows why.")
    if hints:
        say(f"To see the observations:  gleanery observation list --domain {facts['domain']}")


@observations.command("list")
def list_observations(
    domain: Annotated[str, typer.Option(help="Only those of this domain.")] = "",
    kind: Annotated[str, typer.Option(help="Only those of this kind.")] = "",
    source: Annotated[str, typer.Option(help="Only those of this source.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Include superseded versions.")] = False,
    most: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    json: Json = False,
) -> None:
    """Show observations, the newest first."""
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
    empty = "No matching observations."
    show(rows, json, lambda: table(cells, *COLUMNS, empty=empty, total=total, spare=SPARE))


@observations.command("show")
def show_observation(
    observation: Annotated[str, typer.Argument(help="Its id, as `gleanery observation list` shows it.")],
    json: Json = False,
) -> None:
    """Show one observation: each value, and where on the page it was found."""
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
        raise Invalid(
            f"{text!r} is not the id of an observation. To see the ids, run `gleanery observation list`."
        ) from None


def _print_observation(facts: dict[str, Any]) -> None:
    say(f"{facts['name']}: {facts['kind']} of {facts['source']}, version {facts['version']}, by {facts['extractor']}")
    say(facts["url"] or "")
    rows = [[name, value, facts["evidence"].get(name, "")] for name, value in facts["payload"].items()]
    table(rows, "field", "value", "where it was found", empty="It has no values.")


def _facts(row: Any) -> dict[str, Any]:
    shown = ("id", "kind", "external_id", "version", "last_seen", "not_seen_since")
    names = {"name": str(row), "source": row.source.name, "url": row.page.url if row.page else None}
    return {**{each: getattr(row, each) for each in shown}, **names}
