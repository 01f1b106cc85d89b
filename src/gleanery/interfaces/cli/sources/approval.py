"""`gleanery domain approve`, `reject`, `suspend` and so on: decisions about sources by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show

Names = Annotated[list[str], typer.Argument(help="One or more domains, in any spelling.")]
Why = Annotated[str, typer.Option(help="Why; it is kept in the journal.")]
Depth = Annotated[int | None, typer.Option(help="Links from the homepage, 0 to 6.")]
Rate = Annotated[int | None, typer.Option(help="Seconds between two requests, 1 to 3600.")]
Frequency = Annotated[int | None, typer.Option(help="Hours between two crawls, 1 to 8760.")]

LeaveOut = Annotated[
    list[str] | None,
    typer.Option("--leave-out", help="A feed not to read, by address or id; may be repeated."),
]


def approve(
    names: Names,
    depth: Depth = None,
    rate: Rate = None,
    frequency: Frequency = None,
    leave_out: LeaveOut = None,
    json: Json = False,
) -> None:
    """Approve sources: crawl them and read their feeds from now on."""
    _each(names, json, "approve", depth=depth, rate=rate, frequency=frequency, leave_out=leave_out or ())


def reject(
    names: Names,
    reason: Why,
    blacklist: Annotated[bool, typer.Option("--blacklist", help="Never search for them again either.")] = False,
    json: Json = False,
) -> None:
    """Reject sources, with a reason."""
    _each(names, json, "reject", reason=reason, blacklist=blacklist)


def suspend(names: Names, reason: Why = "", json: Json = False) -> None:
    """Pause crawling; everything found so far stays."""
    _each(names, json, "suspend", reason=reason)


def resume(names: Names, json: Json = False) -> None:
    """Resume crawling of suspended sources."""
    _each(names, json, "resume")


def undo(names: Names, json: Json = False) -> None:
    """Undo an approval or rejection; the sources return to the review queue."""
    _each(names, json, "undo")


def trust(names: Names, json: Json = False) -> None:
    """Trust sources: they no longer need a review, and those that wait for one are approved."""
    _each(names, json, "trust")


def untrust(names: Names, json: Json = False) -> None:
    """Stop trusting sources; approved ones stay approved."""
    _each(names, json, "untrust")


def configure(
    names: Names, depth: Depth = None, rate: Rate = None, frequency: Frequency = None, json: Json = False
) -> None:
    """Change how deep, how fast and how often sources are crawled."""
    _each(names, json, "configure", depth=depth, rate=rate, frequency=frequency)


def add_to(app: typer.Typer) -> None:
    for command in (approve, reject, suspend, resume, undo, trust, untrust, configure):
        app.command(command.__name__)(command)


def _each(names: list[str], json: bool, action: str, **details: Any) -> None:
    """Act on each domain separately; exit with code 1 if any was refused."""
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains import registry
        from gleanery.domains.services import each_alone
        from gleanery.review.sources import source_decisions

        act: Callable[..., Any] = getattr(source_decisions, action)
        actor = at_terminal()
        done, refused = each_alone(names, lambda name: act(actor, registry.find(name), **details))
        rows = [{**decision_facts(each), "said": each.said} for each in done]
    show_done(rows, [row["said"] for row in rows], refused, json)


def show_done(rows: list[dict[str, Any]], said: list[str], refused: list[Any], json: bool) -> None:
    """Print what was done, and what was refused and why."""
    problems = [{"given": each.given, "reason": each.reason} for each in refused]
    lines = [*said, *(f"{each.given}: {each.reason}" for each in refused)]
    show({"done": rows, "refused": problems}, json, lambda: say("\n".join(lines)))
    if refused:
        raise typer.Exit(1)


def decision_facts(decision: Any) -> dict[str, Any]:
    from gleanery.domains.facts import facts_of

    return {
        **facts_of(decision.domain),
        "review_item": decision.item.pk if decision.item else None,
        "crawl": decision.crawl.pk if decision.crawl else None,
    }
