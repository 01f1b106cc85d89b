"""`gleanery review causes` and `together`: possible duplicates with a common cause, decided together."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gleanery.interfaces.cli.runtime import application
from gleanery.interfaces.cli.terminal.output import Json, say, show, table

MOST_SHOWN = 20


def list_causes(json: Json = False) -> None:
    """Show common causes of possible duplicates: two sources with the same records, or a series."""
    with application():
        from gleanery.review.together import services

        found = [facts_of(cause) for cause in services.causes()]
    cells = [[row["id"], row["count"], row["sentence"]] for row in found]
    show(found, json, lambda: table(cells, "id", "pairs", "what", empty="No possible duplicates have a common cause."))


def decide_together(
    cause: Annotated[str, typer.Argument(metavar="CAUSE", help="As `gleanery review causes` shows it.")],
    merge: Annotated[bool, typer.Option("--merge", help="The records of each pair are the same: merge them.")] = False,
    keep_separate: Annotated[
        bool, typer.Option("--keep-separate", help="The records of each pair are different.")
    ] = False,
    json: Json = False,
) -> None:
    """Show all pairs of a cause; with --merge or --keep-separate, decide about all of them."""
    if merge and keep_separate:
        raise typer.BadParameter("--merge and --keep-separate cannot be used together.")
    with application():
        from gleanery.accounts.actor import at_terminal
        from gleanery.review.together import services

        found = services.find(cause)
        facts = {**facts_of(found), "pairs": [_facts(pair) for pair in found.pairs]}
        if merge or keep_separate:
            answer = services.SAME if merge else services.DIFFERENT
            result = services.decide(at_terminal(), cause, answer, found.seen)
            refused = [{**_facts(pair), "reason": reason} for pair, reason in result.refused]
            facts |= {"said": result.said, "refused": refused}
    show(facts, json, lambda: _print(facts))


def facts_of(cause: Any) -> dict[str, Any]:
    return {"id": cause.id, "kind": cause.kind, "sentence": cause.sentence, "count": len(cause.pairs)}


def _facts(pair: Any) -> dict[str, Any]:
    return {**pair._asdict(), "one": pair.one._asdict(), "other": pair.other._asdict()}


def _print(facts: dict[str, Any]) -> None:
    if said := facts.get("said"):
        say(said)
        for each in facts["refused"]:
            say(f"! {each['one']['name']} and {each['other']['name']}: {each['reason']}")
        return
    say(facts["sentence"])
    rows = [
        [each["one"]["name"], each["other"]["name"], each["one"]["day"] or "", f"{each['probability']:.0%}"]
        for each in facts["pairs"]
    ]
    table(rows[:MOST_SHOWN], "record", "may be the same as", "day", "probability", empty="", total=len(rows))
    say(f"\nDecide:  gleanery review together {facts['id']} --merge  (or --keep-separate)")
