"""Near duplicates in one or two files, without a database: pairs with their points, and clusters.

Rows are read here; what costs time, reading rows and comparing them, is done by several processes.
"""

from __future__ import annotations

import json
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, islice
from typing import Any, NamedTuple

from gleanery.errors import Invalid
from gleanery.gc_pause import gc_paused
from gleanery.matching.facts import Facts
from gleanery.matching.scoring import Match
from gleanery.matching.tables.blocks import Blocks
from gleanery.matching.tables.pairing import AT_A_TIME, FEW_ROWS, Hit, paired
from gleanery.matching.tables.process_pool import in_order, pool
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.files import BadRow
from gleanery.resolution.tables import sheet
from gleanery.resolution.tables.sheet import LETTERS, File, Made, Renamed, Repeated, Report, Told
from gleanery.text import clean_text

Tell = Callable[[str, int, int], None]  # what is done, how much of it, out of how much
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


class Found(NamedTuple):
    report: Report
    pairs: list[Pair]
    clusters: int


class Rows:
    """All that is to be compared; `second` is where the rows of the second file begin."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.lines = array("Q")
        self.names: list[str] = []
        self.sources: list[str] = []
        self.facts: list[Facts] = []
        self.blocks = Blocks()
        self.second = 0

    def add(self, given: Told, one: Facts, prints: bytes) -> None:
        self.ids.append(given.id)
        self.lines.append(given.line)
        self.names.append(clean_text(str(given.fields["name"]), limit=LONGEST_NAME))
        self.sources.append(given.source)
        self.facts.append(one)
        self.blocks.add(one, prints)

    def end_of_file(self, file: str, letter: str) -> list[Repeated]:
        """The ids that several rows had, which are called by their lines from now on."""
        found = sheet.repeated(file, self.ids[self.second :], self.lines[self.second :])
        many = {each.id for each in found}
        for row in range(self.second, len(self.ids)) if many else ():
            if self.ids[row] in many:
                self.ids[row] = sheet.by_line(letter, self.lines[row])
        self._name_sources(letter)
        return found

    def _name_sources(self, letter: str) -> None:
        """A file that names no sources is one; in others a row that names none is of none."""
        of = self.sources[self.second :]
        alone = "" if any(of) else letter
        self.sources[self.second :] = [f"{letter}:{each}" if each else alone for each in of]


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
    with gc_paused():
        report = Report()
        rows = _rows(kind, files, today, renames, processes, report, tell)
        hits, clusters = paired(
            rows.facts,
            rows.blocks.neighbours(),
            rows.sources,
            border=rows.second if link_only else None,
            processes=processes,
            progress=lambda done, total: tell(COMPARING, done, total),
        )
        return Found(report, _pairs(hits, rows, clusters), len(clusters))


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
            if made.facts is None:
                report.refuse(file.name, given.line, made.reason)
            else:
                report.lose(file.name, given, made.lost)
                rows.add(given, made.facts, made.prints)
        report.repeated += rows.end_of_file(file.name, letter)
        report.compared.append(len(rows.ids) - rows.second)
        report.unknown_columns |= columns.unknown
        report.taken_columns |= columns.taken
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

    with pool(processes if len(first) == FEW_ROWS else 1) as workers:
        for made in in_order(workers, sheet.make, tasks()):
            yield from zip(waiting.popleft(), made, strict=True)
            tell(file.name, file.content.tell(), 0)


def _batched(rows: Iterator[Told]) -> Iterator[list[Told]]:
    while batch := list(islice(rows, AT_A_TIME)):
        yield batch


def _pairs(hits: Iterable[Hit], rows: Rows, clusters: Sequence[Sequence[int]]) -> list[Pair]:
    """Clusters are counted from the first row on."""
    cluster_of = {row: str(number) for number, cluster in enumerate(clusters, 1) for row in cluster}
    ids, names, found = rows.ids, rows.names, []
    for one, other, match in sorted(hits, key=lambda each: (-each.match.probability, *_called(each, ids))):
        cluster = cluster_of.get(one, "") if cluster_of.get(one) == cluster_of.get(other) else ""
        told = (match.probability, match.band(), points_of(match))
        found.append(Pair(ids[one], ids[other], *told, cluster, names[one], names[other]))
    return found


def _called(hit: Hit, ids: Sequence[str]) -> tuple[str, str, int, int]:
    return ids[hit.one], ids[hit.other], hit.one, hit.other


def points_of(match: Match) -> str:
    """What adds up to the score; a veto adds nothing, but keeps the probability below that of a sure match."""
    rows: list[dict[str, Any]] = [{"field": "prior", "level": "", "points": match.prior}]
    rows += [{"field": each.field, "level": each.level, "points": each.points} for each in match.points]
    rows += [{"field": "veto", "level": veto, "points": 0.0} for veto in match.vetoes]
    return json.dumps(rows, separators=(",", ":"))
