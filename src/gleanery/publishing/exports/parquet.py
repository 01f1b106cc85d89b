"""Parquet: a column for each field, for programs that analyse; needs the extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from gleanery.errors import Invalid
from gleanery.kinds import FLAG, KINDS, LATITUDE, LONGITUDE, NUMBER, SPANS, TEXTS
from gleanery.publishing.exports.cells import SOURCES, columns
from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.format import Format

A_GROUP = 10_000  # rows that are kept in memory until they are written together
MISSING = (
    "Parquet files need the extra `parquet`, which is not installed: nothing was written. "
    "Install gleanery[parquet], or choose --format jsonl."
)


def write(contents: Contents, out: BinaryIO) -> None:
    try:
        import pyarrow as arrow  # noqa: PLC0415  # an extra that most do without
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise Invalid(MISSING) from None
    kinds = contents.kinds(FORMAT.kinds)
    schema = _schema(arrow, kinds, with_sources=contents.with_sources)
    found = _fields(contents, kinds)
    with parquet.ParquetWriter(out, schema) as writer:
        while group := list(islice(found, A_GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema))


def _fields(contents: Contents, kinds: Sequence[str]) -> Iterator[dict[str, Any]]:
    for kind in kinds:
        for row in contents.rows(kind):
            yield row.fields()


def _schema(arrow: Any, kinds: Sequence[str], *, with_sources: bool) -> Any:
    span = arrow.struct([("start", arrow.string()), ("end", arrow.string())])
    source = arrow.struct([("name", arrow.string()), ("url", arrow.string()), ("last_seen", arrow.string())])
    types = {
        NUMBER: arrow.float64(),
        LATITUDE: arrow.float64(),
        LONGITUDE: arrow.float64(),
        FLAG: arrow.bool_(),
        TEXTS: arrow.list_(arrow.string()),
        SPANS: arrow.list_(span),
    }
    known = {name: type_name for kind in kinds for name, type_name in KINDS[kind].fields.items()}
    fields = [(name, types.get(known.get(name, ""), arrow.string())) for name in columns(kinds)]
    if with_sources:
        fields += zip(SOURCES, (arrow.list_(source), arrow.string()), strict=True)
    return arrow.schema(fields)


FORMAT = Format(
    name="parquet",
    label="Parquet, for analysis",
    ending="parquet",
    media_type="application/vnd.apache.parquet",
    write=write,
    extra="parquet",
)
