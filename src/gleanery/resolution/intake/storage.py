"""Reads and writes observations, records, edits and occurrences, a whole batch at a time."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.resolution.intake import copy_rows
from gleanery.resolution.intake.observation_draft import Assigned, Key, Known, Version
from gleanery.resolution.intake.record_draft import RULES, RecordDraft
from gleanery.resolution.intake.statements import (
    ABSORBED,
    ATTACH,
    CLEAR_OCCURRENCES,
    CURRENT_VERSIONS,
    DELETE_IDENTITIES,
    EDITS,
    INSERT_IDENTITIES,
    LOCK,
    MARK_NOT_SEEN,
    MARK_SEEN,
    OBSERVATIONS,
    OCCURRENCES,
    PREVIOUS_VERSIONS,
    RECORDS,
    REFERENCES,
    SUPERSEDE,
    SURVIVORS,
    UNUSED,
    UPDATE,
)
from gleanery.resolution.records.identity import LookupIdentity
from gleanery.resolution.records.projection import Edited, Span
from gleanery.sql import array, copy, execute, execute_with_many, rows, rows_of_many


class ObservationRow(NamedTuple):
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
    asks: tuple[str, ...]


def batch_time() -> datetime:
    """Return the time of a batch; within one transaction later batches get later times."""
    ((now,),) = rows("SELECT statement_timestamp()")
    return now  # type: ignore[no-any-return]


def current_versions(source: str, keys: Collection[Key]) -> dict[Key, Known]:
    """Return the current version of each of these things, as far as the source has one."""
    if not keys:
        return {}
    found = rows_of_many(
        CURRENT_VERSIONS, source=source, kinds=_texts(kind for kind, _ in keys), keys=_texts(key for _, key in keys)
    )
    return {(row[0], row[1]): Known(row[2], bytes(row[3]), *row[4:]) for row in found}


def mark_seen(ids: Collection[str], now: datetime) -> None:
    if ids:
        execute_with_many(MARK_SEEN, ids=array(sorted(ids)), now=now)


def mark_not_seen(source: str, keys: Collection[Key], now: datetime) -> None:
    if keys:
        execute(
            MARK_NOT_SEEN,
            source=source,
            kinds=_texts(kind for kind, _ in keys),
            keys=_texts(key for _, key in keys),
            now=now,
        )


def previous_payloads(source: str, versions: Collection[Version]) -> dict[str, dict[str, Any]]:
    """Return the payload of the previous version, by the id of the new one, where there is one."""
    wanted = [
        {"id": each.id, "kind": each.kind, "external_id": each.key[1], "version": each.number - 1}
        for each in versions
        if each.number > 1
    ]
    found = rows_of_many(PREVIOUS_VERSIONS, source=source, rows=_dumped(wanted)) if wanted else ()
    return {row_id: loaded(payload) for row_id, payload in found}


def store(source: str, assigned: Sequence[Assigned], now: datetime) -> None:
    """Write new versions with their records, and set the record of versions that are stored already."""
    in_order = sorted(assigned, key=lambda each: each.version.key)
    fresh = [each for each in in_order if not each.version.is_stored]
    if superseded := sorted(each.version.supersedes for each in fresh if each.version.supersedes):
        execute_with_many(SUPERSEDE, ids=array(superseded), now=now)
    if fresh:
        copy("observation", copy_rows.OBSERVATION, [copy_rows.observation(each, source, now) for each in fresh])
    if stored := [each for each in in_order if each.version.is_stored]:
        kinds, keys, records = zip(*((*each.version.key, each.record) for each in stored), strict=True)
        execute(ATTACH, source=source, kinds=_texts(kinds), keys=_texts(keys), records=array(records), now=now)


def records(
    ids: Collection[str] = (), hashes: Collection[bytes] = (), ties: Collection[bytes] = ()
) -> dict[str, RecordDraft]:
    """Return records by id or identity. `ties` are never a record's own identity, so only the others are searched."""
    if not ids and not hashes and not ties:
        return {}
    answers = _hashes({*hashes, *ties})
    found = rows_of_many(RECORDS, ids=array(ids), hashes=_hashes(hashes), answers=answers)
    return {row[0]: _row(row) for row in found}


def _row(row: tuple[Any, ...]) -> RecordDraft:
    row_id, kind, status, name, fields, provenance, identity, place, organization, start, deadline, *rest = row
    return RecordDraft(
        row_id,
        kind,
        status=status,
        name=name,
        fields=(values := loaded(fields)),
        provenance=loaded(provenance),
        identity=bytes(identity) if identity is not None else None,
        place=place,
        organization=organization,
        start_date=start,
        deadline=deadline,
        was_published=rest[0],
        updated_at=rest[1],
        merged_into=rest[2],
        notes=rest[3],
        rules=rest[4],
        other_identities=(identities := _identities(rest[5])),
        other_identities_before=identities,
        facts=dict(values),
    )


