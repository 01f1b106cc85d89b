"""Reading the change feed: a page after a position, a snapshot to begin with, cursors that know their store."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from gleanery.errors import Gone, Invalid
from gleanery.publishing.changes.listing import KEPT, list_changes
from gleanery.sql import rows

FIRST_ID, LAST_ID = UUID(int=0), UUID(int=2**128 - 1)
NUMBER = re.compile(r"[0-9]{1,39}")
BEGIN_ANEW = "begin anew with /api/v1/changes/snapshot."
# Index: record_change_position_key.
AFTER = """
    SELECT position, change, listed_at, record_id, kind, fields, into_id FROM record_change
    WHERE position > %(after)s ORDER BY position LIMIT %(most)s
"""
# The oid of a table is another after a restore, when positions may be given a second time. The last position, and the
# one before the first that is still kept. Indexes: record_change_position_key, change_listed.
STANDS = """
    SELECT 'record_change'::regclass::oid::bigint, last, coalesce(
        (SELECT position - 1 FROM record_change WHERE listed_at >= now() - %(kept)s
         ORDER BY listed_at, position LIMIT 1), last)
    FROM (SELECT coalesce(max(position), 0) AS last FROM record_change) AS newest
"""
# Index: search_entry_pkey.
IDS = "SELECT record_id FROM search_entry WHERE record_id > %(after)s ORDER BY record_id LIMIT %(most)s"


class Change(NamedTuple):
    position: int
    change: str
    at: datetime
    record: UUID
    kind: str
    fields: list[str]
    into: UUID | None


class Stand(NamedTuple):
    """How far the feed goes: which store it is of, its last position, and the one to begin after."""

    store: int
    last: int
    first: int


class Page(NamedTuple):
    changes: list[Change]
    next_cursor: str
    has_more: bool


class Snapshot(NamedTuple):
    ids: list[UUID]
    next_cursor: str | None
    changes_cursor: str


def stand() -> Stand:
    list_changes()
    ((store, last, first),) = rows(STANDS, kept=KEPT)
    return Stand(store, last, first)


def page(cursor: str | None, limit: int) -> Page:
    """The changes after this cursor; without one, all that are still kept."""
    now = stand()
    after = _position(cursor, now) if cursor else now.first
    found = changes_after(after, limit + 1)
    changes = found[:limit]
    end = changes[-1].position if changes else after
    return Page(changes, _written(now.store, end), len(found) > limit)


def changes_after(position: int, most: int) -> list[Change]:
    """Return the listed changes after a position."""
    return [Change._make(row) for row in rows(AFTER, after=position, most=most)]


def snapshot(cursor: str | None, limit: int) -> Snapshot:
    """A page of what is public now. Whoever read them all goes on with the changes since the first page."""
    now = stand()
    position, last = _in_snapshot(cursor, now) if cursor else (now.last, FIRST_ID)
    found = [record for (record,) in rows(IDS, after=last, most=limit + 1)]
    ids = found[:limit]
    following = _written(now.store, position, ids[-1].int) if len(found) > limit else None
    return Snapshot(ids, following, _written(now.store, position))


def _position(cursor: str, now: Stand) -> int:
    store, position = _read(cursor, 2)
    return _checked(store, position, now)


def _in_snapshot(cursor: str, now: Stand) -> tuple[int, UUID]:
    store, position, last = _read(cursor, 3)
    if last > LAST_ID.int:
        raise _not_ours()
    return _checked(store, position, now), UUID(int=last)


def _checked(store: int, position: int, now: Stand) -> int:
    if store != now.store or position > now.last:
        raise Gone(f"The data was restored from a backup since this cursor was given: {BEGIN_ANEW}")
    if position < now.first:
        raise Gone(f"This cursor is older than the {KEPT.days} days for which changes are kept: {BEGIN_ANEW}")
    return position


def _written(*parts: int) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, parts)).encode()).rstrip(b"=").decode()


def _read(cursor: str, count: int) -> Sequence[int]:
    padded = cursor + "=" * (-len(cursor) % 4)
    try:
        parts = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split(".")
    except (ValueError, binascii.Error):
        raise _not_ours() from None
    if len(parts) != count or not all(map(NUMBER.fullmatch, parts)):
        raise _not_ours()
    return [int(part) for part in parts]


def _not_ours() -> Invalid:
    return Invalid("This cursor is not one of ours: begin again without it.")
