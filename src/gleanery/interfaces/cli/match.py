"""`gleanery match`: the weights by which records are compared, and what people's verdicts would make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gleanery.counting import counted
from gleanery.errors import Invalid
from gleanery.interfaces.cli.output import Json, say, show, table
from gleanery.interfaces.cli.runtime import application

app = typer.Typer(no_args_is_help=True, help="Matching: the weights by which records are compared.")


@app.callback()
def root() -> None:
    """Matching: the weights by which records are compared."""


@app.command("train")
def train(
    kind: Annotated[str, typer.Option(help="event, place, organization, ...")],
    write: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Where the new weights go, for you to look at.")
    ] = None,
    json: Json = False,
) -> None:
    """Estimate weights anew from verdicts, and show what would change. Nothing is switched: that is for you to do."""
    with application():
        from gleanery.resolution.matches.own_weights import own_path
        from gleanery.resolution.train import train as estimate

        used = own_path(kind)
        if write is not None and write.resolve() == used.resolve():
            raise Invalid(f"{used} would be used at once: write somewhere else, look at it, and then put it there.")
        trained = estimate(kind)
        facts = {**trained.as_dict(), "written": str(write) if write else None, "used_from": str(used)}
        if write is not None:
            _write(write, trained.text)
    show(facts, json, lambda: _print(facts))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as problem:
        raise Invalid(f"{path} cannot be written: {problem.strerror}.") from None


def _print(facts: dict[str, Any]) -> None:
    say(f"Judged the same: {counted(facts['same'], 'pair')}, different: {facts['different']}.")
    rows = [
        [each["field"], each["level"], f"{each['before']:+.1f}", f"{each['after']:+.1f}", each["pairs"]]
        for each in facts["changes"]
        if each["pairs"]
    ]
    table(rows, "field", "level", "before", "after", "pairs", empty="No weight is about any of them.")
    say("\nOn these pairs; after: each scored by weights that never saw it.")
    names = {"log_loss": "log loss (less is better)", "precision": "precision", "recall": "recall", "f1": "F1"}
    numbers = [[said, facts["before"][name], facts["after"][name]] for name, said in names.items()]
    table(numbers, "", "before", "after", empty="")
    if facts["written"]:
        say(f"\n{facts['written']} has the new weights. Nothing uses them yet: to do so, copy them to")
        say(f"{facts['used_from']}  and start Gleanery again.")
    else:
        say("\nNothing was changed. To get the new weights as a file:  --write FILE")
