"""Weights estimated anew from what people said about pairs of records; shown and written, never put into use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from gleanery.counting import counted
from gleanery.errors import Invalid
from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import UNKNOWN, Corpus
from gleanery.resolution.matches.measuring import Quality, measure, measure_trained
from gleanery.resolution.matches.training import FEWEST, Judged, fit
from gleanery.resolution.matches.weights import Weights, weights, written
from gleanery.resolution.models import Merge, Verdict
from gleanery.resolution.why import sides_of

FEWEST_OF_EACH = FEWEST // 10  # from one answer alone nothing is learned
AT_A_TIME = 2_000


@dataclass(frozen=True, slots=True)
class Change:
    """A weight before and after, and how many of the judged pairs it is about."""

    field: str
    level: str
    before: float
    after: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Trained:
    kind: str
    same: int
    different: int
    before: Quality
    after: Quality  # on pairs that the weights did not see
    changes: list[Change]
    weights: Weights

    @property
    def text(self) -> str:
        """As the files of weights are."""
        said = f"two that merely share a key are seldom one; weights from {self.same + self.different} verdicts"
        return written(self.weights, said)

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "same": self.same,
            "different": self.different,
            "before": self.before._asdict(),
            "after": self.after._asdict(),
            "changes": [
                {name: getattr(each, name) for name in ("field", "level", "before", "after", "pairs")}
                for each in self.changes
            ],
        }


def train(kind: str, among: Corpus = UNKNOWN) -> Trained:
    if kind not in KINDS:
        raise Invalid(f"{kind!r} is no kind of record; there are {', '.join(KINDS)}.")
    judged = list(judged_pairs(kind, among))
    same = sum(each.same for each in judged)
    different = len(judged) - same
    _enough(kind, same, different)
    start = weights(kind)
    made = fit(judged, start)
    rounded = made._replace(points={each: round(points, 1) for each, points in made.points.items()})
    having = Counter(each for pair in judged for each in pair.levels.items())
    changes = [
        Change(field, level, start.points[field, level], points, having[field, level])
        for (field, level), points in rounded.points.items()
    ]
    return Trained(kind, same, different, measure(judged, start), measure_trained(judged, start), changes, rounded)


def _enough(kind: str, same: int, different: int) -> None:
    if (missing := FEWEST - same - different) > 0:
        raise Invalid(
            f"{FEWEST} pairs of kind {kind} must have a verdict; so far {same + different}, so {missing} are missing. "
            "Merging records, splitting them and keeping them apart in the review queue gives verdicts."
        )
    for many, said in ((same, "same"), (different, "different")):
        if many < FEWEST_OF_EACH:
            raise Invalid(
                f"Of kind {kind}, people judged {said} only {counted(many, 'pair')}; {FEWEST_OF_EACH} are needed."
            )


def judged_pairs(kind: str, among: Corpus = UNKNOWN) -> Iterator[Judged]:
    """What is said of each pair now. Two that were merged are compared as they were before."""
    told = Verdict.objects.filter(superseded_at=None, verdict__in=("same", "different"), low__kind=kind)
    merges = _merges(kind)
    for row in told.select_related("low", "high").order_by("id").iterator(AT_A_TIME):
        merge = merges.get(frozenset((row.low_id, row.high_id)))
        one, other = sides_of(row.low, row.high, merge)
        yield Judged(compare(one.traits, other.traits, among).levels, row.verdict == "same")


def _merges(kind: str) -> dict[frozenset[UUID], Merge]:
    rows = Merge.objects.filter(undone_at=None, loser__kind=kind).order_by("id")
    return {frozenset((each.loser_id, each.survivor_id)): each for each in rows.iterator(AT_A_TIME)}
