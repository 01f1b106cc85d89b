"""`gleanery source`: the trust of each source, and which of its records wait for a review."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Any

import typer

from gleanery import words
from gleanery.errors import Invalid
from gleanery.interfaces.cli.runtime import application, store_of
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

app = typer.Typer(
    no_args_is_help=True, help="Sources: how far each is trusted, and which of its records need a review."
)
COLUMNS = ("name", "kind", "trust", "asks about", "notes")


@app.command("list")
def list_sources(json: Json = False) -> None:
    """Show the sources, with the notes that their records have."""
    with application() as settings:
        from gleanery.extraction.models import Source
        from gleanery.resolution.presenting.note_counts import note_counts

        notes: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for each in note_counts():
            notes[each.source][each.note] = each.records
        found = [{**facts_of(row), "notes": notes[row.name]} for row in Source.objects.order_by("name")]
    cells = [[row["name"], row["kind"], row["trust"], _listed(row["asks"]), _counted(row["notes"])] for row in found]
    show(found, json, lambda: table(cells, *COLUMNS, empty=f"There are no sources yet in {store_of(settings)}."))


@app.command("set")
def set_source(
    name: Annotated[str, typer.Argument(help="As `gleanery source list` shows it.")],
    trust: Annotated[int | None, typer.Option(min=1, max=10, help="How far to trust it, 1 to 10.")] = None,
    ask: Annotated[
        list[str] | None, typer.Option(help="Review records with this note first; `probation`: all records.")
    ] = None,
    ask_nothing: Annotated[
        bool, typer.Option("--ask-nothing", help="Review no records because of their notes.")
    ] = False,
    json: Json = False,
) -> None:
    """Change the trust of a source, or which of its records need a review."""
    if trust is None and not ask and not ask_nothing:
        raise typer.BadParameter("Give at least one of --trust, --ask and --ask-nothing.")
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.extraction import services

        if ask and ask_nothing:
            raise Invalid("--ask and --ask-nothing cannot be used together. Nothing was changed.")
        actor, source = at_terminal(), services.source_called(name)
        if ask or ask_nothing:
            source = services.set_asks(actor, source, ask or ())
        if trust is not None:
            source = services.set_trust(actor, source, trust)
        facts = facts_of(source)
    show(facts, json, lambda: say(f"{name}: trust {facts['trust']}, asks about {_listed(facts['asks'])}."))


def facts_of(source: Any) -> dict[str, Any]:
    return {"id": str(source.pk), "name": source.name, "kind": source.kind, "trust": source.trust, "asks": source.asks}


def _listed(codes: list[str]) -> str:
    return ", ".join(map(words.of, codes)) or "nothing"


def _counted(notes: dict[str, int]) -> str:
    return ", ".join(f"{count} {words.of(code)}" for code, count in notes.items())
