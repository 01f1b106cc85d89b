"""`gleanery topic`: what is looked for."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

app = typer.Typer(no_args_is_help=True, help="Topics: what is looked for.")

Name = Annotated[str, typer.Argument(help="The short name of the topic.")]


@app.command("add")
def add(
    preset: Annotated[str, typer.Option(help="What to begin with: funding, events or services.")],
    place: Annotated[str, typer.Option(help="Where: a country, a region or a city.")] = "",
    name: Annotated[str, typer.Option(help="A short name; made from preset and place if unset.")] = "",
    language: Annotated[
        list[str] | None, typer.Option(help="What to ask in: en, bg or both; unset: as they speak there.")
    ] = None,
    schedule: Annotated[str, typer.Option(help="Cron text for nightly runs, such as '0 3 * * *'.")] = "",
    json: Json = False,
) -> None:
    """Make a topic from a preset; the console can change everything about it."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.discovery import services

        topic = services.add_topic(at_terminal(), preset, place, name=name, languages=language or (), schedule=schedule)
        facts = _facts(topic)
    show(facts, json, lambda: say(_welcome(facts)))


def _welcome(facts: dict[str, Any]) -> str:
    return (
        f"{facts['title']}: the topic {facts['name']} was added, with {facts['queries']} queries.\n"
        f"  See them before anything is spent:  gleanery topic queries {facts['name']}\n"
        f"  Run them:                           gleanery discover --topic {facts['name']}"
    )


@app.command("list")
def list_topics(json: Json = False) -> None:
    """Show which topics there are."""
    with application():
        from gleanery.discovery.models import Topic

        rows = [_facts(topic) for topic in Topic.objects.order_by("name")]
    columns = ("name", "title", "queries", "threshold", "schedule")
    empty = "There are no topics yet: `gleanery topic add --preset funding --place Bulgaria`."
    cells = [[row[each] for each in columns] for row in rows]
    show(rows, json, lambda: table(cells, *columns, empty=empty, spare=("threshold", "queries")))


@app.command("queries")
def list_queries(name: Name, json: Json = False) -> None:
    """Show the queries that a run would put to each provider, in order; nothing is asked."""
    with application():
        from gleanery.discovery import services

        found = services.queries_of(services.find_topic(name))
    show(list(found), json, lambda: say("\n".join(f"{number:3}  {query}" for number, query in enumerate(found, 1))))


@app.command("schedule")
def set_schedule(
    name: Name, cron: Annotated[str, typer.Argument(help="Cron text; empty turns it off.")], json: Json = False
) -> None:
    """Run a topic by itself at certain times, or no longer."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.discovery import services

        topic = services.find_topic(name)
        topic.schedule = cron
        facts = _facts(services.save_topic(at_terminal(), topic, "schedule"))
    show(facts, json, lambda: say(f"{name} runs at {cron!r} (UTC) now." if cron else f"{name} runs only when asked."))


def _facts(topic: Any) -> dict[str, Any]:
    from gleanery.discovery import services

    shown = ("id", "name", "title", "preset", "places", "kinds", "country", "threshold", "schedule")
    return {**{each: getattr(topic, each) for each in shown}, "queries": len(services.queries_of(topic))}
