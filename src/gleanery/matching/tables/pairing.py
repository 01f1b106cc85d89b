"""Rows that are likely one: each pair compared by itself, then all of them judged together. Pure, but for processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from gleanery.matching.facts import Facts
from gleanery.matching.rarity import Rarity, rarity
from gleanery.matching.scoring import CAP, LISTED, Match, Point, chance, compare, compare_from, odds
from gleanery.matching.tables.blocks import Neighbours
from gleanery.matching.tables.clusters import MOST, Clusters, counted
from gleanery.matching.tables.sources import Sources
from gleanery.matching.tables.spread import in_order, pool

AT_A_TIME = 1_000
FEW_ROWS = 3_000  # so few are done before other processes have started
SAMPLE = 2_000  # rows by which it is told what is usual of two
WHOLE = 50  # a cluster of so many rows is told by all its pairs; of a larger one those that were compared
COMPANY = {
    "for": "Other rows tie them together.",
    "against": "Other rows that are one with either of them speak against it.",
}
Tell = Callable[[int, int], None]  # how many rows are done, out of how many


class Hit(NamedTuple):
    one: int
    other: int
    match: Match


class Paired(NamedTuple):
    hits: list[Hit]
    clusters: list[list[int]]


class Work(NamedTuple):
    """All that is needed to compare rows; each process has it once."""

    facts: Sequence[Facts]
    neighbours: Neighbours
    among: Rarity
    sources: Sequence[str]
    border: int | None

    def said_by(self, one: int, other: int) -> tuple[str, str]:
        return self.sources[one], self.sources[other]

    def counts(self, one: int, other: int) -> bool:
        return self.border is None or one < self.border <= other


def paired(
    facts: Sequence[Facts],
    neighbours: Neighbours,
    sources: Sequence[str],
    *,
    border: int | None = None,
    processes: int = 1,
    tell: Tell = lambda done, total: None,
) -> Paired:
    """`sources`: of each row, or empty; `border`: where the second file begins, if pairs within a file do not count."""
    if not facts:
        return Paired([], [])
    work = Work(facts, neighbours, rarity(facts, sources), sources, border)
    hits = _compare(work, processes, tell)
    sure = ((each.one, each.other) for each in hits if each.match.band() == "auto")
    some = range(0, len(facts), 1 + len(facts) // SAMPLE)
    met = ((one, other) for one in some for other in neighbours.after(one))
    return _together(work, hits, Sources(sources).learned(sure, met))


def _compare(work: Work, processes: int, tell: Tell) -> list[Hit]:
    total = len(work.facts)
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
    found = []
    for one in range(begin, end):
        here = work.facts[one]
        for other in work.neighbours.after(one):
            if not work.counts(one, other):
                continue
            match = compare_from(LISTED, here, work.facts[other], work.among, work.said_by(one, other))
            if match is not None:
                found.append(Hit(one, other, match))
    return found


def _together(work: Work, compared: list[Hit], sources: Sources) -> Paired:
    def judge(one: int, other: int) -> Match:
        match = compare(work.facts[one], work.facts[other], work.among, sources=work.said_by(one, other))
        return _weighed(match, sources.points_for(one, other))

    hits = [each._replace(match=_weighed(each.match, sources.points_for(each.one, each.other))) for each in compared]
    likely = (((each.one, each.other), each.match.probability) for each in hits)
    clusters = Clusters(likely, lambda one, other: judge(one, other).probability)
    found = clusters.found()
    known = {(each.one, each.other) for each in hits}
    further = (
        Hit(*two, judge(*two))
        for rows in found
        if len(rows) <= WHOLE
        for two in combinations(rows, 2)
        if two not in known and work.counts(*two)
    )
    judged = (
        each._replace(match=_in_company(each.match, clusters.between(each.one, each.other)))
        for each in chain(hits, further)
    )
    return Paired([each for each in judged if each.match.probability >= LISTED], found)


def _weighed(match: Match, points: float) -> Match:
    """With what it tells that both are of one source."""
    if not points:
        return match
    told = (*match.points, Point("source", "same", points, "One source lists both, and it hardly lists a thing twice."))
    likely = chance(match.prior + sum(each.points for each in told))
    return match._replace(points=told, probability=round(min(likely, CAP) if match.vetoes else likely, 4))


def _in_company(match: Match, points: float) -> Match:
    """What others tell may bring two together, but only what the two tell themselves makes them surely one."""
    points = min(points, MOST if match.band() == "auto" else odds(CAP))
    if points == counted(match.probability):
        return match
    more = round(points - match.prior - sum(each.points for each in match.points), 2)
    level = "for" if points > counted(match.probability) else "against"
    company = Point("company", level, more, COMPANY[level])
    return match._replace(points=(*match.points, company), probability=round(chance(points), 4))
