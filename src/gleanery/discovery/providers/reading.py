"""Makes hits of a list that a stranger sent: whatever stands in it, nothing here raises."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.provider import Query

LONGEST = 10_000  # letters of a field: far beyond what intake keeps, and a web address this long is refused there

TAG = re.compile(
    r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|</?([a-z][a-z0-9]*)\b[^<>]*(?:>|$)", re.IGNORECASE | re.DOTALL
)
INLINE = frozenset({"a", "b", "code", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u", "wbr"})


class Columns(NamedTuple):
    """What a vendor calls the parts of a hit."""

    url: str
    title: str
    description: str
    reads: Callable[[str], str] = str


def hits(entries: list[Any], columns: Columns, query: Query, most: int) -> tuple[Hit, ...]:
    """Positions count over all pages. An entry without an address stays, with an empty one: intake counts it invalid.

    What a vendor gives beyond the number asked for is left out: its positions belong to the next page.
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
    """Text as it came, NUL and all; a number as its digits; nothing for the rest."""
    if isinstance(value, str):
        return value[:LONGEST]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def without_html(text: str) -> str:
    """Words stay whole where a tag only marks them, and stay apart where it breaks the line."""
    plain = html.unescape(TAG.sub(lambda tag: "" if (tag[2] or "").lower() in INLINE else " ", text))
    return " ".join(plain.split())
