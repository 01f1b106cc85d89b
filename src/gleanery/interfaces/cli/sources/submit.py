"""`gleanery submit`: proposes a source, or sends a page of an approved one to the crawler."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application, base_of
from gleanery.interfaces.cli.terminal.output import Json, ask, is_attended, say, show, warn

# Outcomes that exit with code 0; after all others nothing happens with the submission.
FINE = {"submitted", "approved_at_once", "queued", "pending", "approved"}


def submit(
    given: Annotated[str, typer.Argument(metavar="DOMAIN_OR_URL", help="A domain, or the address of a page.")],
    context: Annotated[str, typer.Option(help="What it offers, for the reviewer.")] = "",
    depth: Annotated[int | None, typer.Option(help="How many links deep to read: 0 (homepage) to 6.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Accept what the answer offers.")] = False,
    json: Json = False,
) -> None:
    """Submit a source for review, or a page of an approved source to the crawler."""
    with application() as settings:
        from gleanery.accounts.actor import at_terminal
        from gleanery.domains.submissions import submitting

        said = submitting.submit(given, context=context, depth=depth, by=at_terminal(), yes=yes)
        if said.offer and not json and is_attended():
            say(said.message)
            if ask(said.offer.question):
                said = submitting.submit(given, context=context, depth=depth, by=at_terminal(), yes=True)
    facts = {
        "outcome": said.code,
        "message": said.message,
        "domain": said.domain or None,
        "offer": said.offer and {"action": said.offer.action, "question": said.offer.question},
        "follow_url": f"{base_of(settings)}/submit/{said.token}/" if said.token else None,
        "warnings": list(said.warnings),
    }
    show(facts, json, lambda: _print(facts))
    if said.code not in FINE:
        raise typer.Exit(1)


def _print(facts: dict[str, Any]) -> None:
    say(facts["message"])
    for warning in facts["warnings"]:
        warn(warning)
    if facts["offer"]:
        say(f"{facts['offer']['question']} If so, run the same command with --yes.")
