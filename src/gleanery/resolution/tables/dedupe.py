"""Finds near duplicates in one or two files, without a database: pairs with their points, and clusters.

This process reads the files; several processes prepare the rows and compare them.
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
from gleanery.resolution.tables.sheet import LETTERS, File, PreparedRow, Repeated, Report, SheetColumns, SheetRow
from gleanery.text import clean_text

Progress = Callable[[str, int, int], None]  # stage, amount done, total
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
    """All rows to compare, as columns; `second` is where the rows of the second file begin."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.lines = array("Q")
        self.names: list[str] = []
        self.sources: list[str] = []
        self.facts: list[Facts] = []
        self.blocks = Blocks()
        self.second = 0

    def add(self, given: SheetRow, one: Facts, prints: bytes) -> None:
        self.ids.append(given.id)
        self.lines.append(given.line)
        self.names.append(clean_text(str(given.fields["name"]), limit=LONGEST_NAME))
        self.sources.append(given.source)
        self.facts.append(one)
        self.blocks.add(one, prints)

    def end_of_file(self, file: str, letter: str) -> list[Repeated]:
        """Finish a file: rows that share an id get their line as id; return the shared ids."""
        found = sheet.repeated(file, self.ids[self.second :], self.lines[self.second :])
        many = {each.id for each in found}
        for row in range(self.second, len(self.ids)) if many else ():
            if self.ids[row] in many:
                self.ids[row] = sheet.by_line(letter, self.lines[row])
        self._name_sources(letter)
        return found

    def _name_sources(self, letter: str) -> None:
        """Treat a file without sources as one source; in other files a row without a source has none."""
        of = self.sources[self.second :]
        alone = "" if any(of) else letter
        self.sources[self.second :] = [f"{letter}:{each}" if each else alone for each in of]


def dedupe(  # noqa: PLR0913  # options of the command
    kind: str,
    files: Sequence[File],
    *,
    today: date,
    renames: Mapping[str, str] | None = None,
    link_only: bool = False,
    processes: int = 1,
    progress: Progress = lambda stage, done, total: None,
) -> Found:
    with gc_paused():
        report = Report()
        rows = _rows(kind, files, today, renames, processes, report, progress)
        hits, clusters = paired(
            rows.facts,
            rows.blocks.neighbours(),
            rows.sources,
            border=rows.second if link_only else None,
            processes=processes,
            progress=lambda done, total: progress(COMPARING, done, total),
        )
        return Found(report, _pairs(hits, rows, clusters), len(clusters))


def _rows(  # noqa: PLR0913, PLR0917  # options of dedupe
    kind: str,
    files: Sequence[File],
    today: date,
    renames: Mapping[str, str] | None,
    processes: int,
    report: Report,
    progress: Progress,
) -> Rows:
    rows, missing = Rows(), []
    for letter, file in zip(LETTERS, files, strict=False):
        rows.second = len(rows.ids)
        columns = SheetColumns(kind, renames)
        for given, made in _read(file, letter, columns, today, processes, report, progress):
            if made.facts is None:
                report.refuse(file.name, given.line, made.reason)
            else:
                report.add_unreadable(file.name, given, made.unreadable)
                rows.add(given, made.facts, made.prints)
        report.repeated += rows.end_of_file(file.name, letter)
        report.compared.append(len(rows.ids) - rows.second)
        report.unknown_columns |= columns.unknown
        report.taken_columns |= columns.taken
        missing.append(columns.missing)
    if nowhere := sorted(set.intersection(*missing)):
        raise Invalid(f"There is no column {nowhere[0]!r} to rename. Nothing was compared; correct --map.")
    return rows


def _read(  # noqa: PLR0913, PLR0917  # inner part of dedupe
    file: File, letter: str, columns: Columns, today: date, processes: int, report: Report, progress: Progress
) -> Iterator[tuple[SheetRow, PreparedRow]]:
    def good() -> Iterator[SheetRow]:
        for row in sheet.rows_of(file, letter, columns, today):
            report.rows += 1
            if isinstance(row, BadRow):
                report.refuse(file.name, row.line, row.reason)
            else:
                yield row

    given = good()
    first = list(islice(given, FEW_ROWS))
    batches = _batched(chain(first, given))
    waiting: deque[list[SheetRow]] = deque()

    def tasks() -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
        for batch in batches:
            waiting.append(batch)
            yield columns.kind, [each.fields for each in batch]

    with pool(processes if len(first) == FEW_ROWS else 1) as workers:
        for made in in_order(workers, sheet.prepare, tasks()):
            yield from zip(waiting.popleft(), made, strict=True)
            progress(file.name, file.content.tell(), 0)


def _batched(rows: Iterator[SheetRow]) -> Iterator[list[SheetRow]]:
    while batch := list(islice(rows, AT_A_TIME)):
        yield batch


def _pairs(hits: Iterable[Hit], rows: Rows, clusters: Sequence[Sequence[int]]) -> list[Pair]:
    """Return the pairs, likeliest first, with the numbers of their clusters."""
    cluster_of = {row: str(number) for number, cluster in enumerate(clusters, 1) for row in cluster}
    ids, names, found = rows.ids, rows.names, []
    for one, other, match in sorted(hits, key=lambda each: (-each.match.probability, *_called(each, ids))):
        cluster = cluster_of.get(one, "") if cluster_of.get(one) == cluster_of.get(other) else ""
        score = (match.probability, match.band(), points_of(match))
        found.append(Pair(ids[one], ids[other], *score, cluster, names[one], names[other]))
    return found


def _called(hit: Hit, ids: Sequence[str]) -> tuple[str, str, int, int]:
    return ids[hit.one], ids[hit.other], hit.one, hit.other


def points_of(match: Match) -> str:
    """Return the points of the score as JSON; a veto has none, but keeps the probability below a sure match."""
    rows: list[dict[str, Any]] = [{"field": "prior", "level": "", "points": match.prior}]
    rows += [{"field": each.field, "level": each.level, "points": each.points} for each in match.points]
    rows += [{"field": "veto", "level": veto, "points": 0.0} for veto in match.vetoes]
    return json.dumps(rows, separators=(",", ":"))