def _identities(listed: Any) -> frozenset[LookupIdentity]:
    if not listed:
        return frozenset()
    return frozenset(LookupIdentity(bytes.fromhex(hashed), *names) for hashed, *names in loaded(listed))


def survivors(ids: Collection[str]) -> dict[str, str]:
    return dict(rows(SURVIVORS, ids=array(ids))) if ids else {}


def unused(ids: Collection[str]) -> set[str]:
    """Those of these ids that no record has."""
    return {each for (each,) in rows(UNUSED, ids=array(ids))} if ids else set()


def absorbed(record: UUID) -> list[UUID]:
    return [each for (each,) in rows(ABSORBED, id=record)]


def lock(ids: Collection[str]) -> None:
    if ids:
        execute_with_many(LOCK, ids=array(sorted(ids)))


def observations(ids: Collection[str]) -> list[ObservationRow]:
    if not ids:
        return []
    return [
        ObservationRow._make((*row[:7], loaded(row[7]), row[8], tuple(row[9])))
        for row in rows_of_many(OBSERVATIONS, ids=array(ids))
    ]


def references(wanted: Collection[tuple[str, str, str]]) -> dict[tuple[str, str, str], str]:
    """Return the record of each place or organisation that a source names, by source, kind and external id."""
    if not wanted:
        return {}
    sources, kinds, keys = zip(*wanted, strict=True)
    found = rows_of_many(REFERENCES, sources=array(sources), kinds=_texts(kinds), keys=_texts(keys))
    return {(source, kind, key): record for source, kind, key, record in found}


def edits(ids: Collection[str]) -> dict[str, list[Edited]]:
    found: dict[str, list[Edited]] = {}
    for record, edit, name, value, at in rows_of_many(EDITS, ids=array(ids)) if ids else ():
        found.setdefault(record, []).append(Edited(edit, name, loaded(value), at))
    return found


def occurrences(ids: Collection[str]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for record, *span in rows_of_many(OCCURRENCES, ids=array(ids)) if ids else ():
        found.setdefault(record, []).append(Span(*span))
    return found


def save(rows: Collection[RecordDraft], now: datetime) -> None:
    """Write the changed ones, each once, after its occurrences, which triggers on `record` read."""
    changed = sorted((row for row in rows if row.changed), key=lambda row: row.id)
    moved = [row for row in changed if row.spans is not None and row.spans != row.spans_before]
    if stale := [row.id for row in moved if row.spans_before]:
        execute(CLEAR_OCCURRENCES, ids=array(stale))
    if spans := [copy_rows.occurrence(row, span) for row in moved for span in row.spans or ()]:
        copy("occurrence", copy_rows.OCCURRENCE, spans)
    new, known = [row for row in changed if row.is_new], [row for row in changed if not row.is_new]
    if new:
        copy("record", copy_rows.RECORD, [copy_rows.record(row, now) for row in new])
    if known:
        execute_with_many(UPDATE, rows=_dumped([_record(row) for row in known]), now=now)
    save_identities(
        [
            (row.id, row.other_identities_before, row.other_identities)
            for row in rows
            if row.other_identities != row.other_identities_before
        ]
    )


def save_identities(changed: Iterable[tuple[str, frozenset[LookupIdentity], frozenset[LookupIdentity]]]) -> None:
    """Write the difference between the other identities that each record had before and those that it has now."""
    listed = [(record, before - now, now - before) for record, before, now in changed]
    gone = [_identity_row(record, each) for record, stale, _ in listed for each in stale]
    fresh = [_identity_row(record, each) for record, _, new in listed for each in new]
    if gone:
        execute_with_many(DELETE_IDENTITIES, rows=_dumped(gone))
    if fresh:
        execute_with_many(INSERT_IDENTITIES, rows=_dumped(fresh))


def _record(row: RecordDraft) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "fields": row.fields,
        "provenance": row.provenance,
        "identity": row.identity.hex() if row.identity else None,
        "place": row.place,
        "organization": row.organization,
        "start_date": row.start_date,
        "deadline": row.deadline,
        "notes": row.notes,
        "rules": RULES,
    }


def _identity_row(record: str, each: LookupIdentity) -> dict[str, Any]:
    return {"record": record, **each._asdict(), "identity": each.identity.hex()}


def _texts(values: Iterable[str]) -> str:
    return array('"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"' for each in values)


def _hashes(values: Iterable[bytes]) -> str:
    return array('"\\\\x' + each.hex() + '"' for each in values)


def _dumped(rows: Any) -> str:
    return json.dumps(rows, ensure_ascii=False, default=str)


def loaded(value: Any) -> Any:
    """Return parsed JSON; a bare cursor returns jsonb as text."""
    return json.loads(value) if isinstance(value, str) else value
