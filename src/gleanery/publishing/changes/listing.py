"""Gives committed changes their position in the feed: one lister at a time, so the order is one for all readers.

A change is written in the transaction of what changed, without a position. Whoever wants to read the feed lists first:
what is committed and has no position yet gets the next ones. A change that commits later gets a later position, however
early it was written, so a reader who goes on from a position misses nothing and reads nothing twice.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction

from gleanery.sql import execute, rows

TURN = "record changes are listed"
KEPT = timedelta(days=90)

# Index: record_change_position_key.
IS_WAITING = "SELECT EXISTS (SELECT FROM record_change WHERE position IS NULL)"
# Updates that follow another change of their record in the same transaction are one with it. Ids of one record are in
# the order of its changes, since whoever writes a record has locked it. Positions have no gaps.
# Indexes: record_change_position_key, change_latest.
LIST = """
    WITH fresh AS (
        SELECT id, record_id, fields,
               change = 'updated' AND lag(change) OVER of_record IN ('created', 'split', 'updated')
                   AND lag(transaction) OVER of_record = transaction AS follows
        FROM record_change WHERE position IS NULL
        WINDOW of_record AS (PARTITION BY record_id ORDER BY id)
    ), parted AS (
        SELECT *, count(*) FILTER (WHERE follows IS NOT TRUE) OVER (PARTITION BY record_id ORDER BY id) AS part
        FROM fresh
    ), whole AS (
        SELECT record_id, min(id) AS id, array_agg(DISTINCT field) FILTER (WHERE field IS NOT NULL) AS fields
        FROM parted LEFT JOIN LATERAL unnest(fields) AS field ON true
        GROUP BY record_id, part
    ), placed AS (
        SELECT id, fields, id = max(id) OVER (PARTITION BY record_id) AS is_latest,
               row_number() OVER (ORDER BY id)
                   + (SELECT coalesce(max(position), 0) FROM record_change) AS position
        FROM whole
    ), joined AS (
        DELETE FROM record_change USING parted WHERE record_change.id = parted.id AND follows
    ), followed AS (
        UPDATE record_change SET is_latest = false WHERE is_latest AND record_id IN (SELECT record_id FROM whole)
    )
    UPDATE record_change
    SET position = placed.position, is_latest = placed.is_latest, listed_at = statement_timestamp(),
        fields = CASE WHEN change = 'updated' THEN coalesce(placed.fields, '{}') ELSE '{}' END
    FROM placed WHERE record_change.id = placed.id
"""
# What is public now stays, for those who read all from the beginning, and the last position, after which others follow.
# Index: change_listed.
FORGET = """
    DELETE FROM record_change
    WHERE listed_at < now() - %(kept)s AND NOT (is_latest AND change IN ('created', 'updated', 'split'))
      AND position < (SELECT max(position) FROM record_change)
"""


def list_changes() -> None:
    """List what is committed by now. Without news it writes nothing and waits for nobody."""
    if not _one(IS_WAITING):
        return
    with transaction.atomic():
        execute("SELECT pg_advisory_xact_lock(hashtextextended(%(name)s, 0))", name=TURN)
        execute(LIST)


def forget() -> None:
    """Delete changes that nobody can ask for any more."""
    execute(FORGET, kept=KEPT)


def _one(statement: str) -> Any:
    ((value,),) = rows(statement)
    return value
