"""The sources of exported records: their names, the pages that say so, and when they last did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gleanery.publishing.exports import statements
from gleanery.publishing.showing.addresses import safe_link
from gleanery.sql import array, rows


class Provenance:
    def __init__(self, said: dict[str, dict[tuple[str, str], datetime]]) -> None:
        self._said = said

    @classmethod
    def of(cls, ids: Sequence[str]) -> Provenance:
        said: dict[str, dict[tuple[str, str], datetime]] = {}
        for record, _, name, page, url, seen, *_ in rows(statements.SAID, ids=array(ids)):
            found = said.setdefault(record, {})
            key = name, safe_link(page) or safe_link(url)
            found[key] = max(seen, found.get(key, seen))
        return cls(said)

    def added(self, record: str, text: str) -> str:
        """Return the JSON object with `sources` and `last_confirmed` at its end."""
        return f"{text[:-1]}, {json.dumps(self.facts(record), ensure_ascii=False)[1:]}"

    def facts(self, record: str) -> dict[str, Any]:
        said = self._said.get(record, {})
        sources = [
            {"name": name, **({"url": url} if url else {}), "last_seen": f"{seen.date()}"}
            for (name, url), seen in said.items()
        ]
        return {"sources": sources, "last_confirmed": f"{max(said.values()).date()}" if said else None}
