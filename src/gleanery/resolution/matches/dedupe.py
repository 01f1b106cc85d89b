"""Near duplicates in one or two files, without a database: pairs with their points, and clusters.

Rows are read here; what costs time, taking rows apart and comparing them, is done by several processes.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from datetime import date
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from gleanery.errors import Invalid
from gleanery.resolution.columns import Columns
from gleanery.resolution.files import BadRow
from gleanery.resolution.matches import sheet
from gleanery.resolution.matches.blocks import Blocks, Neighbours
from gleanery.resolution.matches.corpus import Corpus, corpus
from gleanery.resolution.matches.pruning import Bound
from gleanery.resolution.matches.scoring import LISTED, REVIEW, Match, score_from
from gleanery.resolution.matches.sheet import LETTERS, File, Made, Renamed, Report, Told
from gleanery.resolution.matches.traits import Traits
from gleanery.resolution.matches.weights import weights
from gleanery.text import clean_text
from gleanery.uncollected import uncollected

T = TypeVar("T")
Tell = Callable[[str, int, int], None]  # what is done, how much of it, out of how much
AT_A_TIME = 1_000
AHEAD = 4
FEW_ROWS = 3_000  # so few are done before other processes have started
COMPARING = "comparing"
LONGEST_NAME = 200


class Pair(NamedTuple):
    id_a: str
    id_b: str
    probability: float
    band: str
    points: str  # as JSON
    cluster: str
    name_a: str
    name_b: str


class Hit(NamedTuple):
    one: int
    other: int
    probability: float
    band: str
    points: str


class Found(NamedTuple):
    report: Report
    pairs: list[Pair]
    clusters: int


class Rows:
    """All that is to be compared; `second` is where the rows of the second file begin."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.names: list[str] = []
        self.traits: list[Traits] = []
        self.blocks = Blocks()
        self.second = 0

    def add(self, given: Told, one: Traits, prints: bytes) -> None:
        self.ids.append(given.id)
        self.names.append(clean_text(str(given.fields["name"]), limit=LONGEST_NAME))
        self.traits.append(one)
        self.blocks.add(one, prints)


class Work(NamedTuple):
    """All that is needed to compare rows; each process has it once."""

    bound: Bound
    told: Sequence[int]  # by each row, as the bound counts it
    traits: Sequence[Traits]
    neighbours: Neighbours
    among: Corpus
    border: int | None  # where the second file begins, if pairs within a file do not count


def dedupe(  # noqa: PLR0913  # each is something that whoever asks may choose
    kind: str,
    files: Sequence[File],
    *,
    today: date,
    renames: Mapping[str, str] | None = None,
    link_only: bool = False,
    processes: int = 1,
    tell: Tell = lambda stage, done, total: None,
) -> Found:
    with uncollected():
        report = Report()
        rows = _rows(kind, files, today, renames, processes, report, tell)
        bound = Bound(weights(kind), LISTED)
        work = Work(
            bound,
            [bound.told(each) for each in rows.traits],
            rows.traits,
            rows.blocks.neighbours(),
            corpus(rows.traits),
            rows.second if link_only else None,
        )
        hits = _compare(work, processes, tell)
        clusters = clustered(hits)
        return Found(report, _pairs(hits, rows, clusters), len(set(clusters.values())))


def _rows(  # noqa: PLR0913, PLR0917  # what dedupe was given
    kind: str,
    files: Sequence[File],
    today: date,
    renames: Mapping[str, str] | None,
    processes: int,
    report: Report,
    tell: Tell,
) -> Rows:
    rows, missing = Rows(), []
    for letter, file in zip(LETTERS, files, strict=False):
        rows.second = len(rows.ids)
        columns = Renamed(kind, renames)
        for given, made in _read(file, letter, columns, today, processes, report, tell):
            if made.traits is None:
                report.refuse(file.name, given.line, made.reason)
            else:
                report.lost.update(made.lost)
                rows.add(given, made.traits, made.prints)
        report.unknown_columns |= columns.unknown
        missing.append(columns.missing)
    if nowhere := sorted(set.intersection(*missing)):
        raise Invalid(f"There is no column {nowhere[0]!r} to rename.")
    return rows


