"""Row-by-row intake as in the earlier design: look up external id, hash and source, insert or merge, and commit."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction

from gleanery.extraction.payload import payload_hash
from gleanery.extraction.values import clock
from gleanery.ids import uuid7
from gleanery.resolution.intake.observation_draft import Given, Observation, Version, named_by, read, version_after
from gleanery.resolution.records.identity import identity
from gleanery.resolution.records.projection import occurrences

FIND_KNOWN = """
    SELECT id, payload_hash, version, record FROM observation
    WHERE source_id = %s AND kind = %s AND external_id = %s AND superseded_at IS NULL
"""
INSERT_OBSERVATION = """
    INSERT INTO observation (id, source_id, kind, external_id, original, payload, payload_hash, evidence, extractor,
                             extractor_version, version, record, resolved_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, '{}', 'import', 1, %s, %s, now())
"""
INSERT_RECORD = """
    INSERT INTO record (id, kind, status, name, fields, provenance, identity_hash, place_id, organization_id,
                        start_date, deadline, published_at)
    VALUES (%s, %s, 'published', %s, %s, %s, %s, %s, %s, %s, %s, now())
"""
MERGE = "UPDATE record SET fields = %s, provenance = %s, version = version + 1, updated_at = now() WHERE id = %s"


def take_one(source_name: str, given: Given) -> str:
    version = _version(read(given, str(uuid7())))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT id, trust FROM source WHERE name = %s", [source_name])
        source, trust = cursor.fetchone()
        cursor.execute(FIND_KNOWN, [source, *version.key])
        known = cursor.fetchone()
        return _again(cursor, (source, trust), version, known) if known else _first(cursor, (source, trust), version)


def _version(observation: Observation) -> Version:
    return version_after(None, observation, datetime.now(UTC))


def _again(cursor: Any, by: tuple[Any, int], version: Version, known: tuple[Any, ...]) -> str:
    row_id, digest, number, record = known
    if bytes(digest) == version.observation.digest:
        cursor.execute("UPDATE observation SET last_seen = now() WHERE id = %s", [row_id])
        return "unchanged"
    version = _name(cursor, by, version)
    cursor.execute("UPDATE observation SET superseded_at = now() WHERE id = %s", [row_id])
    _observe(cursor, by, version, record, number + 1)
    _merge(cursor, by, version, record, own=str(row_id))
    return "updated"


def _first(cursor: Any, by: tuple[Any, int], version: Version) -> str:
    return _upsert(cursor, by, _name(cursor, by, version))[1]


def _name(cursor: Any, by: tuple[Any, int], version: Version) -> Version:
    """The places and organisations that it names come first."""
    refers = {}
    for named, (kind, key), fields in named_by(*version.key, version.payload):
        digest = payload_hash(kind, fields)
        child = _version(
            Observation(kind=kind, external_id=key, payload=fields, digest=digest, id=str(uuid7()), original=None)
        )
        cursor.execute(FIND_KNOWN, [by[0], kind, key])
        if known := cursor.fetchone():
            _again(cursor, by, child, known)
        refers[named.reference] = str(known[3]) if known else _upsert(cursor, by, child)[0]
    return replace(version, place=refers.get("place"), organization=refers.get("organization"))


def _upsert(cursor: Any, by: tuple[Any, int], version: Version) -> tuple[str, str]:
    hashed = identity(version.kind, version.subject)
    cursor.execute("SELECT id FROM record WHERE identity_hash = %s AND status <> 'deleted' LIMIT 1", [hashed])
    if found := cursor.fetchone():
        _observe(cursor, by, version, found[0])
        _merge(cursor, by, version, found[0])
        return str(found[0]), "merged"
    record = str(uuid7())
    _insert(cursor, by, version, record, hashed)
    _observe(cursor, by, version, record)
    return record, "created"


def _observe(cursor: Any, by: tuple[Any, int], version: Version, record: str, number: int = 1) -> None:
    payload = json.dumps(version.payload, ensure_ascii=False)
    original = json.dumps(version.observation.original, ensure_ascii=False)
    values = [version.id, by[0], *version.key, original, payload, version.observation.digest, number, record]
    cursor.execute(INSERT_OBSERVATION, values)


def _insert(cursor: Any, by: tuple[Any, int], version: Version, record: str, hashed: bytes | None) -> None:
    fields, country = version.payload, str(version.payload.get("country", ""))
    provenance = {name: {"id": version.id, "source": str(by[0]), "trust": by[1]} for name in fields}
    days = [clock.day_of(fields.get(name), country) for name in ("start", "deadline")]
    texts = [json.dumps(fields, ensure_ascii=False), json.dumps(provenance)]
    links = [version.place, version.organization]
    cursor.execute(INSERT_RECORD, [record, version.kind, fields["name"], *texts, hashed, *links, *days])
    for span in occurrences([fields], country) if version.kind == "event" else ():
        cursor.execute(
            'INSERT INTO occurrence (id, record_id, start, "end", start_date) VALUES (%s, %s, %s, %s, %s)',
            [uuid7(), record, *span],
        )


def _merge(cursor: Any, by: tuple[Any, int], version: Version, record: str, own: str = "") -> None:
    """Gaps are filled, values of lower trust and of its own earlier version overwritten."""
    cursor.execute("SELECT fields, provenance FROM record WHERE id = %s FOR UPDATE", [record])
    fields, provenance = (json.loads(each) if isinstance(each, str) else each for each in cursor.fetchone())
    changed = False
    for name, value in version.payload.items():
        there = provenance.get(name)
        if name not in fields or there is None or there["trust"] < by[1] or there["id"] == own:
            fields[name], provenance[name] = value, {"id": version.id, "source": str(by[0]), "trust": by[1]}
            changed = True
    if changed:
        cursor.execute(MERGE, [json.dumps(fields, ensure_ascii=False), json.dumps(provenance), record])
