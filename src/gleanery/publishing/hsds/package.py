"""HSDS as an export format: its tables as CSV files in a ZIP, with the description of a Data Package."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Any, BinaryIO, Final

from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.data_package import DESCRIPTION, entry
from gleanery.publishing.exports.format import Format
from gleanery.publishing.hsds.entities import Entity, organization, service
from gleanery.publishing.hsds.tables import TABLES, rows_of
from gleanery.resolution.importing.spreadsheets import guarded

VERSION: Final = "3.0.0"
IN_MEMORY: Final = 1024 * 1024  # bytes of a table; the rest of it is on disk until it is packed


def write(contents: Contents, out: BinaryIO) -> None:
    """One pass over the records fills all tables; a ZIP wants them one after the other."""
    with ExitStack() as stack:
        sheets = {table.name: stack.enter_context(Sheet(table.columns)) for table in TABLES}
        for name, row in _rows(contents):
            sheets[name].add(row)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for table in TABLES:
                sheets[table.name].pack(package, table.path)
            package.writestr(entry(DESCRIPTION), json.dumps(_described(contents), ensure_ascii=False, indent=2))


class Sheet:
    """One table while it is filled. What several entities have in common, such as a location, is in it once."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self._columns = columns
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed by __exit__
        self._text = io.TextIOWrapper(self._file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._text)
        self._writer.writerow(columns)
        self._known: set[str] = set()

    def __enter__(self) -> Sheet:
        return self

    def __exit__(self, *problem: object) -> None:
        self._text.close()

    def add(self, row: Entity) -> None:
        if row["id"] not in self._known:
            self._known.add(row["id"])
            self._writer.writerow([guarded(str(row.get(column, ""))) for column in self._columns])

    def pack(self, package: zipfile.ZipFile, path: str) -> None:
        self._text.flush()
        self._file.seek(0)
        with package.open(entry(path), "w", force_zip64=True) as file:
            shutil.copyfileobj(self._file, file)


def _rows(contents: Contents) -> Iterator[tuple[str, Entity]]:
    kinds = contents.kinds(FORMAT.kinds)
    if "organization" in kinds:
        for of in contents.published("organization"):
            yield from rows_of("organization", organization(of.record, contents.root))
    if "service" in kinds:
        for of in contents.published("service"):
            yield from rows_of("service", service(of, contents.root))


def _described(contents: Contents) -> dict[str, Any]:
    return {
        "name": "human_services_data",
        "profile": "tabular-data-package",
        "version": VERSION,
        "homepage": contents.root,
        "created": f"{contents.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "resources": [table.described() for table in TABLES],
    }


FORMAT = Format(
    name="hsds",
    label="HSDS 3, tables in a ZIP",
    ending="zip",
    media_type="application/zip",
    write=write,
    kinds=frozenset({"service", "organization"}),
    whole_name="hsds.zip",
)
