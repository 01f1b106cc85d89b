"""How well near duplicates are found, beside trigrams of names and Splink.

    .venv/bin/python bench/matching.py [--quick]

Pairs at probability 0.60 and above are called one thing. Of each set the half that no weight was chosen by is reported,
and the whole beside it. The sets of real places need ../shared/data; where that is absent only the labelled pairs are
measured. A pair that no key brings together counts as missed. Rows of a set are judged together, as `gleanery dedupe`
does it; labelled pairs each by itself.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from matching_sets import FAIR, FILES, LEARNED, UNSEEN, WORLDS, Row, pairs, places, same_things, world
from matching_splink import splink_pairs

from gleanery.resolution.matches.blocks import Blocks, Neighbours, fingerprints
from gleanery.resolution.matches.keys import keys, wanted
from gleanery.resolution.matches.pairing import paired
from gleanery.resolution.matches.scoring import REVIEW, score
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.trigrams import similarity

WANTED = {"chicago": 0.94, "fodors_zagat": 0.96, "overture": 0.95}
LABELLED = 0.93
TRIGRAMS = (0.4, 0.6, 0.95)
ONE = ("auto", "review")  # the bands of what is called one
Numbers = tuple[int, int]


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


def main(*, quick: bool) -> int:
    auto: list[Tally] = []
    claims: list[bool] = []
    for name, rows in places().items():
        print(f"\n{name}: {len(rows)} rows, {len(same_things(rows))} true pairs")
        measured = [row for row in rows if not row.to_choose_by]
        claims.append(_real(name, "all", rows, auto) >= WANTED[name])
        _real(name, "kept aside", measured, auto)
        _beside(name, measured, quick=quick)
    if auto:
        whole, aside = _sum(auto[::2]), _sum(auto[1::2])
        print(f"\nband auto, pooled: whole sets {whole}\n                   kept aside {aside}")
        claims.append(whole.precision >= 0.985 and whole.recall >= 0.5)
    claims += _worlds()
    for of, how in ((FAIR, "as a volunteer may be shown them"), ("", "that were chosen to be hard")):
        print(f"\nlabelled pairs {how}, the half kept aside")
        claims += [_labelled(kind, of) >= LABELLED for kind in FILES if kind != "opportunity"]
        _labelled("opportunity", of)
    print("claim holds" if all(claims) else "claim FAILS")
    return 0 if all(claims) else 1


def _real(name: str, part: str, rows: list[Row], auto: list[Tally]) -> float:
    neighbours, truth = _neighbours(rows), same_things(rows)
    bands = _bands(rows, neighbours)
    plainly = {pair for pair in bands.keys() - truth if _is_left_out(name, rows, pair)}
    ours, sure = _in(bands, *ONE) - plainly, _in(bands, "auto") - plainly
    tally = _tally(ours, truth)
    print(f"  {part:11} ours            {tally}")
    print(f"  {part:11} band auto       {_tally(sure, truth)}")
    print(f"  {part:11} keys bring together {_share(truth, _near(rows, neighbours)):.3f} of the true pairs")
    auto.append(_tally(sure, truth))
    return tally.f1


def _is_left_out(name: str, rows: list[Row], pair: Numbers) -> bool:
    """Of overture only pairs of one country count, and rows that plainly tell the same are not called different."""
    if name != "overture":
        return False
    one, other = rows[pair[0]].traits, rows[pair[1]].traits
    return one.country != other.country or all(
        getattr(one, field) == getattr(other, field) for field in ("name", "street", "house", "phone")
    )


def _neighbours(rows: list[Row]) -> Neighbours:
    blocks = Blocks()
    for row in rows:
        blocks.add(row.traits, fingerprints(row.traits))
    return blocks.neighbours()


def _near(rows: list[Row], neighbours: Neighbours) -> Iterable[Numbers]:
    return ((one, other) for one in range(len(rows)) for other in neighbours.after(one))


def _share(truth: set[Numbers], near: Iterable[Numbers]) -> float:
    """How many of the true pairs the keys bring together."""
    return len(truth.intersection(near)) / len(truth)


def _bands(rows: list[Row], neighbours: Neighbours) -> dict[Numbers, str]:
    found = paired([row.traits for row in rows], neighbours, [row.source for row in rows])
    return {(hit.one, hit.other): hit.match.band() for hit in found.hits}


def _in(bands: dict[Numbers, str], *wanted: str) -> set[Numbers]:
    return {pair for pair, band in bands.items() if band in wanted}


def _beside(name: str, rows: list[Row], *, quick: bool) -> None:
    truth = same_things(rows)
    near = [pair for pair in _near(rows, _neighbours(rows)) if not _is_left_out(name, rows, pair)]
    for least in TRIGRAMS:
        alike = {pair for pair in near if similarity(rows[pair[0]].traits.name, rows[pair[1]].traits.name) >= least}
        print(f"  kept aside  trigrams {least:4.2f}   {_tally(alike, truth)}")
    if not quick:
        found = {pair for pair in splink_pairs(rows) if not _is_left_out(name, rows, pair)}
        print(f"  kept aside  Splink          {_tally(found, truth)}")


def _worlds() -> list[bool]:
    """The claim is of those that are asked for; opportunities are shown beside them."""
    claims, told = [], defaultdict[str, list[Tally]](list)
    for of in (each for each in WORLDS if each not in LEARNED):
        half = "all of them" if of in UNSEEN else "the half kept aside"
        print(f"\n{of}: small worlds as their sources tell of them, {half}")
        for kind in FILES:
            if rows := [row for row in world(kind, of) if not row.to_choose_by]:
                told[kind].append(_lived(kind, rows))
                if kind != "opportunity":
                    claims.append(told[kind][-1].f1 >= LABELLED)
    print("\nall small worlds")
    for kind, tallies in told.items():
        print(f"  {kind:12} ours {_sum(tallies)}")
    return claims


def _lived(kind: str, rows: list[Row]) -> Tally:
    neighbours, truth = _neighbours(rows), same_things(rows)
    near, bands = set(_near(rows, neighbours)), _bands(rows, neighbours)
    tally = _tally(_in(bands, *ONE), truth)
    by_names = (
        _tally({pair for pair in near if similarity(*(rows[each].traits.name for each in pair)) >= least}, truth).f1
        for least in TRIGRAMS
    )
    print(f"  {kind:12} ours {tally}")
    print(
        f"  {'':12} names alone at their best: F1 {max(by_names):.3f};  keys bring together {_share(truth, near):.3f}"
    )
    print(f"  {'':12} band auto {_tally(_in(bands, 'auto'), truth)}")
    return tally


def _labelled(kind: str, of: str) -> float:
    aside = [pair for pair in pairs(kind, of) if not pair.to_choose_by]
    tally = _judged((score(pair.one, pair.other).probability >= REVIEW, pair.same) for pair in aside)
    met = sum(bool(keys(pair.one) & wanted(pair.other)) for pair in aside if pair.same)
    plain = _best_trigram([(pair.one, pair.other, pair.same) for pair in aside])
    print(f"  {kind:12} ours {tally}")
    share = met / (tally.right + tally.missed)
    print(f"  {'':12} names alone at their best: F1 {plain:.3f};  keys bring together {share:.3f}")
    return tally.f1


def _best_trigram(told: list[tuple[Traits, Traits, bool]]) -> float:
    likely: Callable[[float], Tally] = lambda least: _judged(  # noqa: E731 - used here alone
        (similarity(one.name, other.name) >= least, same) for one, other, same in told
    )
    return max(likely(least).f1 for least in TRIGRAMS)


def _tally(found: set[Numbers], truth: set[Numbers]) -> Tally:
    right = len(found & truth)
    return Tally(right, len(found) - right, len(truth) - right)


def _judged(told: Iterable[tuple[bool, bool]]) -> Tally:
    listed = list(told)
    return Tally(
        sum(said and same for said, same in listed),
        sum(said and not same for said, same in listed),
        sum(same and not said for said, same in listed),
    )


def _sum(tallies: Iterable[Tally]) -> Tally:
    listed = list(tallies)
    return Tally(*(sum(each[part] for each in listed) for part in range(3)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave Splink out")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(quick=arguments().quick))
