"""The statements of resolution, set-based: what a source said before, the records it concerns, what a batch leaves."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from gleanery.ids import hex7
from gleanery.resolution.projection import Edited, Span
from gleanery.resolution.rows import Row
from gleanery.resolution.told import Key, Known, Told

# What the source says now of these things. Index: observation_current_once.
LOOK = """
    SELECT kind, external_id, id::text, payload_hash, version, record::text, first_observed
    FROM observation JOIN unnest(%(kinds)s::text[], %(keys)s::text[]) AS wanted (kind, external_id)
              USING (kind, external_id)
    WHERE source_id = %(source)s AND superseded_at IS NULL
"""
# Only the time changes, and no index has it: the row is written again where it stands.
SEEN_AGAIN = """
    UPDATE observation SET last_seen = %(now)s, not_seen_since = NULL WHERE id = ANY(%(ids)s::uuid[])
"""
NOT_SEEN = """
    UPDATE observation SET not_seen_since = coalesce(not_seen_since, %(now)s)
    FROM unnest(%(kinds)s::text[], %(keys)s::text[]) AS wanted (kind, external_id)
    WHERE observation.kind = wanted.kind AND observation.external_id = wanted.external_id
      AND source_id = %(source)s AND superseded_at IS NULL
"""
# The old versions make room first: of each thing one version is current.
SUPERSEDE = """
    UPDATE observation SET superseded_at = %(now)s WHERE id = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
"""
STORE = """
    INSERT INTO observation (id, source_id, kind, external_id, original, payload, payload_hash, evidence, extractor,
                             extractor_version, version, first_seen, last_seen, first_observed, record, resolved_at)
    SELECT id, %(source)s, kind, external_id, original, payload, decode(payload_hash, 'hex'), evidence, extractor,
           1, version, %(now)s, %(now)s, first, record, %(now)s
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, kind text, external_id text, original jsonb, payload jsonb, payload_hash text,
                evidence jsonb, extractor text, version int, first timestamptz, record uuid)
"""
# All versions of what a source says of one thing have the same record. Index: observation_version.
ATTACH = """
    UPDATE observation SET record = given.record, resolved_at = coalesce(resolved_at, %(now)s)
    FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(records)s::uuid[]) AS given (kind, external_id, record)
    WHERE source_id = %(source)s AND observation.kind = given.kind AND observation.external_id = given.external_id
"""
_RECORD = """
    SELECT id::text, kind, status, name, fields, provenance, identity_hash, place_id::text, organization_id::text,
           start_date, deadline, published_at IS NOT NULL, updated_at, merged_into_id::text
    FROM record
"""
# By their ids and by their identities, whatever became of them. Indexes: record_pkey, record_identity.
RECORDS = (
    f"{_RECORD} WHERE id = ANY(%(ids)s::uuid[]) UNION ALL {_RECORD} WHERE identity_hash = ANY(%(hashes)s::bytea[])"
)
# Each record that was merged away and the one that it ended in. Index: record_pkey.
SURVIVORS = """
    WITH RECURSIVE way AS (
        SELECT id AS origin, id, merged_into_id, 0 AS steps FROM record WHERE id = ANY(%(ids)s::uuid[])
        UNION ALL
        SELECT origin, record.id, record.merged_into_id, steps + 1
        FROM way JOIN record ON record.id = way.merged_into_id WHERE steps < 1000
    )
    SELECT origin::text, id::text FROM way WHERE merged_into_id IS NULL
"""
# Whoever updates records locks them by id.
LOCK = "SELECT FROM record WHERE id = ANY(%(ids)s::uuid[]) ORDER BY id FOR NO KEY UPDATE"
# All that is said now about these records, with the trust that its source has now. Index: observation_of_record.
OBSERVATIONS = """
    SELECT record::text, observation.id::text, source_id::text, trust, first_observed, observation.kind, external_id,
           payload, extractor
    FROM observation JOIN source ON source.id = source_id
    WHERE record = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
"""
# Index: observation_current_once.
REFERENCES = """
    SELECT source_id::text, kind, external_id, record::text
    FROM observation JOIN unnest(%(sources)s::uuid[], %(kinds)s::text[], %(keys)s::text[])
              AS wanted (source_id, kind, external_id) USING (source_id, kind, external_id)
    WHERE superseded_at IS NULL AND record IS NOT NULL
