"""CSV: one record on each row, one column for each field; nothing in it is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from gleanery.publishing.exports.cells import SOURCES, cells, columns
from gleanery.publishing.exports.contents import Contents, Row
from gleanery.publishing.exports.format import Format


def write(contents: Contents, out: BinaryIO) -> None:
    kinds = contents.kinds(FORMAT.kinds)
    names = columns(kinds) + (list(SOURCES) if contents.with_sources else [])
    write_rows(names, (row for kind in kinds for row in contents.rows(kind)), out)


def write_rows(names: Sequence[str], found: Iterable[Row], out: BinaryIO) -> None:
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows(_cells(names, found))
    text.detach()


def _cells(names: Sequence[str], found: Iterable[Row]) -> Iterator[list[str]]:
    for row in found:
        yield cells(row.fields(), names)


FORMAT = Format(
    name="csv",
    label="CSV, for spreadsheets",
    ending="csv",
    media_type="text/csv; charset=utf-8",
    write=write,
    reads_back=True,
)