def _read(  # noqa: PLR0913, PLR0917  # inner part of dedupe
    file: File, letter: str, columns: Columns, today: date, processes: int, report: Report, tell: Tell
) -> Iterator[tuple[Told, Made]]:
    def good() -> Iterator[Told]:
        for row in sheet.told(file, letter, columns, today):
            report.rows += 1
            if isinstance(row, BadRow):
                report.refuse(file.name, row.line, row.reason)
            else:
                yield row

    given = good()
    first = list(islice(given, FEW_ROWS))
    batches = _batched(chain(first, given))
    waiting: deque[list[Told]] = deque()

    def tasks() -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
        for batch in batches:
            waiting.append(batch)
            yield columns.kind, [each.fields for each in batch]

    with _pool(processes if len(first) == FEW_ROWS else 1) as pool:
        for made in _in_order(pool, sheet.make, tasks()):
            yield from zip(waiting.popleft(), made, strict=True)
            tell(file.name, file.content.tell(), 0)


def _compare(work: Work, processes: int, tell: Tell) -> list[Hit]:
    total = len(work.traits)
    found: list[Hit] = []
    done = 0
    with _pool(processes if total > FEW_ROWS else 1, work) as pool:
        spans = ((begin, min(begin + AT_A_TIME, total)) for begin in range(0, total, AT_A_TIME))
        for hits in _in_order(pool, _compare_span, spans):
            found += hits
            done = min(done + AT_A_TIME, total)
            tell(COMPARING, done, total)
    return found


_work: list[Work] = []  # of this process


def _begin(work: Work | None) -> None:
    """Whoever asked hears the signals, and ends its helpers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _take(work)


def _take(work: Work | None) -> None:
    _work[:] = [work] if work else []


def _compare_span(begin: int, end: int) -> list[Hit]:
    (work,) = _work
    bound, border, told = work.bound, work.border, work.told
    found = []
    for one in range(begin, end):
        here = work.traits[one]
        for other in work.neighbours.after(one):
            if border is not None and not one < border <= other:
                continue
            there = work.traits[other]
            beside = bound.levels(here, there, told[one] & told[other])
            if beside is None:
                continue
            match = score_from(LISTED, here, there, work.among, beside=beside)
            if match is not None:
                found.append(Hit(one, other, match.probability, match.band(), points_of(match)))
    return found


def points_of(match: Match) -> str:
    """What adds up to the score; a veto adds nothing, but keeps the probability below that of a sure match."""
    rows = [{"field": "prior", "level": "", "points": match.prior}]
    rows += [{"field": each.field, "level": each.level, "points": each.points} for each in match.points]
    rows += [{"field": "veto", "level": veto, "points": 0.0} for veto in match.vetoes]
    return json.dumps(rows, separators=(",", ":"))


@contextmanager
def _pool(processes: int, work: Work | None = None) -> Iterator[ProcessPoolExecutor | None]:
    """None where one process does it all. Forking is safe here: nothing of ours runs in threads."""
    if processes <= 1:
        _take(work)
        yield None
        _take(None)
        return
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(work,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor | None, work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[T]:
    """Only a few are under way at a time, so that memory does not grow with the file."""
    if pool is None:
        yield from (work(*task) for task in tasks)
        return
    under_way: deque[Future[T]] = deque()
    for task in tasks:
        under_way.append(pool.submit(work, *task))
        if len(under_way) > AHEAD:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()


def _batched(rows: Iterator[T]) -> Iterator[list[T]]:
    while batch := list(islice(rows, AT_A_TIME)):
        yield batch


def clustered(hits: Iterable[Hit]) -> dict[int, int]:
    """For each row that has a likely duplicate the number of its cluster, counted from the first row on."""
    parent: dict[int, int] = {}

    def root(row: int) -> int:
        while (above := parent.setdefault(row, row)) != row:
            parent[row] = row = parent[above]
        return row

    for hit in hits:
        if hit.probability >= REVIEW:
            low, high = sorted((root(hit.one), root(hit.other)))
            parent[high] = low
    numbers: dict[int, int] = {}
    return {row: numbers.setdefault(root(row), len(numbers) + 1) for row in sorted(parent)}


def _pairs(hits: Iterable[Hit], rows: Rows, clusters: Mapping[int, int]) -> list[Pair]:
    ids, names, found = rows.ids, rows.names, []
    for hit in sorted(hits, key=lambda each: (-each.probability, ids[each.one], ids[each.other], each[:2])):
        one, other = clusters.get(hit.one, 0), clusters.get(hit.other, 0)
        cluster = str(one) if one and one == other else ""
        found.append(Pair(ids[hit.one], ids[hit.other], *hit[2:], cluster, names[hit.one], names[hit.other]))
    return found
