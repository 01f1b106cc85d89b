"""JSON Lines: one record on each line, by the names of its own fields."""

from __future__ import annotations

from itertools import islice
from typing import BinaryIO

from gleanery.publishing.exports.contents import A_BATCH, Contents
from gleanery.publishing.exports.format import Format


def write(contents: Contents, out: BinaryIO) -> None:
    for kind in contents.kinds(FORMAT.kinds):
        texts = (row.text for row in contents.rows(kind))
        while batch := list(islice(texts, A_BATCH)):
            out.write(("\n".join(batch) + "\n").encode())


FORMAT = Format(
    name="jsonl",
    label="JSON Lines",
    ending="jsonl",
    media_type="application/x-ndjson",
    write=write,
    reads_back=True,
)
