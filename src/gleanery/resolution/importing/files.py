"""Reads import files row by row: JSON Lines, tables (CSV) and calendars. Pure."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from gleanery.errors import Invalid
from gleanery.net.charset import MARKS, codec_of
from gleanery.resolution.importing.binary_files import AS_CSV, WORKBOOKS, problem_of
from gleanery.resolution.importing.calendar_parts import Part, parts_of
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.spreadsheets import unguarded
from gleanery.resolution.importing.table_rows import Cells, cells_of
from gleanery.text import DEEPEST, counted

ENDINGS = {
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "json": "jsonl",
    "csv": "csv",
    "tsv": "csv",
    "txt": "csv",
    "ics": "icalendar",
    "ical": "icalendar",
}
LONGEST_LINE = 1024 * 1024
SAMPLE = 64 * 1024


class Row(NamedTuple):
    """One thing in the file; `line` is where it begins."""

    line: int
    kind: str
    external_id: str
    fields: dict[str, Any]
    original: Any
    extractor: str


class BadRow(NamedTuple):
    line: int
    reason: str


class Line(NamedTuple):
    number: int
    text: str
    is_whole: bool = True


def form_of(name: str) -> str:
    ending = name.rpartition(".")[2].lower()
    if ending in WORKBOOKS:
        raise Invalid(f"{name!r} is a workbook, which cannot be imported. Nothing was read; open it and {AS_CSV}.")
    if ending not in ENDINGS:
        raise Invalid(f"{name!r} cannot be imported. Its name must end in {', '.join(ENDINGS)}.")
    return ENDINGS[ending]


def read_rows(
    file: BinaryIO, form: str, columns: Columns, today: date, *, with_past: bool = False
) -> Iterator[Row | BadRow]:
    """Yield each row; a bad one never stops the others. The file is read only as far as rows are asked for.

    `with_past`: include past events of a calendar.
    """
    if form == "icalendar":
        return _calendar(file, columns, today, with_past=with_past)
    return _table(file, columns) if form == "csv" else _json_lines(file, columns)


def lines_of(file: BinaryIO) -> Iterator[Line]:
    """Yield the lines of a file, which must be seekable: finding its encoding reads it once before."""
    text = io.TextIOWrapper(file, encoding=encoding_of(file), errors="replace", newline="")
    number = 0
    try:
        while line := text.readline(LONGEST_LINE):
            number += 1
            yield Line(number, line.replace("\0", ""), len(line) < LONGEST_LINE)
            while len(line) == LONGEST_LINE and not line.endswith(("\n", "\r")):
                line = text.readline(LONGEST_LINE)
    finally:
        # The caller closes the file, perhaps before this if it did not need the rest.
        with suppress(ValueError):
            text.detach()


def encoding_of(file: BinaryIO) -> str:
    """Return the encoding by byte order mark, else UTF-8 if all of it is valid, else a guess; rewind the file.

    Binary files are refused.
    """
    file.seek(0)
    first = file.read(SAMPLE)
    file.seek(0)
    if problem := problem_of(first):
        raise Invalid(f"{_name(file)} {problem}")
    for mark, codec in MARKS:
        if first.startswith(mark):
            return {"utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}[codec]
    decoder, odd = codecs.getincrementaldecoder("utf-8")(), b""
    try:
        while odd := file.read(SAMPLE):
            decoder.decode(odd)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return codec_of(odd or first, None)
    finally:
        file.seek(0)
    return "utf-8"


def _name(file: BinaryIO) -> str:
    return Path(name).name if isinstance(name := getattr(file, "name", None), str) else "The file"


def _json_lines(file: BinaryIO, columns: Columns) -> Iterator[Row | BadRow]:
    for line in lines_of(file):
        if not line.text.strip():
            continue
        if line.number == 1 and line.text.lstrip().startswith("["):
            raise Invalid("The file is a JSON list. Nothing was read; write each object on its own line (JSON Lines).")
        yield _json_row(line, columns)


def _json_row(line: Line, columns: Columns) -> Row | BadRow:
    if not line.is_whole:
        return BadRow(line.number, "The line is longer than a million characters.")
    if line.text.count("[") + line.text.count("{") > DEEPEST and _is_deep(line.text):
        return BadRow(line.number, "The line is nested too deeply.")
    try:
        given = json.loads(line.text)
    except (ValueError, RecursionError):
        return BadRow(line.number, "The line is not JSON.")
    if not isinstance(given, dict):
        return BadRow(line.number, "The line is not a JSON object.")
    return _row(line.number, given, columns, "jsonl")


def _is_deep(text: str) -> bool:
    """Return True if the brackets may nest too deeply: an upper bound without parsing, counting brackets in strings."""
    depth = deepest = 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


def _table(file: BinaryIO, columns: Columns) -> Iterator[Row | BadRow]:
    rows = cells_of(lines_of(file), columns.is_understood)
    header = next(rows, None)
    if header is None:
        raise Invalid("The file is empty. Its first line must name the columns.")
    if not isinstance(header, Cells):
        raise Invalid(f"Line {header.line} should name the columns, but cannot be read: {header.reason}")
    where = "the first line" if header.line == 1 else f"line {header.line}"
    names = columns.of_header(header.cells)
    for row in rows:
        if not isinstance(row, Cells):
            yield BadRow(row.line, row.reason)
        elif any(row.cells[len(names) :]):
            many = len(row.cells)
            yield BadRow(row.line, f"It has {many} cells, but {where} names {counted(len(names), 'column')}.")
        else:
            yield _row(row.line, dict(zip(names, map(unguarded, row.cells), strict=False)), columns, "csv")


def _calendar(file: BinaryIO, columns: Columns, today: date, *, with_past: bool) -> Iterator[Row | BadRow]:
    if columns.kind not in ("", "event"):
        raise Invalid(
            f"A calendar contains events, not records of kind {columns.kind}. Nothing was read; leave out the kind."
        )
    for part in parts_of(lambda: lines_of(file), today, with_past=with_past):
        if not isinstance(part, Part):
            yield BadRow(part.line, part.reason)
            continue
        draft = part.draft
        yield Row(part.line, "event", draft.external_id, draft.fields, draft.original, draft.extractor)


def _row(line: int, given: Mapping[str, Any], columns: Columns, form: str) -> Row | BadRow:
    try:
        read = columns.read(given)
    except Invalid as problem:
        return BadRow(line, str(problem))
    return Row(line, read.kind, read.external_id, read.fields, dict(given), form)
