"""Pages of the Realtime Paged Data Exchange 1.0 of OpenActive: each record once, where its latest change stands."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from gleanery.publishing.api.documents import Document, documents
from gleanery.publishing.changes.listing import list_changes
from gleanery.publishing.changes.models import PRESENT
from gleanery.sql import rows

A_PAGE = 500
# Index: change_latest_of_kind.
LATEST = """
    SELECT position, change, record_id FROM record_change
    WHERE kind = %(kind)s AND is_latest AND position > %(after)s ORDER BY position LIMIT %(most)s
"""
Item = dict[str, Any]


def items(kind: str, after: int, root: str) -> list[Item]:
    """The latest states after this change number. A record that changes moves to the end."""
    list_changes()
    found = rows(LATEST, kind=kind, after=after, most=A_PAGE)
    there = documents([record for _, change, record in found if change in PRESENT], root)
    return [_item(kind, position, record, there.get(record)) for position, _, record in found]


def _item(kind: str, position: int, record: UUID, data: Document | None) -> Item:
    """Records that have just left have no data; their next change number says so again."""
    item = {"state": "updated" if data else "deleted", "kind": kind, "id": str(record), "modified": position}
    return {**item, "data": data} if data else item
