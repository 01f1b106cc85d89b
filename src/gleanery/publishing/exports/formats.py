"""All export formats; a format is one module and one line here."""

from __future__ import annotations

from typing import Final

from gleanery.errors import Invalid
from gleanery.publishing.commongrants import document as commongrants
from gleanery.publishing.exports import csv_table, data_package, icalendar_file, json_ld, json_lines, parquet
from gleanery.publishing.exports.format import Format
from gleanery.publishing.hsds import package as hsds

FORMATS: Final[tuple[Format, ...]] = (
    json_lines.FORMAT,
    csv_table.FORMAT,
    data_package.FORMAT,
    icalendar_file.FORMAT,
    json_ld.FORMAT,
    parquet.FORMAT,
    hsds.FORMAT,
    commongrants.FORMAT,
)
NAMES: Final = tuple(each.name for each in FORMATS)
IN_A_ZIP: Final = {"csv": "datapackage"}


def format_for(name: str, file: str) -> Format:
    """The format of this name, else the one that the name of the file ends in. CSV in a ZIP is a data package."""
    ending = file.rpartition(".")[2].lower()
    if ending == "zip":
        name = IN_A_ZIP.get(name or "csv", name)
    found = next((each for each in FORMATS if (each.name == name if name else each.ending == ending)), None)
    if found is None:
        problem = f"{name!r} is no export format" if name else f"The name {file!r} does not say in which format"
        raise Invalid(f"{problem}: nothing was written. Give --format with one of {', '.join(NAMES)}.")
    return found
