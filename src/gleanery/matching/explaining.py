"""Explanation of a match for people: a few sentences, from the prior step by step to the probability. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gleanery.kinds import REFERENCED
from gleanery.matching.scoring import AUTO, CAP, REVIEW, Match, Point
from gleanery.matching.weights import weights

PRIOR = "Most records that are compared are different things."
NAMES = ("name", "shared words", "spelling", "own words")  # shown as one step
MOST, SMALL = 4, 0.25  # steps between the first and the last; points below which a field gets no step of its own
REST = "Smaller differences and similarities, added up."


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the waterfall; `total` is the sum so far, and the bar runs from the previous total to this one."""

    field: str
    level: str
    points: float
    total: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Explained:
    probability: float
    band: str
    summary: str
    steps: list[Step]  # the first is the prior
    vetoes: list[str]
    total: float
    version: str  # of the weights

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain(match: Match, kind: str, auto: float = AUTO, review: float = REVIEW) -> Explained:
    """Return the fields that count most, in their usual order, and the rest as one step."""
    fields = _names_as_one(match.points)
    large = sorted((each for each in fields if abs(each.points) >= SMALL), key=lambda each: -abs(each.points))[:MOST]
    rest = round(sum(each.points for each in fields if each not in large), 2)
    chosen = [each for each in fields if each in large]
    if rest:
        chosen.append(Point("rest", "", rest, REST))
    steps, total = [Step("prior", "", match.prior, match.prior, PRIOR)], match.prior
    for each in chosen:
        total += each.points
        steps.append(Step(each.field, each.level, each.points, round(total, 2), each.sentence))
    band = match.band(auto, review)
    return Explained(
        match.probability,
        band,
        summary(match, kind, band),
        steps,
        vetoes(match),
        round(total, 2),
        weights(kind).version,
    )


def _names_as_one(points: Sequence[Point]) -> list[Point]:
    """Return the points of all fields, with those about names united into one."""
    about = [each for each in points if each.field in NAMES]
    if not about:
        return list(points)
    worst = min(about, key=lambda each: each.points)
    main = worst if worst.field == "own words" and worst.points <= -1 else about[0]
    names = Point(about[0].field, about[0].level, round(sum(each.points for each in about), 2), main.sentence)
    return [names, *(each for each in points if each.field not in NAMES)]


def vetoes(match: Match) -> list[str]:
    """Return a sentence if a veto prevents an automatic merge."""
    if not match.vetoes:
        return []
    *others, last = match.vetoes
    named = f"{', '.join(others)} and {last} prevent" if others else f"{last} prevents"
    return [f"{named[0].upper()}{named[1:]} an automatic merge: only a person can decide that they are the same."]


def summary(match: Match, kind: str, band: str) -> str:
    likely = f"{percent(match.probability)} likely that they are the same"
    if match.vetoes and match.probability == CAP:
        likely += ", limited by what speaks against it"
    if band == "auto" and kind in REFERENCED:
        return f"It is {likely}: enough to merge them automatically."
    if band == "auto":
        return f"It is {likely}; only a person can merge records of kind {kind}."
    if band == "review":
        return f"It is {likely}: a person should decide."
    return f"It is {likely}: they are treated as different."


def percent(probability: float) -> str:
    """Format a probability as a percentage, never as 0 % or 100 %."""
    if probability > 0.999:  # noqa: PLR2004
        return "more than 99.9 %"
    if probability < 0.001:  # noqa: PLR2004
        return "less than 0.1 %"
    return f"{100 * probability:.1f} %"


def bars(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """Return the start and width of each step's bar, in percent of the full width."""
    ends = [(step.total - step.points if number else 0.0, step.total) for number, step in enumerate(steps)]
    low = min(min(pair) for pair in ends)
    room = max(max(pair) for pair in ends) - low or 1.0
    return [(100 * (min(pair) - low) / room, 100 * abs(pair[1] - pair[0]) / room) for pair in ends]
