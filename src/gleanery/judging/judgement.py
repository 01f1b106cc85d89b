"""Judgement: the weighted mean of what the judges say, and the names that the title gives."""

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
# Cutting the quotient never lifts it over an edge of rounding, and 60 digits hold every edge exactly.
_EXACT: Final = Context(prec=60, rounding=ROUND_DOWN)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How much a result speaks for its domain as a first-hand source."""

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
    """Weighted, to two places, half a hundredth upwards; nothing that weighs anything means 0.00."""
    weights = total = NOTHING
    for score in scores:
        weights = _EXACT.add(weights, score.weight)
        total = _EXACT.fma(score.score, score.weight, total)
    if not weights:
        return NOTHING
    return _EXACT.divide(total, weights).quantize(PLACES, rounding=ROUND_HALF_UP)
