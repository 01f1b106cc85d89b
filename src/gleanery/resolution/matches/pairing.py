"""Rows that are likely one: each pair compared by itself, then all of them judged together. Pure, but for processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

from gleanery.resolution.matches.blocks import Neighbours
from gleanery.resolution.matches.corpus import Corpus, corpus
from gleanery.resolution.matches.gathering import Groups, counted
from gleanery.resolution.matches.pruning import Bound
from gleanery.resolution.matches.scoring import CAP, LISTED, Match, band, chance, odds, score, score_from
from gleanery.resolution.matches.sources import points_of_one_source
from gleanery.resolution.matches.spread import in_order, pool
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.weights import weights

AT_A_TIME = 1_000
FEW_ROWS = 3_000  # so few are done before other processes have started
SAMPLE = 2_000  # rows by which it is told what is usual of two
WHOLE = 50  # a group of so many rows is told by all its pairs; of a larger one those that were compared
Tell = Callable[[int, int], None]  # how many rows are done, out of how many


class Hit(NamedTuple):
    one: int
    other: int
    probability: float
    band: str
    points: str  # as JSON


class Paired(NamedTuple):
    hits: list[Hit]
    groups: list[list[int]]


class Work(NamedTuple):
    """All that is needed to compare rows; each process has it once."""

    bound: Bound
    told: Sequence[int]  # by each row, as the bound counts it
    traits: Sequence[Traits]
    neighbours: Neighbours
    among: Corpus
    border: int | None

    def counts(self, one: int, other: int) -> bool:
        return self.border is None or one < self.border <= other


def paired(
    traits: Sequence[Traits],
    neighbours: Neighbours,
    sources: Sequence[str],
    *,
    border: int | None = None,
    processes: int = 1,
    tell: Tell = lambda done, total: None,
) -> Paired:
    """`sources`: of each row; `border`: where the second file begins, if pairs within a file do not count."""
    if not traits:
        return Paired([], [])
    bound = Bound(weights(traits[0].kind), LISTED)
    work = Work(bound, [bound.told(each) for each in traits], traits, neighbours, corpus(traits), border)
    hits = _compare(work, processes, tell)
    sure = ((each.one, each.other) for each in hits if each.band == "auto")
    some = range(0, len(traits), 1 + len(traits) // SAMPLE)
    met = ((one, other) for one in some for other in neighbours.after(one) if work.counts(one, other))
    return _together(work, hits, Sources(sources, points_of_one_source(sources, sure, met)))


def _compare(work: Work, processes: int, tell: Tell) -> list[Hit]:
    total = len(work.traits)
    found: list[Hit] = []
    with pool(processes if total > FEW_ROWS else 1, _take, work) as workers:
        spans = ((begin, min(begin + AT_A_TIME, total)) for begin in range(0, total, AT_A_TIME))
        for done, hits in enumerate(in_order(workers, _compare_span, spans), 1):
            found += hits
            tell(min(done * AT_A_TIME, total), total)
    _work.clear()
    return found


_work: list[Work] = []  # of this process


def _take(work: Work) -> None:
    _work[:] = [work]


def _compare_span(begin: int, end: int) -> list[Hit]:
    (work,) = _work
    bound, told = work.bound, work.told
    found = []
    for one in range(begin, end):
        here = work.traits[one]
        for other in work.neighbours.after(one):
            if not work.counts(one, other):
                continue
            there = work.traits[other]
            beside = bound.levels(here, there, told[one] & told[other])
            if beside is None:
                continue
            match = score_from(LISTED, here, there, work.among, beside=beside)
            if match is not None:
                found.append(_hit(one, other, match))
    return found


def _hit(one: int, other: int, match: Match) -> Hit:
    return Hit(one, other, match.probability, match.band(), points_of(match))


def points_of(match: Match) -> str:
    """What adds up to the score; a veto adds nothing, but keeps the probability below that of a sure match."""
    rows: list[dict[str, Any]] = [{"field": "prior", "level": "", "points": match.prior}]
    rows += [{"field": each.field, "level": each.level, "points": each.points} for each in match.points]
    rows += [{"field": "veto", "level": veto, "points": 0.0} for veto in match.vetoes]
    return _written(rows)


def _written(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, separators=(",", ":"))


class Sources(NamedTuple):
    of: Sequence[str]
    points: float  # for two rows of one source

    def weighed(self, hit: Hit) -> Hit:
        if not self.points or self.of[hit.one] != self.of[hit.other]:
            return hit
        rows = [*json.loads(hit.points), {"field": "source", "level": "same", "points": self.points}]
        vetoed = any(each["field"] == "veto" for each in rows)
        likely = round(min(chance(sum(each["points"] for each in rows)), CAP if vetoed else 1.0), 4)
        return hit._replace(probability=likely, band=band(likely), points=_written(rows))


def _together(work: Work, compared: list[Hit], sources: Sources) -> Paired:
    def compare(one: int, other: int) -> Hit:
        return sources.weighed(_hit(one, other, score(work.traits[one], work.traits[other], work.among)))

    hits = [sources.weighed(each) for each in compared]
    likely = (((each.one, each.other), each.probability) for each in hits)
    groups = Groups(likely, lambda one, other: compare(one, other).probability)
    found = groups.found()
    known = {(each.one, each.other) for each in hits}
    further = (
        compare(*pair)
        for rows in found
        if len(rows) <= WHOLE
        for pair in combinations(rows, 2)
        if pair not in known and work.counts(*pair)
    )
    judged = (_in_company(each, groups) for each in chain(hits, further))
    return Paired([each for each in judged if each.probability >= LISTED], found)


def _in_company(hit: Hit, groups: Groups) -> Hit:
    """What others tell may bring two together, but only what the two tell themselves makes them surely one."""
    points = groups.between(hit.one, hit.other)
    if points == counted(hit.probability):
        return hit
    if hit.band != "auto":
        points = min(points, odds(CAP))
    probability = round(chance(points), 4)
    rows = json.loads(hit.points)
    more = round(points - sum(each["points"] for each in rows), 2)
    rows.append({"field": "company", "level": "for" if more > 0 else "against", "points": more})
    return hit._replace(probability=probability, band=band(probability), points=_written(rows))