"""
# Index: edit_current.
EDITS = """
    SELECT record_id::text, id::text, field, value, at FROM edit
    WHERE record_id = ANY(%(ids)s::uuid[]) AND withdrawn_at IS NULL
"""
# Index: occurrence_once.
OCCURRENCES = """
    SELECT record_id::text, start, "end", start_date FROM occurrence WHERE record_id = ANY(%(ids)s::uuid[])
    ORDER BY record_id, start
"""
INSERT = """
    INSERT INTO record (id, kind, status, name, fields, provenance, identity_hash, place_id, organization_id,
                        start_date, deadline, published_at, created_at, updated_at)
    SELECT id, kind, status, name, fields, provenance, decode(identity, 'hex'), place, organization, start_date,
           deadline, CASE status WHEN 'published' THEN %(now)s::timestamptz END, %(now)s, %(now)s
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, kind text, status text, name text, fields jsonb, provenance jsonb, identity text, place uuid,
                organization uuid, start_date date, deadline date)
"""
UPDATE = """
    UPDATE record
    SET name = row.name, fields = row.fields, provenance = row.provenance, identity_hash = decode(row.identity, 'hex'),
        place_id = row.place, organization_id = row.organization, start_date = row.start_date,
        deadline = row.deadline, version = version + 1, updated_at = %(now)s
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, name text, fields jsonb, provenance jsonb, identity text, place uuid, organization uuid,
                start_date date, deadline date)
    WHERE record.id = row.id
