"""Pairs of rows that are probably the same: compared one by one, then clustered. Pure except for processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from gleanery.matching.facts import Facts
from gleanery.matching.rarity import Rarity, rarity
from gleanery.matching.scoring import CAP, LISTED, Match, Point, chance, compare, compare_if_likely, odds
from gleanery.matching.tables.blocks import Neighbours
from gleanery.matching.tables.clusters import MOST, Clusters, counted
from gleanery.matching.tables.process_pool import in_order, pool
from gleanery.matching.tables.sources import Sources

AT_A_TIME = 1_000
FEW_ROWS = 3_000  # up to this number one process is faster than starting others
SAMPLE = 2_000  # rows sampled to learn how often two rows have the same source
WHOLE = 50  # rows of a cluster up to which all its pairs are listed; above it only those compared
COMPANY = {
    "for": "Other rows connect them.",
    "against": "Other rows that match one of them speak against it.",
}
Progress = Callable[[int, int], None]  # rows done, rows in total


class Hit(NamedTuple):
    one: int
    other: int
    match: Match


class Paired(NamedTuple):
    hits: list[Hit]
    clusters: list[list[int]]


class Work(NamedTuple):
    """Shared input of the comparison; each process holds one copy."""

    facts: Sequence[Facts]
    neighbours: Neighbours
    among: Rarity
    sources: Sequence[str]
    border: int | None

    def sources_of(self, one: int, other: int) -> tuple[str, str]:
        return self.sources[one], self.sources[other]

    def is_wanted(self, one: int, other: int) -> bool:
        return self.border is None or one < self.border <= other


def paired(
    facts: Sequence[Facts],
    neighbours: Neighbours,
    sources: Sequence[str],
    *,
    border: int | None = None,
    processes: int = 1,
    progress: Progress = lambda done, total: None,
) -> Paired:
    """Compare and cluster rows.

    `sources` holds the source of each row, or nothing. `border` is the first row of the second file, if pairs within a
    file are to be ignored.
    """
    if not facts:
        return Paired([], [])
    work = Work(facts, neighbours, rarity(facts, sources), sources, border)
    hits = _compare(work, processes, progress)
    sure = ((each.one, each.other) for each in hits if each.match.band() == "auto")
    some = range(0, len(facts), 1 + len(facts) // SAMPLE)
    met = ((one, other) for one in some for other in neighbours.after(one))
    return _clustered(work, hits, Sources(sources).learned(sure, met))


def _compare(work: Work, processes: int, progress: Progress) -> list[Hit]:
    total = len(work.facts)
    found: list[Hit] = []
    with pool(processes if total > FEW_ROWS else 1, _start_process, work) as workers:
        spans = ((begin, min(begin + AT_A_TIME, total)) for begin in range(0, total, AT_A_TIME))
        for done, hits in enumerate(in_order(workers, _compare_span, spans), 1):
            found += hits
            progress(min(done * AT_A_TIME, total), total)
    _work.clear()
    return found


_work: list[Work] = []  # of this process


def _start_process(work: Work) -> None:
    _work[:] = [work]


def _compare_span(begin: int, end: int) -> list[Hit]:
    (work,) = _work
    found = []
    for one in range(begin, end):
        here = work.facts[one]
        for other in work.neighbours.after(one):
            if not work.is_wanted(one, other):
                continue
            match = compare_if_likely(LISTED, here, work.facts[other], work.among, work.sources_of(one, other))
            if match is not None:
                found.append(Hit(one, other, match))
    return found


def _clustered(work: Work, compared: list[Hit], sources: Sources) -> Paired:
    def judge(one: int, other: int) -> Match:
        match = compare(work.facts[one], work.facts[other], work.among, sources=work.sources_of(one, other))
        return _with_source_points(match, sources.points_for(one, other))

    hits = [
        each._replace(match=_with_source_points(each.match, sources.points_for(each.one, each.other)))
        for each in compared
    ]
    likely = (((each.one, each.other), each.match.probability) for each in hits)
    clusters = Clusters(likely, lambda one, other: judge(one, other).probability)
    found = clusters.found()
    known = {(each.one, each.other) for each in hits}
    further = (
        Hit(*two, judge(*two))
        for rows in found
        if len(rows) <= WHOLE
        for two in combinations(rows, 2)
        if two not in known and work.is_wanted(*two)
    )
    judged = (
        each._replace(match=_with_cluster_points(each.match, clusters.between(each.one, each.other)))
        for each in chain(hits, further)
    )
    return Paired([each for each in judged if each.match.probability >= LISTED], found)


def _with_source_points(match: Match, points: float) -> Match:
    """Add the points for two rows of the same source."""
    if not points:
        return match
    point = Point("source", "same", points, "The same source lists both, and it rarely lists anything twice.")
    found = (*match.points, point)
    likely = chance(match.prior + sum(each.points for each in found))
    return match._replace(points=found, probability=round(min(likely, CAP) if match.vetoes else likely, 4))


def _with_cluster_points(match: Match, points: float) -> Match:
    """Add the points of the cluster; alone they can never lead to an automatic merge."""
    points = min(points, MOST if match.band() == "auto" else odds(CAP))
    if points == counted(match.probability):
        return match
    more = round(points - match.prior - sum(each.points for each in match.points), 2)
    level = "for" if points > counted(match.probability) else "against"
    company = Point("company", level, more, COMPANY[level])
    return match._replace(points=(*match.points, company), probability=round(chance(points), 4))
