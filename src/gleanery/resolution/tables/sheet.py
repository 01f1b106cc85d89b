"""Reads the rows of files to compare, with their ids, and reports what could not be read. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, BinaryIO, NamedTuple

from gleanery.errors import Invalid
from gleanery.extraction.payload import check_id
from gleanery.kinds import KINDS
from gleanery.matching.facts import READ, Facts, facts
from gleanery.matching.tables.blocks import fingerprints
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.files import BadRow, Row, form_of, read_rows
from gleanery.resolution.records.values import EMPTY, NAMELESS, PAIR, value_of
from gleanery.text import clean_text

LETTERS = "ab"  # prefixes of line numbers in the first and the second file
MOST_LISTED = 1_000
LONGEST_EXAMPLE = 60


class File(NamedTuple):
    name: str
    content: BinaryIO


class SheetRow(NamedTuple):
    """A row as read from the file; other processes prepare it for comparing."""

    id: str
    line: int
    fields: Mapping[str, Any]
    source: str


class PreparedRow(NamedTuple):
    """A row ready to compare, with the fields that could not be read; or the reason why it cannot be used."""

    facts: Facts | None
    prints: bytes = b""
    unreadable: tuple[str, ...] = ()
    reason: str = ""


class Repeated(NamedTuple):
    """An id that several rows of a file share."""

    file: str
    id: str
    lines: tuple[int, ...]


class SheetColumns(Columns):
    """Columns of one of two files; a column to rename may be missing in one of them."""

    def __init__(self, kind: str, renames: Mapping[str, str] | None = None) -> None:
        super().__init__(kind, renames)
        self.missing: set[str] = set()
        self._called: dict[str, str] = {}

    def name_of(self, given: str) -> str:
        """Return our name of a column; cached, since it is needed for each cell."""
        if given not in self._called and len(self._called) < MOST_LISTED:
            self._called[given] = super().name_of(given)
        return self._called[given] if given in self._called else super().name_of(given)

    def _id(self, kind: str, named: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
        """Return no id: rows without one get their line as id."""
        return ""

    def _readable(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Return all fields: those that cannot be read are reported later."""
        return fields

    def of_header(self, cells: Sequence[str]) -> list[str]:
        plain = Columns(self.kind)
        there = {plain.name_of(cell) for cell in cells}
        self.missing = self.renames.keys() - there
        self.renames = {given: ours for given, ours in self.renames.items() if given in there}
        self._called.clear()
        return super().of_header(cells)


@dataclass(slots=True)
class Report:
    """Counts and problems of the files read."""

    rows: int = 0
    unreadable: int = 0
    compared: list[int] = field(default_factory=list)  # rows of each file
    refusals: list[dict[str, Any]] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    examples: dict[str, dict[str, Any]] = field(default_factory=dict)  # first unreadable value per field
    repeated: list[Repeated] = field(default_factory=list)
    unknown_columns: set[str] = field(default_factory=set)
    taken_columns: dict[str, str] = field(default_factory=dict)  # name of the column in the file -> field

    def refuse(self, file: str, line: int, reason: str) -> None:
        self.unreadable += 1
        if len(self.refusals) < MOST_LISTED:
            self.refusals.append({"file": file, "line": line, "reason": reason})

    def add_unreadable(self, file: str, row: SheetRow, names: Iterable[str]) -> None:
        for name in names:
            self.lost[name] += 1
            if name not in self.examples:
                value = clean_text(str(row.fields[name]), limit=LONGEST_EXAMPLE)
                self.examples[name] = {"file": file, "line": row.line, "value": value}


def rows_of(file: File, letter: str, columns: Columns, today: date) -> Iterator[SheetRow | BadRow]:
    """Yield rows with their id from the file, else their line, like a:17. Past events count as well."""
    form = form_of(file.name)
    for row in read_rows(file.content, form, columns, today, with_past=True):
        if isinstance(row, BadRow):
            yield row
        else:
            own = row.external_id if form == "icalendar" else _cell(row, "id", columns)
            source = "" if form == "icalendar" else _cell(row, "source", columns)
            yield _checked(row, own or by_line(letter, row.line), source)


def _checked(row: Row, own: str, source: str) -> SheetRow | BadRow:
    try:
        check_id(own)
    except Invalid as problem:
        return BadRow(row.line, str(problem))
    return SheetRow(own, row.line, row.fields, source)


def by_line(letter: str, line: int) -> str:
    return f"{letter}:{line}"


def repeated(file: str, ids: Sequence[str], lines: Sequence[int]) -> list[Repeated]:
    """Return the ids that several rows share, in the order of the file."""
    many = {own for own, count in Counter(ids).items() if count > 1}
    where: dict[str, list[int]] = {}
    for own, line in zip(ids, lines, strict=True):
        if own in many:
            where.setdefault(own, []).append(line)
    return [Repeated(file, own, tuple(each)) for own, each in where.items()]


def _cell(row: Row, wanted: str, columns: Columns) -> str:
    return next(
        (str(cell).strip() for name, cell in row.original.items() if columns.name_of(name) == wanted and cell), ""
    )


def prepare(kind: str, rows: Iterable[Mapping[str, Any]]) -> list[PreparedRow]:
    """Prepare rows for comparing. Values that cannot be read are left out; only rows without a name are refused."""
    return [_prepared(kind, each) for each in rows]


def _prepared(kind: str, given: Mapping[str, Any]) -> PreparedRow:
    fields, lost = _readable(kind, given)
    if not fields.get("name"):
        return PreparedRow(None, reason="The name cannot be read." if given.get("name") else NAMELESS)
    one = facts(kind, fields)
    return PreparedRow(one, fingerprints(one), tuple(lost))


def _readable(kind: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    fields: dict[str, Any] = {}
    lost = []
    known = KINDS[kind].fields
    for name in READ:
        if name in known and (cell := given.get(name)) not in EMPTY:
            try:
                fields[name] = value_of(kind, name, cell)
            except Invalid:
                lost.append(name)
    if any(fields.get(name) is None for name in PAIR):  # a position needs both
        fields = {name: value for name, value in fields.items() if name not in PAIR}
    return fields, lost
