"""Judgement of a result: the weighted mean of the judges' scores, and the names found in the title."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Final

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.reading import read
from gleanery.judging.judges import JUDGES, JudgeScore
from gleanery.judging.lexicon import Lexicon

PLACES: Final = Decimal("0.01")
NOTHING: Final = Decimal("0.00")
# Rounding the quotient down never moves it across a rounding boundary, and 60 digits hold every boundary exactly.
_EXACT: Final = Context(prec=60, rounding=ROUND_DOWN)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Confidence that the domain of a result is a first-hand source, with the reasons."""

    confidence: Decimal
    scores: tuple[JudgeScore, ...]
    should_crawl: bool
    organization: str
    programme: str

    @property
    def explanation(self) -> str:
        return " ".join(score.explanation for score in self.scores)


def judge(case: Case, lexicon: Lexicon) -> Judgement:
    reading = read(case, lexicon)
    scores = tuple([score for each in JUDGES if (score := each(reading))])
    confidence = mean(scores)
    names = reading.names
    return Judgement(confidence, scores, confidence >= lexicon.threshold, names.organization, names.programme)


def mean(scores: tuple[JudgeScore, ...]) -> Decimal:
    """Return the weighted mean, rounded half up to two places; 0.00 without any weight."""
    weights = total = NOTHING
    for score in scores:
        weights = _EXACT.add(weights, score.weight)
        total = _EXACT.fma(score.score, score.weight, total)
    if not weights:
        return NOTHING
    return _EXACT.divide(total, weights).quantize(PLACES, rounding=ROUND_HALF_UP)