"""
CLEAR_OCCURRENCES = "DELETE FROM occurrence WHERE record_id = ANY(%(ids)s::uuid[])"
INSERT_OCCURRENCES = """
    INSERT INTO occurrence (id, record_id, start, "end", start_date)
    SELECT id, record, start, "end", start_date
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, record uuid, start timestamptz, "end" timestamptz, start_date date)
"""


class Said(NamedTuple):
    """One current observation of a record."""

    record: str
    id: str
    source: str
    trust: int
    first: datetime
    kind: str
    external_id: str
    payload: dict[str, Any]
    extractor: str


def moment() -> datetime:
    """The time of a batch; within one transaction later batches are later."""
    ((now,),) = _rows("SELECT statement_timestamp()")
    return now  # type: ignore[no-any-return]


def look(source: str, keys: Collection[Key]) -> dict[Key, Known]:
    if not keys:
        return {}
    found = _rows(LOOK, source=source, kinds=[kind for kind, _ in keys], keys=[key for _, key in keys])
    return {(row[0], row[1]): Known(row[2], bytes(row[3]), *row[4:]) for row in found}


def seen_again(ids: Collection[str], now: datetime) -> None:
    if ids:
        _execute(SEEN_AGAIN, ids=sorted(ids), now=now)


def not_seen(source: str, keys: Collection[Key], now: datetime) -> None:
    if keys:
        _execute(NOT_SEEN, source=source, kinds=[kind for kind, _ in keys], keys=[key for _, key in keys], now=now)


def payloads(ids: Collection[str]) -> dict[str, dict[str, Any]]:
    if not ids:
        return {}
    found = _rows("SELECT id::text, payload FROM observation WHERE id = ANY(%(ids)s::uuid[])", ids=list(ids))
    return {row_id: loaded(payload) for row_id, payload in found}


def store(source: str, told: Sequence[Told], now: datetime) -> None:
    """New versions are written with their record; those that are stored already are given theirs."""
    fresh = sorted((each for each in told if not each.stored), key=lambda each: each.key)
    if superseded := sorted(each.supersedes for each in fresh if each.supersedes):
        _execute(SUPERSEDE, ids=superseded, now=now)
    if fresh:
        _execute(STORE, source=source, rows=_dumped([_observation(each) for each in fresh]), now=now)
    if stored := sorted((each for each in told if each.stored), key=lambda each: each.key):
        kinds, keys, records = zip(*((*each.key, each.record) for each in stored), strict=True)
        _execute(ATTACH, source=source, kinds=list(kinds), keys=list(keys), records=list(records), now=now)


def _observation(told: Told) -> dict[str, Any]:
    return {
        "id": told.id,
        "kind": told.kind,
        "external_id": told.external_id,
        "original": told.original,
        "payload": told.payload,
        "payload_hash": told.digest.hex(),
        "evidence": told.evidence,
        "extractor": told.extractor,
        "version": told.version,
        "first": told.first,
        "record": told.record,
    }


def records(ids: Collection[str] = (), hashes: Collection[bytes] = ()) -> dict[str, Row]:
    if not ids and not hashes:
        return {}
    found = _rows(RECORDS, ids=list(ids), hashes=list(hashes))
    return {row[0]: _row(row) for row in found}


def _row(row: tuple[Any, ...]) -> Row:
    row_id, kind, status, name, fields, provenance, identity, place, organization, start, deadline, *rest = row
    return Row(
        row_id,
        kind,
        status=status,
        name=name,
        fields=(told := loaded(fields)),
        provenance=loaded(provenance),
        identity=bytes(identity) if identity is not None else None,
        place=place,
        organization=organization,
        start_date=start,
        deadline=deadline,
        was_published=rest[0],
        updated_at=rest[1],
        merged_into=rest[2],
        facts=dict(told),
    )


def survivors(ids: Collection[str]) -> dict[str, str]:
    return dict(_rows(SURVIVORS, ids=list(ids))) if ids else {}


def lock(ids: Collection[str]) -> None:
    if ids:
        _execute(LOCK, ids=sorted(ids))


def observations(ids: Collection[str]) -> list[Said]:
    if not ids:
        return []
    return [Said._make((*row[:7], loaded(row[7]), row[8])) for row in _rows(OBSERVATIONS, ids=list(ids))]


def references(wanted: Collection[tuple[str, str, str]]) -> dict[tuple[str, str, str], str]:
    """Of what sources name, by source, kind and external id: the records."""
    if not wanted:
        return {}
    sources, kinds, keys = zip(*wanted, strict=True)
    found = _rows(REFERENCES, sources=list(sources), kinds=list(kinds), keys=list(keys))
    return {(source, kind, key): record for source, kind, key, record in found}


def edits(ids: Collection[str]) -> dict[str, list[Edited]]:
    found: dict[str, list[Edited]] = {}
    for record, edit, name, value, at in _rows(EDITS, ids=list(ids)) if ids else ():
        found.setdefault(record, []).append(Edited(edit, name, loaded(value), at))
    return found


def occurrences(ids: Collection[str]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for record, *span in _rows(OCCURRENCES, ids=list(ids)) if ids else ():
        found.setdefault(record, []).append(Span(*span))
    return found


def save(rows: Iterable[Row], now: datetime) -> None:
    """The changed ones: each is written once."""
    changed = sorted((row for row in rows if row.changed), key=lambda row: row.id)
    new, known = [row for row in changed if row.is_new], [row for row in changed if not row.is_new]
    if new:
        _execute(INSERT, rows=_dumped([_record(row) for row in new]), now=now)
    if known:
        _execute(UPDATE, rows=_dumped([_record(row) for row in known]), now=now)
    moved = [row for row in changed if row.spans is not None and row.spans != row.spans_before]
    if stale := [row.id for row in moved if row.spans_before]:
        _execute(CLEAR_OCCURRENCES, ids=stale)
    if spans := [_occurrence(row, span) for row in moved for span in row.spans or ()]:
        _execute(INSERT_OCCURRENCES, rows=_dumped(spans))


def _record(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "status": row.status,
        "name": row.name,
        "fields": row.fields,
        "provenance": row.provenance,
        "identity": row.identity.hex() if row.identity else None,
        "place": row.place,
        "organization": row.organization,
        "start_date": row.start_date,
        "deadline": row.deadline,
    }


def _occurrence(row: Row, span: Span) -> dict[str, Any]:
    return {"id": hex7(), "record": row.id, "start": span.start, "end": span.end, "start_date": span.day}


def _dumped(rows: Any) -> str:
    return json.dumps(rows, ensure_ascii=False, default=str)


def loaded(value: Any) -> Any:
    """jsonb comes as text on a bare cursor."""
    return json.loads(value) if isinstance(value, str) else value


def _rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _execute(statement: str, **values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
