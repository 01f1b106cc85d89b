"""Learns the weights of matching from what is labelled, and says how well that goes.

    .venv/bin/python tools/train_matching.py            # by five folds: how it does on what it has not seen
    .venv/bin/python tools/train_matching.py --write    # learn from all that may be learned from and write the files

Only what is there to choose by is read: the worlds of tests/matching/data, the pairs beside them, which are harder than
life and count less, and for places the three sets of real ones. Learning starts from the weights of matching_start.py
and is pulled towards them, and no weight changes its sign: what speaks against two being one never comes to speak for
it. To miss one counts more than twice what asking in vain does.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from matching_sets import FAIR, FILES, RETOLD, WORLDS, Row, more_pairs, pairs, places, world
from matching_start import AXIOMS, BECAUSE, PRIOR, PRIOR_POINTS, TOLD, start

from gleanery.resolution.matches.blocks import Blocks, fingerprints
from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import corpus
from gleanery.resolution.matches.scoring import REVIEW, probability
from gleanery.resolution.matches.training import Judged, fit
from gleanery.resolution.matches.weights import Weights, written

TARGET = Path(__file__).parents[1] / "src" / "gleanery" / "resolution" / "matches" / "weights"
FOLDS = 5
PULL = 0.5
ROUNDS, AXIOM = 120, 4.0  # for how many pairs more a plain case counts each time that it comes out wrong
MARGIN = 0.05
HARD = 0.5  # and a pair that was chosen to be hard
MISSED = 2.2  # and two that are one
REPEATED = 0.5  # and a pair of a set that a program has told again and again
# How much a set of real places counts as a whole, whatever its size.
WORTH = {"chicago": 900, "fodors_zagat": 120, "overture": 1600}

# Of labelled records each source tells of a thing once; a site that is crawled may have several pages of one.
FIRM = [*((field, level) for field, levels in TOLD.items() for level in levels), ("site", "apart")]


class Met(NamedTuple):
    """Two records of a world that share a key."""

    judged: Judged
    things: tuple[str, str]


def main() -> None:
    for kind in FILES:
        hard, met = list(labelled(kind)), list(lived(kind))
        extra = list(real()) if kind == "place" else []
        found = _learned(kind, [*hard, *(each.judged for each in met), *extra])
        sys.stdout.write(f"{kind:13} {by_folds(kind, hard, met, extra)}\n")
        for levels, same in AXIOMS[kind]:
            if _is_wrong(Judged(levels, same), found):
                sys.stdout.write(f"{'':13} still wrong: {dict(levels)}\n")
        if "--write" in sys.argv:
            (TARGET / f"{kind}.toml").write_text(written(found, PRIOR), encoding="utf-8")


def _learned(kind: str, judged: Iterable[Judged]) -> Weights:
    """A plain case that would come out wrong counts for more and more pairs, until it comes out right."""
    listed, axioms = list(judged), [Judged(levels, same, 0.0) for levels, same in AXIOMS[kind]]
    found = fit(listed, _start(kind), PULL, FIRM)
    for _ in range(ROUNDS):
        wrong = [_is_wrong(each, found) for each in axioms]
        if not any(wrong):
            break
        axioms = [each._replace(weight=each.weight + AXIOM * bad) for each, bad in zip(axioms, wrong, strict=True)]
        found = fit([*listed, *(each for each in axioms if each.weight)], _start(kind), PULL, FIRM, found)
    return found


def _is_wrong(axiom: Judged, by: Weights) -> bool:
    chance = probability(axiom.levels, by)
    return chance < REVIEW + MARGIN if axiom.same else chance > REVIEW - MARGIN


def _start(kind: str) -> Weights:
    points = start(kind)
    reasons = {(field, level): BECAUSE[field][level] for field, level in points}
    return Weights(kind, PRIOR_POINTS, points, reasons, "")


def labelled(kind: str) -> Iterator[Judged]:
    for of, weight in (("", HARD), (FAIR, 1.0)):
        for pair in [*pairs(kind, of), *more_pairs(kind, of)]:
            if pair.to_choose_by:
                yield Judged(compare(pair.one, pair.other).levels, pair.same, weight * (MISSED if pair.same else 1))


def lived(kind: str) -> Iterator[Met]:
    for of in WORLDS:
        rows = [row for row in world(kind, of) if row.to_choose_by]
        among = corpus(row.traits for row in rows)
        for one, other in _near(rows):
            same = one.thing == other.thing
            levels = compare(one.traits, other.traits, among).levels
            weight = (MISSED if same else 1) * (REPEATED if of in RETOLD else 1)
            yield Met(Judged(levels, same, weight), (one.thing, other.thing))


def real() -> Iterator[Judged]:
    for name, rows in places().items():
        mine = [row for row in rows if row.to_choose_by]
        among = corpus(row.traits for row in rows)
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


def by_folds(kind: str, hard: list[Judged], met: list[Met], extra: list[Judged]) -> str:
    """A thing of a world is in one fold with all that is told of it."""
    chance = random.Random(3)  # noqa: S311 - the same each time
    things = {thing for each in met for thing in each.things}
    fold_of = {thing: chance.randrange(FOLDS) for thing in sorted(things)}
    shuffled = chance.sample(hard, len(hard))
    told: dict[str, list[tuple[bool, bool]]] = {"pairs": [], "worlds": []}
    for fold in range(FOLDS):
        seen = [each for number, each in enumerate(shuffled) if number % FOLDS != fold]
        lived = [each.judged for each in met if fold not in {fold_of[thing] for thing in each.things}]
        found = _learned(kind, [*seen, *lived, *extra])
        left = [each.judged for each in met if fold_of[each.things[0]] == fold]
        for name, judged in (("pairs", shuffled[fold::FOLDS]), ("worlds", left)):
            told[name] += [(each.same, probability(each.levels, found) >= REVIEW) for each in judged]
    return "  ".join(f"{name} F1 {_f1(each):.3f} of {len(each)}" for name, each in told.items())


def _f1(told: list[tuple[bool, bool]]) -> float:
    both = sum(same and said for same, said in told)
    return 2 * both / (sum(same for same, _ in told) + sum(said for _, said in told) or 1)


if __name__ == "__main__":
    main()
