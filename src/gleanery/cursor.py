"""Pagination with opaque cursors, in the order of ids."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from gleanery.errors import Invalid

Row = TypeVar("Row", bound=Model)
MOST = 200


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    items: list[Row]
    next_cursor: str | None


def newest_first(rows: QuerySet[Row], cursor: str | None, limit: int) -> Page[Row]:
    """Return a page of rows, newest first; the cursor is the last id, so new rows never shift a page."""
    if cursor:
        rows = rows.filter(pk__lt=_read(cursor))
    return _page(rows.order_by("-pk"), limit)


def oldest_first(rows: QuerySet[Row], cursor: str | None, limit: int) -> Page[Row]:
    if cursor:
        rows = rows.filter(pk__gt=_read(cursor))
    return _page(rows.order_by("pk"), limit)


def _page(rows: QuerySet[Row], limit: int) -> Page[Row]:
    items = list(rows[: limit + 1])
    more = len(items) > limit
    items = items[:limit]
    return Page(items, _write(items[-1].pk) if more else None)


def _write(row_id: UUID) -> str:
    return base64.urlsafe_b64encode(row_id.bytes).rstrip(b"=").decode()


def _read(cursor: str) -> UUID:
    try:
        return UUID(bytes=base64.urlsafe_b64decode(cursor.encode("ascii") + b"=="))
    except (ValueError, binascii.Error):
        raise Invalid("This cursor is not valid. Start again without one.") from None
