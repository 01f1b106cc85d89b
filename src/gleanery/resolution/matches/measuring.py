"""How good weights are on pairs that people judged: log loss, and F1 at the threshold of review. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from gleanery.resolution.matches.scoring import REVIEW
from gleanery.resolution.matches.training import Judged, fit
from gleanery.resolution.matches.weights import Weights

FOLDS = 5
LEAST = 1e-6  # nobody is surer than that


class Quality(NamedTuple):
    log_loss: float
    precision: float
    recall: float
    f1: float


def probability(pair: Judged, by: Weights) -> float:
    total = by.prior + sum(by.of(field, level) for field, level in pair.levels.items())
    return float(1 / (1 + 2 ** -max(-60.0, min(60.0, total))))


def measure(judged: Sequence[Judged], by: Weights) -> Quality:
    return _quality([(pair.same, probability(pair, by)) for pair in judged])


def measure_trained(judged: Sequence[Judged], start: Weights) -> Quality:
    """Each pair is scored by weights that never saw it: five folds, the same every time."""
    order = list(range(len(judged)))
    random.Random(FOLDS).shuffle(order)  # noqa: S311  # no secret
    told: list[tuple[bool, float]] = []
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        by = fit([pair for number, pair in enumerate(judged) if number not in held], start)
        told += [(judged[number].same, probability(judged[number], by)) for number in sorted(held)]
    return _quality(told)


def _quality(told: Sequence[tuple[bool, float]]) -> Quality:
    loss = sum(-math.log(max(LEAST, chance if same else 1 - chance)) for same, chance in told) / max(1, len(told))
    right = sum(same and chance >= REVIEW for same, chance in told)
    said, there = sum(chance >= REVIEW for _, chance in told), sum(same for same, _ in told)
    precision, recall = right / said if said else 0.0, right / there if there else 0.0
    f1 = 2 * right / (said + there) if said + there else 0.0
    return Quality(*(round(each, 4) for each in (loss, precision, recall, f1)))
