"""`gleanery session`, `result` and `spam`: what sessions found, and what was thrown out."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import typer
from django.db.models import TextField
from django.db.models.functions import Cast

from gleanery.errors import NotFound
from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.sources.discover import print_session, session_facts
from gleanery.interfaces.cli.terminal.output import Json, say, show, table
from gleanery.text import counted

sessions = typer.Typer(no_args_is_help=True, help="Sessions: runs of a topic's queries.")
results = typer.Typer(no_args_is_help=True, help="Results: every search result and its outcome.")
spam = typer.Typer(no_args_is_help=True, help="Spam: results that a rule filtered out, kept for 30 days.")

Session = Annotated[str, typer.Option("--session", help="The id of the session, or its beginning.")]


@sessions.command("list")
def list_sessions(most: Annotated[int, typer.Option(min=1, max=1000)] = 20, json: Json = False) -> None:
    """Show the latest sessions."""
    with application():
        from gleanery.discovery.models import Session as Row

        found = Row.objects.select_related("topic").order_by("-id")
        rows, total = [session_facts(session) for session in found[:most]], found.count()
    columns = ("id", "topic", "type", "status", "started_at")
    cells = [[*(row[each] for each in columns), _found(row["numbers"])] for row in rows]
    empty = "There are no sessions yet. To start one, run `gleanery discover --topic NAME`."
    show(rows, json, lambda: table(cells, *columns, "found", empty=empty, total=total, spare=("type", "found")))


@sessions.command("show")
def show_session(session: Annotated[str, typer.Argument(help="Its id, or its beginning.")], json: Json = False) -> None:
    """Show the numbers of a session: per provider and in total, or per crawl of a deep crawl."""
    with application():
        facts = session_facts(_find(session))
    show(facts, json, lambda: print_session(facts))


@results.command("list")
def list_results(
    session: Session,
    outcome: Annotated[str, typer.Option(help="Only new, duplicate, spam, blacklisted or invalid.")] = "",
    json: Json = False,
) -> None:
    """Show every result of a session in the order it came, with its outcome and the reason."""
    with application():
        found = _find(session).results.select_related("judgement").order_by("query", "provider", "position")
        rows = [_result_facts(result) for result in (found.filter(outcome=outcome) if outcome else found)]
    columns = ("provider", "position", "outcome", "confidence", "domain", "title", "reason")
    cells = [[row[each] for each in columns] for row in rows]
    spare = ("provider", "position", "confidence", "title")
    show(rows, json, lambda: table(cells, *columns, empty="No matching results in this session.", spare=spare))


@spam.command("list")
def list_spam(most: Annotated[int, typer.Option(min=1, max=10_000)] = 50, json: Json = False) -> None:
    """Show recent results filtered out as spam, with the rule that matched."""
    with application():
        from gleanery.discovery.models import Result

        found = Result.objects.filter(outcome="spam", emptied_at=None).select_related("judgement").order_by("-id")
        rows, total = [_result_facts(result) for result in found[:most]], found.count()
    columns = ("id", "domain", "title", "rule", "reason")
    cells = [[row[each] for each in columns] for row in rows]
    show(rows, json, lambda: table(cells, *columns, empty="No spam.", total=total, spare=("title", "rule")))


@spam.command("rescue")
def rescue_spam(result: UUID, json: Json = False) -> None:
    """Rescue a result from spam: it is judged after all, and the mistake of the rule is counted."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.discovery import services
        from gleanery.discovery.models import Result

        row = Result.objects.filter(pk=result).first()
        if row is None:
            raise NotFound("There is no such result. To see what was filtered out, run `gleanery spam list`.")
        facts = _result_facts(services.rescue(at_terminal(), row))
    show(facts, json, lambda: say(f"{facts['domain']} is {facts['outcome']} now."))


@spam.command("rules")
def list_rules(json: Json = False) -> None:
    """Show how often each rule matched, and how often its result was rescued."""
    with application():
        from gleanery.discovery import services

        rows = services.mistakes_of_rules()
    cells = [[row["rule"], row["hits"], row["rescued"]] for row in rows]
    show(rows, json, lambda: table(cells, "rule", "hits", "rescued", empty="No rule has matched yet."))


def _found(numbers: dict[str, Any]) -> str:
    crawls = numbers["crawls"]
    return f"{crawls['completed']} of {counted(crawls['crawls'], 'crawl')}" if crawls else str(numbers["results"])


def _find(session: str) -> Any:
    """Find a session by its id or a unique beginning of it."""
    from gleanery.discovery.models import Session as Row

    rows = Row.objects.select_related("topic").annotate(text=Cast("id", TextField()))
    found = rows.filter(text__startswith=session.strip().lower())[:2]
    if len(found) != 1:
        many = "more than one session begins with" if found else "there is no session"
        raise NotFound(f"{many.capitalize()} {session!r}. To see all sessions, run `gleanery session list`.")
    return found[0]


def _result_facts(result: Any) -> dict[str, Any]:
    shown = ("id", "provider", "query", "position", "url", "title", "description", "outcome", "is_duplicate")
    said = ("rule", "reason", "discovered_at", "rescued_at")
    judgement = getattr(result, "judgement", None)
    return {
        **{each: getattr(result, each) for each in (*shown, *said)},
        "domain": result.domain_name,
        "confidence": judgement.confidence if judgement else None,
        "judges": [each["explanation"] for each in judgement.scores] if judgement else [],
    }
