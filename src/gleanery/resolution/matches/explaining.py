"""A match as people read it: a sentence for each field, step by step from what is usual to how likely it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gleanery.resolution.matches.scoring import AUTO, CAP, REVIEW, Match, percent
from gleanery.resolution.matches.sentences import Side, sentence, veto_sentence
from gleanery.resolution.matches.weights import Weights

PRIOR = "Most records that are compared are two different things"
MERGED = ("place", "organization")  # kinds that are merged unasked


@dataclass(frozen=True, slots=True)
class Step:
    """`total` is the sum up to here; bars are drawn from the one before to this one."""

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


def explain(match: Match, one: Side, other: Side, by: Weights, auto: float = AUTO, review: float = REVIEW) -> Explained:
    """What counts nothing is not told."""
    total = match.prior
    steps = [Step("prior", "", match.prior, total, f"{PRIOR}.")]
    for field, level, points in match.points:
        if points:
            total += points
            said = sentence(field, level, one, other, by.reasons.get((field, level), ""))
            steps.append(Step(field, level, points, round(total, 4), said))
    band = match.band(auto, review)
    return Explained(
        match.probability,
        band,
        summary(match, one.traits.kind, band),
        steps,
        [veto_sentence(each) for each in match.vetoes],
        round(total, 4),
        match.version,
    )


def summary(match: Match, kind: str, band: str) -> str:
    likely = f"{percent(match.probability)} likely that they are one"
    if match.vetoes and match.probability == CAP:
        likely += ", and not more because of what speaks against it"
    if band == "auto" and kind in MERGED:
        return f"It is {likely}: enough to merge them unasked."
    if band == "auto":
        return f"It is {likely}; only a person merges records of kind {kind}."
    if band == "review":
        return f"It is {likely}: a person should look."
    return f"It is {likely}: they are taken for two."


def bars(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """Where the bar of each step begins and how wide it is, in hundredths of the room; zero has its place in it."""
    ends = [(step.total - step.points if number else 0.0, step.total) for number, step in enumerate(steps)]
    low = min(min(pair) for pair in ends)
    room = max(max(pair) for pair in ends) - low or 1.0
    return [(100 * (min(pair) - low) / room, 100 * abs(pair[1] - pair[0]) / room) for pair in ends]
