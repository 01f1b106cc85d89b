"""Quality of the judges at finding first-hand sources, compared with the additive score of the earlier system.

Run: .venv/bin/python bench/judging_quality.py [--even]

The rows are `judged_results` of tests/labelled: even ids were used for development, odd ones only for these
figures. The claim for the odd half: better than the earlier score in F1 at the threshold and in the area under the
curve, with the whole interval of the difference above 0.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import labelled

from gleanery.discovery.presets import topic_fields
from gleanery.domains.names import domain_of
from gleanery.judging.evidence.case import Case, TopicWords
from gleanery.judging.judgement import judge
from gleanery.judging.lexicon import Lexicon

PLACES = {"funding": "Bulgaria", "events": "Sofia", "services": "Plovdiv"}
THRESHOLD = 0.60
DRAWS = 2000
ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """Labelled result."""

    number: int
    topic: str
    url: str
    case: Case
    wanted: bool
    kind: str


def rows() -> list[Row]:
    return [_row(each) for use in ("choose", "held_out") for each in labelled.rows(use, "judged_results")]


def _row(given: dict[str, Any]) -> Row:
    case = Case(given["title"], given["description"], given["query"], domain_of(given["url"]))
    return Row(int(given["id"][1:]), given["topic"], given["url"], case, given["label"] == "yes", given["kind"])


@cache
def topic(name: str) -> TopicWords:
    fields = topic_fields(name, PLACES[name])
    return TopicWords(fields["keywords"], fields["organization_words"], fields["geography"], fields["country"])


@cache
def lexicon(name: str) -> Lexicon:
    return Lexicon.of(topic(name))


def ours(row: Row) -> float:
    return float(judge(row.case, lexicon(row.topic)).confidence)


# The earlier system as documented: sums of hits, including hits within words.
SUFFIX_SCORES = {"gov": 0.2, "edu": 0.2, "org": 0.15, "eu": 0.1, "bg": 0.1, "com": 0.05}
IN_TITLE, IN_DESCRIPTION, GEOGRAPHY, ORGANIZATION, SEVERAL = 0.15, 0.10, 0.15, 0.15, 0.15


def earlier(row: Row) -> float:
    said = topic(row.topic)
    title, description = row.case.title.lower(), row.case.description.lower()
    text = f"{title} {description}"
    signals = [
        IN_TITLE * _any(said.keywords, title),
        IN_DESCRIPTION * _any(said.keywords, description),
        GEOGRAPHY * any(place.lower() in text for place in said.geography),
        ORGANIZATION * _any(said.organization_words, text),
    ]
    several = SEVERAL * (sum(signal > 0 for signal in signals) >= 3)
    suffix = next((score for end, score in SUFFIX_SCORES.items() if end in row.case.domain.name.split(".")[-2:]), 0.0)
    return min(1.0, round(suffix + sum(signals) + several, 4))


def _any(listed: Any, text: str) -> bool:
    return any(word.lower() in text for words in listed.values() for word in words)


Scored = list[tuple[float, bool]]
Measure = Callable[[Scored], float]


def f1(scored: Scored) -> float:
    hits = sum(wanted and score >= THRESHOLD for score, wanted in scored)
    passed, wanted = sum(score >= THRESHOLD for score, _ in scored), sum(wanted for _, wanted in scored)
    return 2 * hits / (passed + wanted) if passed + wanted else 0.0


def auc(scored: Scored) -> float:
    """Return the area under the curve: the chance that a wanted result scores above another; ties count half."""
    ranks: dict[float, list[int]] = {}
    for score, wanted in scored:
        ranks.setdefault(score, [0, 0])[wanted] += 1
    below = above = 0.0
    for score in sorted(ranks):
        no, yes = ranks[score]
        above += yes * (below + no / 2)
        below += no
    yes_total = sum(wanted for _, wanted in scored)
    return above / (below * yes_total) if below and yes_total else math.nan


def interval(values: list[float]) -> tuple[float, float]:
    ordered = sorted(value for value in values if not math.isnan(value))
    return ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered)) - 1]


@dataclass(frozen=True, slots=True)
class Figure:
    """Figures of both systems and their difference, with 95% intervals from the same samples."""

    ours: float
    ours_interval: tuple[float, float]
    earlier: float
    earlier_interval: tuple[float, float]
    ahead: tuple[float, float]


def compare(half: list[Row], measure: Measure, draws: int = DRAWS) -> Figure:
    """Bootstrap both systems with the same rows in each sample."""
    mine = [(ours(row), row.wanted) for row in half]
    theirs = [(earlier(row), row.wanted) for row in half]
    chance = random.Random(11)
    pairs = []
    for _ in range(draws):
        picked = chance.choices(range(len(half)), k=len(half))
        pairs.append((measure([mine[at] for at in picked]), measure([theirs[at] for at in picked])))
    return Figure(
        measure(mine),
        interval([each for each, _ in pairs]),
        measure(theirs),
        interval([each for _, each in pairs]),
        interval([each - other for each, other in pairs]),
    )


def microseconds(half: list[Row]) -> float:
    """Return CPU time of the best round, which is least affected by other load."""
    best = math.inf
    for _ in range(ROUNDS):
        started = time.process_time()
        for row in half:
            judge(row.case, lexicon(row.topic))
        best = min(best, time.process_time() - started)
    return best / len(half) * 1e6


def _line(name: str, value: float, within: tuple[float, float]) -> str:
    return f"{name} {value:.3f} [{within[0]:.3f}, {within[1]:.3f}]"


def report(half: list[Row]) -> bool:
    holds = True
    for name, measure in (("F1 at 0.60", f1), ("area under the curve", auc)):
        figure = compare(half, measure)
        print(
            f"  {name:20} {_line('judges', figure.ours, figure.ours_interval)}"
            f"   {_line('earlier', figure.earlier, figure.earlier_interval)}"
            f"   {_line('ahead by', figure.ours - figure.earlier, figure.ahead)}"
        )
        holds = holds and figure.ahead[0] > 0
    for name in PLACES:
        scored = [(ours(row), row.wanted) for row in half if row.topic == name]
        before = [(earlier(row), row.wanted) for row in half if row.topic == name]
        print(
            f"    {name:9} {len(scored):3} results  F1 {f1(scored):.3f} (earlier {f1(before):.3f})"
            f"  area {auc(scored):.3f} (earlier {auc(before):.3f})"
        )
    return holds


def main() -> int:
    everything = rows()
    halves = [("even ids (judges were chosen on these)", 0), ("odd ids (only reported)", 1)]
    holds = False
    for name, rest in halves[:1] if "--even" in sys.argv else halves:
        half = [row for row in everything if row.number % 2 == rest]
        print(f"{name}: {len(half)} results, {sum(row.wanted for row in half)} wanted")
        holds = report(half)
    print(f"{microseconds([row for row in everything if row.number % 2 == 0]):.0f} µs a result")
    print("claim", "holds" if holds else "FAILS")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
