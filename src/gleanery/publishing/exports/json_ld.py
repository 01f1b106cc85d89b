"""JSON-LD: one document of schema.org things, each as its page has it."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.format import Format
from gleanery.publishing.showing.structured import structured

CONTEXT = "@context"


def write(contents: Contents, out: BinaryIO) -> None:
    out.write(f'{{"{CONTEXT}": "https://schema.org", "@graph": ['.encode())
    between = b"\n"
    for kind in contents.kinds(FORMAT.kinds):
        for of in contents.published(kind):
            out.write(between + _text(structured(of, contents.root)))
            between = b",\n"
    out.write(b"\n]}\n")


def _text(thing: dict[str, Any]) -> bytes:
    """The context stands once, for all."""
    return json.dumps({name: value for name, value in thing.items() if name != CONTEXT}, ensure_ascii=False).encode()


FORMAT = Format(
    name="jsonld",
    label="JSON-LD, things of schema.org",
    ending="jsonld",
    media_type="application/ld+json",
    write=write,
)
