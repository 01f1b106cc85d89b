"""Why two records are taken for one: a sentence and a bar for each field, from what is usual to the sum."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from gleanery.interfaces.cli.terminal.output import draw, say

ROOM = 32  # of the bars, in letters


def print_why(why: Any) -> None:
    from gleanery.matching.explaining import bars

    told = why.explained
    say(f"{why.one.name} ({why.one.pk})\n{why.other.name} ({why.other.pk})\n")
    grid = Table(box=None, header_style="bold", pad_edge=False)
    grid.add_column("what speaks for it, and against it", overflow="fold", max_width=72)
    grid.add_column("points", justify="right", no_wrap=True)
    grid.add_column("sum", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True, min_width=ROOM)
    for step, (begin, width) in zip(told.steps, bars(told.steps), strict=True):
        grid.add_row(step.sentence, f"{step.points:+.1f}", f"{step.total:+.1f}", _bar(step.points, begin, width))
    draw(grid)
    say(f"\n{told.summary}")
    for each in told.vetoes:
        say(f"! {each}")
    if why.as_merged:
        say("They are one by now; this is what each was before.")
    if why.judged:
        say(why.judged.sentence)


def _bar(points: float, begin: float, width: float) -> Text:
    letters = max(1, round(width * ROOM / 100))
    return Text(
        " " * min(round(begin * ROOM / 100), ROOM - letters) + ("█" if points > 0 else "░") * letters,
        style="green" if points > 0 else "red",
    )
