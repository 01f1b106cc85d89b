"""CommonGrants as an export format: one JSON document with all opportunities."""

from __future__ import annotations

import json
from typing import BinaryIO

from gleanery.publishing.commongrants.opportunity import opportunity
from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.format import Format


def write(contents: Contents, out: BinaryIO) -> None:
    out.write(b'{"items": [')
    between = b"\n"
    for kind in contents.kinds(FORMAT.kinds):
        for of in contents.published(kind):
            text = json.dumps(opportunity(of, contents.root, contents.today), ensure_ascii=False)
            out.write(between + text.encode())
            between = b",\n"
    out.write(b"\n]}\n")


FORMAT = Format(
    name="commongrants",
    label="CommonGrants opportunities",
    ending="json",
    media_type="application/json",
    write=write,
    kinds=frozenset({"funding"}),
    whole_name="commongrants.json",
)
