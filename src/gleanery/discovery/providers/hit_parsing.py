"""Converts a provider's list of results to hits; never raises, whatever the list contains."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.provider import Query

LONGEST = 10_000  # characters of a field, far more than is stored

TAG = re.compile(
    r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|</?([a-z][a-z0-9]*)\b[^<>]*(?:>|$)", re.IGNORECASE | re.DOTALL
)
INLINE = frozenset({"a", "b", "code", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u", "wbr"})


class Columns(NamedTuple):
    """A vendor's names for the fields of a hit."""

    url: str
    title: str
    description: str
    reads: Callable[[str], str] = str


def hits(entries: list[Any], columns: Columns, query: Query, most: int) -> tuple[Hit, ...]:
    """Return the hits; positions count over all pages. Entries without an address stay and are stored as invalid.

    Entries beyond the requested number are left out, since their positions belong to the next page.
    """
    first = (query.page - 1) * most + 1
    return tuple(hit(entry, columns, query, position) for position, entry in enumerate(entries[:most], first))


def hit(entry: Any, columns: Columns, query: Query, position: int) -> Hit:
    fields = entry if isinstance(entry, dict) else {}
    return Hit(
        query=query.text,
        url=text_of(fields.get(columns.url)),
        title=text_of(fields.get(columns.title)),
        description=columns.reads(text_of(fields.get(columns.description))),
        position=position,
    )


def text_of(value: Any) -> str:
    """Return text unchanged, a number as digits, "" for anything else."""
    if isinstance(value, str):
        return value[:LONGEST]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def without_html(text: str) -> str:
    """Remove HTML: inline tags join, block tags separate words."""
    plain = html.unescape(TAG.sub(lambda tag: "" if (tag[2] or "").lower() in INLINE else " ", text))
    return " ".join(plain.split())
