"""Chains: all versions of one thing from one source. Merging moves chains to the survivor, unmerging back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection

from gleanery.sql import rows

Chain = tuple[str, str]  # source and external id; the kind is that of the record

# Index: observation_of_record.
CHAINS = "SELECT source_id::text, external_id FROM observation WHERE record = %(record)s AND superseded_at IS NULL"
# All versions of chains that still belong to the origin. Index: observation_version.
MOVE = """
    UPDATE observation SET record = %(to)s
    FROM unnest(%(sources)s::uuid[], %(keys)s::text[]) AS given (source_id, external_id)
    WHERE observation.source_id = given.source_id AND observation.kind = %(kind)s
      AND observation.external_id = given.external_id AND record = %(origin)s
"""
# Chains that joined the record after this time, by their first versions. Indexes: observation_of_record,
# observation_version.
LATER = """
    SELECT now.source_id::text, now.external_id
    FROM observation AS now JOIN observation AS first
         ON first.source_id = now.source_id AND first.kind = now.kind AND first.external_id = now.external_id
            AND first.version = 1
    WHERE now.record = %(record)s AND now.superseded_at IS NULL AND first.resolved_at > %(after)s
"""


def of(record: str) -> set[Chain]:
    return {(source, key) for source, key in rows(CHAINS, record=record)}


def joined_after(record: str, after: datetime) -> set[Chain]:
    return {(source, key) for source, key in rows(LATER, record=record, after=after)}


def move(chains: Collection[Chain], kind: str, origin: str, to: str) -> None:
    if not chains:
        return
    sources, keys = zip(*sorted(chains), strict=True)
    values: dict[str, Any] = {"sources": list(sources), "keys": list(keys), "kind": kind, "origin": origin, "to": to}
    with connection.cursor() as cursor:
        cursor.execute(MOVE, values)
