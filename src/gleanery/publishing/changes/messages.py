"""A change as programs read it: in the feed and in webhooks. Pure."""

from __future__ import annotations

from typing import Any

from gleanery.publishing.api.documents import Document, address_of
from gleanery.publishing.changes.feed import Change


def message(change: Change, root: str, data: Document | None) -> dict[str, Any]:
    return {
        "number": change.position,
        "change": change.change,
        "at": change.at,
        "record": change.record,
        "kind": change.kind,
        "fields": change.fields,
        "into": change.into,
        "link": address_of(change.record, root),
        "data": data,
    }
