"""The small index by which the script of a static copy searches."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from anyascii import anyascii

from gleanery.publishing.showing.cards import card
from gleanery.publishing.showing.reading import Related

CYRILLIC: Final = range(0x400, 0x460)
SEARCHED: Final = ("name", "venue_name", "locality", "organizer_name", "funder_name", "provider_name", "keywords")
LONGEST: Final = 300


def entry(of: Related, today: date) -> dict[str, Any]:
    """One record as a line of hits shows it, and the words by which it is found."""
    shown = card(of, today)
    found = {
        "name": of.name,
        "path": shown.path.lstrip("/"),
        "kind": of.kind,
        "word": str(shown.kind_word),
        "when": shown.when or shown.closes,
        "where": shown.where,
        "place": folded(str(of.fields.get("locality") or "")),
        "free": shown.is_free,
        "online": "virtual_url" in of.fields,
        "words": folded(" ".join(_texts(of.fields)))[:LONGEST],
    }
    return {name: value for name, value in found.items() if value}


def document(entries: Iterable[dict[str, Any]]) -> bytes:
    """The letters lead from Cyrillic to Latin, so that what is typed is folded as the entries are."""
    letters = {chr(code): folded(chr(code)) for code in CYRILLIC}
    return json.dumps({"letters": letters, "entries": list(entries)}, ensure_ascii=False).encode()


def folded(text: str) -> str:
    return anyascii(text).lower()


def _texts(fields: dict[str, Any]) -> Iterable[str]:
    for name in SEARCHED:
        value = fields.get(name)
        yield from (str(each) for each in (value if isinstance(value, list) else [value]) if each)
