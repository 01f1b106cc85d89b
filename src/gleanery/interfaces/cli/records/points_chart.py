"""Chart of why two records match or not: a sentence and a bar per field, up to the sum."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from gleanery.interfaces.cli.terminal.output import draw, say

WIDTH = 32  # of the bars, in characters


def print_why(why: Any) -> None:
    from gleanery.matching.explaining import bars

    explained = why.explained
    say(f"{why.one.name} ({why.one.pk})\n{why.other.name} ({why.other.pk})\n")
    grid = Table(box=None, header_style="bold", pad_edge=False)
    grid.add_column("for and against", overflow="fold", max_width=72)
    grid.add_column("points", justify="right", no_wrap=True)
    grid.add_column("sum", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True, min_width=WIDTH)
    for step, (begin, width) in zip(explained.steps, bars(explained.steps), strict=True):
        grid.add_row(step.sentence, f"{step.points:+.1f}", f"{step.total:+.1f}", _bar(step.points, begin, width))
    draw(grid)
    say(f"\n{explained.summary}")
    for each in explained.vetoes:
        say(f"! {each}")
    if why.as_merged:
        say("They have been merged; this compares them as they were before.")
    if why.judged:
        say(why.judged.sentence)


def _bar(points: float, begin: float, width: float) -> Text:
    letters = max(1, round(width * WIDTH / 100))
    return Text(
        " " * min(round(begin * WIDTH / 100), WIDTH - letters) + ("█" if points > 0 else "░") * letters,
        style="green" if points > 0 else "red",
    )
