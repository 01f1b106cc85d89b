"""Quality of matching on real data sets.

    .venv/bin/python bench/matching.py [--data ../shared/data]

Pairs with a probability of 0.60 or more count as the same, those with 0.95 or more as merged automatically. Each geo
set is measured with weights learned without it; of chicago, fodors_zagat and overture the held-out half is reported,
and the whole set. Pairs without a common key count as missed. Rarity of words is counted in the whole table, as in
`gleanery dedupe`. Without ../shared/data nothing is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import real_sets  # noqa: E402 - found by the line above
from real_sets import Pairs  # noqa: E402
from tools.learn_matching import learned, seen, to_learn_from  # noqa: E402

from gleanery.matching.scoring import AUTO, REVIEW, compare  # noqa: E402
from gleanery.matching.weights import Weights, weights  # noqa: E402

MEAN, EACH = 0.94, 0.92  # required F1 for geo
SURE, OFTEN = 0.995, 0.60  # required precision and recall of automatic merges
TABLES = {"chicago": 0.95, "fodors_zagat": 0.96, "overture": 0.95}


class Tally(NamedTuple):
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong or 1)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed or 1)

    @property
    def f1(self) -> float:
        return 2 * self.right / (2 * self.right + self.wrong + self.missed or 1)

    def __str__(self) -> str:
        counts = f"({self.right} right, {self.wrong} wrong, {self.missed} missed)"
        return f"P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}  {counts}"


def main() -> int:
    claims = [*_geo(), *_tables()]
    if not claims:
        print(f"no real sets in {real_sets.SHARED}: nothing was measured")
        return 0
    print("claim holds" if all(claims) else "claim FAILS")
    return 0 if all(claims) else 1


def _geo() -> list[bool]:
    found, joined = [], []
    for name, pairs in real_sets.geo().items():
        one, sure = _measured(pairs, learned(seen(to_learn_from(without=name))))
        print(f"{name:20} {one}\n{'':20} merged automatically: {sure}")
        found.append(one.f1)
        joined.append(sure)
    if not found:
        return []
    together = _sum(joined)
    print(
        f"geo, each without itself: mean F1 {mean(found):.3f}, least {min(found):.3f}; merged automatically {together}"
    )
    return [mean(found) >= MEAN, min(found) >= EACH, together.precision >= SURE and together.recall >= OFTEN]


def _tables() -> list[bool]:
    claims = []
    for name, rows in real_sets.tables().items():
        aside = [row for row in rows if not row.to_choose_by]
        for part, some in (("kept aside", aside), ("all", rows)):
            one, sure = _measured(real_sets.met(some, of_countries=name == "overture"), weights("place"))
            print(f"{name:13} {part:10} {one}\n{'':24} merged automatically: {sure}")
            if some is aside:
                claims.append(one.f1 >= TABLES[name])
    return claims


def _measured(pairs: Pairs, by: Weights) -> tuple[Tally, Tally]:
    """Return the tallies of pairs called the same, and of automatic merges."""
    scored = [(compare(each.one, each.other, pairs.rarity, by).probability, each.same) for each in pairs.judged]
    return _tally(scored, REVIEW, pairs.missed), _tally(scored, AUTO, pairs.missed)


def _tally(scored: list[tuple[float, bool]], least: float, missed: int) -> Tally:
    right = sum(same for likely, same in scored if likely >= least)
    return Tally(
        right,
        sum(not same for likely, same in scored if likely >= least),
        missed + sum(same for _, same in scored) - right,
    )


def _sum(tallies: Iterable[Tally]) -> Tally:
    listed = list(tallies)
    return Tally(*(sum(each[part] for each in listed) for part in range(3)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=real_sets.SHARED, help="where the real sets stand")
    return parser.parse_args()


if __name__ == "__main__":
    real_sets.SHARED = arguments().data
    sys.exit(main())
