"""`gleanery topic`: adds topics, and shows and schedules their queries."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

app = typer.Typer(no_args_is_help=True, help="Topics: what to search for.")

Name = Annotated[str, typer.Argument(help="The short name of the topic.")]


@app.command("add")
def add(
    preset: Annotated[str, typer.Option(help="The preset to start from: funding, events or services.")],
    place: Annotated[str, typer.Option(help="A country, a region or a city.")] = "",
    name: Annotated[str, typer.Option(help="A short name; by default made from preset and place.")] = "",
    language: Annotated[
        list[str] | None,
        typer.Option(help="The language of the queries: en, bg or both; by default that of the place."),
    ] = None,
    schedule: Annotated[str, typer.Option(help="Cron text for nightly runs, such as '0 3 * * *'.")] = "",
    json: Json = False,
) -> None:
    """Add a topic from a preset; everything about it can be changed in the console."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.discovery import services

        topic = services.add_topic(at_terminal(), preset, place, name=name, languages=language or (), schedule=schedule)
        facts = _facts(topic)
    show(facts, json, lambda: say(_welcome(facts)))


def _welcome(facts: dict[str, Any]) -> str:
    return (
        f"The topic {facts['name']} ({facts['title']}) was added, with {facts['queries']} queries.\n"
        f"  See them first:  gleanery topic queries {facts['name']}\n"
        f"  Run them:        gleanery discover --topic {facts['name']}"
    )


@app.command("list")
def list_topics(json: Json = False) -> None:
    """Show all topics."""
    with application():
        from gleanery.discovery.models import Topic

        rows = [_facts(topic) for topic in Topic.objects.order_by("name")]
    columns = ("name", "title", "queries", "threshold", "schedule")
    empty = "There are no topics yet. To add one, run `gleanery topic add --preset funding --place Bulgaria`."
    cells = [[row[each] for each in columns] for row in rows]
    show(rows, json, lambda: table(cells, *columns, empty=empty, spare=("threshold", "queries")))


@app.command("queries")
def list_queries(name: Name, json: Json = False) -> None:
    """Show the queries that a run would send to each provider; nothing is sent."""
    with application():
        from gleanery.discovery import services

        found = services.queries_of(services.find_topic(name))
    show(list(found), json, lambda: say("\n".join(f"{number:3}  {query}" for number, query in enumerate(found, 1))))


@app.command("schedule")
def set_schedule(
    name: Name, cron: Annotated[str, typer.Argument(help="Cron text; empty turns it off.")], json: Json = False
) -> None:
    """Schedule a topic, or turn its schedule off."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.discovery import services

        topic = services.find_topic(name)
        topic.schedule = cron
        facts = _facts(services.save_topic(at_terminal(), topic, "schedule"))
    show(
        facts,
        json,
        lambda: say(f"{name} now runs at {cron!r} (UTC)." if cron else f"{name} now runs only when you start it."),
    )


def _facts(topic: Any) -> dict[str, Any]:
    from gleanery.discovery import services

    shown = ("id", "name", "title", "preset", "places", "kinds", "country", "threshold", "schedule")
    return {**{each: getattr(topic, each) for each in shown}, "queries": len(services.queries_of(topic))}
