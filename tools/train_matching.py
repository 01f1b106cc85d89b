"""Learns the weights of matching from labelled pairs, and says how well that goes.

    .venv/bin/python tools/train_matching.py            # by five folds: how it does on pairs that it has not seen
    .venv/bin/python tools/train_matching.py --write    # learn from all that may be learned from and write the files

Only the halves that are there to choose by are read, and the pairs of tests/matching/data/more. Learning starts from
the weights of matching_start.py and is pulled towards them, and no weight changes its sign: what speaks against two
being one never comes to speak for it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from matching_sets import FILES, Row, more_pairs, pairs, places
from matching_start import AXIOMS, BECAUSE, PRIOR, PRIORS, start

from gleanery.resolution.matches.blocks import Blocks, fingerprints
from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import corpus
from gleanery.resolution.matches.scoring import REVIEW, probability
from gleanery.resolution.matches.training import Judged, fit
from gleanery.resolution.matches.weights import Weights, written

TARGET = Path(__file__).parents[1] / "src" / "gleanery" / "resolution" / "matches" / "weights"
FOLDS = 5
PULL = {"event": 1.0, "funding": 1.0, "organization": 3.0, "place": 3.0, "service": 2.0, "opportunity": 2.0}
AXIOM = 10.0  # how many pairs a plain case counts for
# How much a set counts as a whole, whatever its size; a labelled pair counts one.
WORTH = {"chicago": 1000, "fodors_zagat": 200, "overture": 1500}
FIRM = {
    # Two venues of one house with one phone stay apart, and so do outlets of a chain in one street.
    "place": [("rest", "both"), ("name", "some"), ("address", "house"), ("town", "same")],
    # Two events at one venue on one day are two unless the names agree, and one title at two venues is two: the pairs
    # at hand, chosen to be hard, know too few of the plain ones.
    "event": [
        ("name", "other"),
        ("venue", "other"),
        ("time", "other"),
        ("town", "same"),
        ("time", "start"),
        ("number", "other"),
    ],
}


def main() -> None:
    for kind in FILES:
        judged = list(labelled(kind))
        found = _learned(kind, judged, list(real()) if kind == "place" else [])
        sys.stdout.write(
            f"{kind:13} {len(judged):4} pairs  F1 {f1(judged, found):.3f}  by folds {by_folds(kind, judged):.3f}\n"
        )
        if "--write" in sys.argv:
            (TARGET / f"{kind}.toml").write_text(written(found, PRIOR), encoding="utf-8")


def _learned(kind: str, judged: list[Judged], extra: list[Judged]) -> Weights:
    axioms = [Judged(levels, same, AXIOM) for levels, same in AXIOMS.get(kind, ())]
    return fit([*judged, *extra, *axioms], _start(kind), PULL[kind], FIRM.get(kind, ()))


def _start(kind: str) -> Weights:
    points = start(kind)
    reasons = {(field, level): BECAUSE[field][level] for field, level in points}
    return Weights(kind, PRIORS[kind], points, reasons, "")


def labelled(kind: str) -> Iterator[Judged]:
    for pair in [*pairs(kind), *more_pairs(kind)]:
        if pair.to_choose_by:
            yield Judged(compare(pair.one, pair.other).levels, pair.same)


def real() -> Iterator[Judged]:
    for name, rows in places().items():
        mine = [row for row in rows if row.to_choose_by]
        among = corpus(row.traits.name for row in rows)
        judged = [
            Judged(compare(one.traits, other.traits, among).levels, one.thing == other.thing)
            for one, other in _near(mine)
            if one.traits.country == other.traits.country
        ]
        weight = WORTH[name] / sum(each.same for each in judged)
        yield from (each._replace(weight=weight) for each in judged)


def _near(rows: list[Row]) -> Iterator[tuple[Row, Row]]:
    blocks = Blocks()
    for row in rows:
        blocks.add(row.traits, fingerprints(row.traits))
    near = blocks.neighbours()
    return ((rows[one], rows[other]) for one in range(len(rows)) for other in near.after(one))


def by_folds(kind: str, judged: list[Judged]) -> float:
    shuffled = random.Random(3).sample(judged, len(judged))  # noqa: S311 - the same each time
    told: list[tuple[Judged, Weights]] = []
    extra = list(real()) if kind == "place" else []
    for fold in range(FOLDS):
        seen = [each for number, each in enumerate(shuffled) if number % FOLDS != fold]
        found = _learned(kind, seen, extra)
        told += [(each, found) for each in shuffled[fold::FOLDS]]
    return _f1([(each.same, probability(each.levels, found) >= REVIEW) for each, found in told])


def f1(judged: list[Judged], by: Weights) -> float:
    return _f1([(each.same, probability(each.levels, by) >= REVIEW) for each in judged])


def _f1(told: list[tuple[bool, bool]]) -> float:
    both = sum(same and said for same, said in told)
    return 2 * both / (sum(same for same, _ in told) + sum(said for _, said in told) or 1)


if __name__ == "__main__":
    main()
