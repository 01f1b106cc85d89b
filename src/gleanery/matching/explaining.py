"""A match as people read it: a few sentences, step by step from what is usual to how likely it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gleanery.kinds import REFERENCED
from gleanery.matching.scoring import AUTO, CAP, REVIEW, Match, Point
from gleanery.matching.weights import weights

PRIOR = "Most records that are compared are two different things."
NAMES = ("name", "shared words", "spelling", "own words")  # told in one sentence
MOST, SMALL = 4, 0.25  # steps beside the first and the last; points that are not told by themselves
REST = "Smaller things, taken together."


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
    version: str  # of the points

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain(match: Match, kind: str, auto: float = AUTO, review: float = REVIEW) -> Explained:
    """Return what counts most, in the order of the fields; what counts little is told together."""
    told = _together(match.points)
    large = sorted((each for each in told if abs(each.points) >= SMALL), key=lambda each: -abs(each.points))[:MOST]
    rest = round(sum(each.points for each in told if each not in large), 2)
    chosen = [each for each in told if each in large]
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


def _together(points: Sequence[Point]) -> list[Point]:
    """Return what the fields say, with all that is about the names as one."""
    about = [each for each in points if each.field in NAMES]
    if not about:
        return list(points)
    worst = min(about, key=lambda each: each.points)
    spoken = worst if worst.field == "own words" and worst.points <= -1 else about[0]
    names = Point(about[0].field, about[0].level, round(sum(each.points for each in about), 2), spoken.sentence)
    return [names, *(each for each in points if each.field not in NAMES)]


def vetoes(match: Match) -> list[str]:
    """Return a sentence if any field keeps the two from being merged unasked."""
    if not match.vetoes:
        return []
    *others, last = match.vetoes
    named = f"{', '.join(others)} and {last} keep" if others else f"{last} keeps"
    return [f"{named[0].upper()}{named[1:]} them from being merged unasked: only a person may say that they are one."]


def summary(match: Match, kind: str, band: str) -> str:
    likely = f"{percent(match.probability)} likely that they are one"
    if match.vetoes and match.probability == CAP:
        likely += ", and not more because of what speaks against it"
    if band == "auto" and kind in REFERENCED:
        return f"It is {likely}: enough to merge them unasked."
    if band == "auto":
        return f"It is {likely}; only a person merges records of kind {kind}."
    if band == "review":
        return f"It is {likely}: a person should look."
    return f"It is {likely}: they are taken for two."


def percent(probability: float) -> str:
    """Never quite sure: 100 % and 0 % are for people to say."""
    if probability > 0.999:  # noqa: PLR2004
        return "more than 99.9 %"
    if probability < 0.001:  # noqa: PLR2004
        return "less than 0.1 %"
    return f"{100 * probability:.1f} %"


def bars(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """Return where the bar of each step begins and how wide it is, in hundredths of the room."""
    ends = [(step.total - step.points if number else 0.0, step.total) for number, step in enumerate(steps)]
    low = min(min(pair) for pair in ends)
    room = max(max(pair) for pair in ends) - low or 1.0
    return [(100 * (min(pair) - low) / room, 100 * abs(pair[1] - pair[0]) / room) for pair in ends]
