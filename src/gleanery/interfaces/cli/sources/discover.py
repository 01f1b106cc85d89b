"""`gleanery discover`: runs a search session with progress bars, or reads results from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from gleanery.errors import Invalid
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.sources.judge import judge_with_progress, print_stats
from gleanery.interfaces.cli.terminal.output import Json, err, say, show, table

NUMBERS = ("queries", "returned", "results", "new_domains", "duplicates", "spam", "blacklisted", "invalid", "failures")


def discover(
    topic: Annotated[str, typer.Option(help="The short name of the topic.")],
    provider: Annotated[list[str] | None, typer.Option(help="Ask only this provider; may be repeated.")] = None,
    max_queries: Annotated[int | None, typer.Option(min=1, help="Ask at most this many queries.")] = None,
    file: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Read results from a JSON Lines file.")
    ] = None,
    json: Json = False,
) -> None:
    """Search for sources on a topic with all providers that are on, or read results from a file."""
    if file is not None and (provider or max_queries):
        raise Invalid("All results of a file are read. Leave out --provider and --max-queries.")
    with application():
        session = _from_file(topic, file, json) if file else from_providers(topic, provider or [], max_queries, json)
        facts = {**session_facts(session), "judging": judge_with_progress(session, json)}
    show(facts, json, lambda: print_story(facts))
    if facts["status"] == "failed":
        raise typer.Exit(1)


def from_providers(topic: str, providers: list[str], most: int | None, json: bool) -> Any:
    from gleanery.accounts.actor import at_terminal
    from gleanery.discovery import services
    from gleanery.discovery.run import run

    session = services.start_session(
        at_terminal(), services.find_topic(topic), "manual_search", providers=providers, most=most
    )
    with _bars("{task.fields[note]}", quiet=json) as bars:
        watch = ProviderBars(bars, session.providers, len(session.queries))
        return run(session, watch.update)


def _from_file(topic: str, file: Path, json: bool) -> Any:
    from gleanery.accounts.actor import at_terminal
    from gleanery.discovery import services
    from gleanery.discovery.file_import import import_lines
    from gleanery.discovery.providers.manual_input import read_hits

    session = services.start_file_session(at_terminal(), services.find_topic(topic))
    with file.open("rb") as lines, _bars("lines", quiet=json) as bars:
        task = bars.add_task(file.name, total=None)
        return import_lines(session, read_hits(lines), lambda count: bars.advance(task, count))


def _bars(note: str, *, quiet: bool) -> Progress:
    """Return progress bars whose long notes wrap in a narrow window instead of squeezing the bars."""
    return Progress(
        TextColumn("{task.description:14}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn(note, markup=False, table_column=Column()),
        console=err,
        disable=quiet,
    )


class ProviderBars:
    """One progress bar per provider, with counts of its results so far."""

    def __init__(self, bars: Progress, providers: list[str], queries: int) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {
            name: bars.add_task(name, total=queries, note="asking ...") for name in providers
        }
        self._found: dict[str, dict[str, int]] = {name: {} for name in providers}

    def update(self, step: Any) -> None:
        found = self._found[step.provider]
        for outcome, count in step.outcomes.items():
            found[outcome] = found.get(outcome, 0) + count
        note = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items())) or "nothing yet"
        self._bars.update(
            self._tasks[step.provider],
            completed=step.done,
            note=f"{note}; {step.failure}" if step.failure else note,
        )


def session_facts(session: Any) -> dict[str, Any]:
    from gleanery.discovery import numbers

    shown = ("id", "type", "status", "started_at", "completed_at", "error")
    facts = {each: getattr(session, each) for each in shown}
    topic = session.topic.name if session.topic else None
    return {**facts, "topic": topic, "numbers": numbers.of_session(session.pk).as_dict()}


def print_story(facts: dict[str, Any], *, hints: bool = True) -> None:
    print_session(facts, hints=hints)
    print_stats(facts["judging"], hints=hints)


def print_session(facts: dict[str, Any], *, hints: bool = True) -> None:
    """Print the numbers with providers side by side, so that they fit a narrow terminal."""
    numbers = facts["numbers"]
    if facts["topic"] is None:
        _print_deep_crawl(facts)
        return
    asked = [*numbers["providers"], {"provider": "all", "mean_seconds": None, **numbers}]
    rows = [[name.replace("_", " "), *(each[name] for each in asked)] for name in NUMBERS]
    rows.append(["mean seconds", *("" if each["mean_seconds"] is None else each["mean_seconds"] for each in asked)])
    say(f"\nSession {facts['id']} on {facts['topic']}: {facts['status']}")
    table(rows, "", *(each["provider"] for each in asked), empty="")
    if facts["error"]:
        say(facts["error"])
    if hints:
        say(f"To see each result:  gleanery result list --session {facts['id']}")


def _print_deep_crawl(facts: dict[str, Any]) -> None:
    say(f"\nSession {facts['id']}, full crawl of all approved domains: {facts['status']}")
    crawls = facts["numbers"]["crawls"] or {}
    table([[name.replace("_", " "), count] for name, count in crawls.items()], "", "", empty="It has no crawls yet.")
    if facts["error"]:
        say(facts["error"])
