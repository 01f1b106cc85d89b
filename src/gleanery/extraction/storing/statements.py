"""SQL of extraction, set-based: waiting pages, current versions, results of a batch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.extraction.contacts.classification import authority_of, type_of
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.storing.versions import CurrentVersion, Key, NewVersion
from gleanery.ids import hex7
from gleanery.sql import execute, rows

FIRST = UUID(int=0)
# An unchanged calendar still has new dates that come within the horizon.
CALENDAR_LASTS = "30 days"


class WaitingPage(NamedTuple):
    """A page whose current content was not yet read by the current extractors."""

    page: UUID
    url: str
    fetched_at: datetime
    snapshot: UUID
    content_type: str
    charset: str
    raw: bytes
    title: str
    text: str
    language: str
    types: list[str]


class FlagRow(NamedTuple):
    snapshot: UUID
    topic: UUID | None
    score: Decimal
    threshold: Decimal
    relevant: bool
    reasons: list[dict[str, Any]]
    by: str


class PassRow(NamedTuple):
    page: UUID
    snapshot: UUID
    ms: int
    problem: str
    said: list[str]
    failed: bool = False


# The latest pass lists what a page describes now, so a page that returns to earlier content is extracted again.
# Index: page_due for the domain, extraction_latest for each page.
_WAITING = """
    FROM page JOIN snapshot ON snapshot.id = page.current_snapshot_id
         LEFT JOIN LATERAL (
             SELECT snapshot_id, version, extracted_at FROM extraction WHERE extraction.page_id = page.id
             ORDER BY extracted_at DESC LIMIT 1
         ) AS latest ON true
    WHERE page.domain_id = %(domain)s AND page.id > %(after)s AND page.last_status NOT IN (404, 410)
      AND (%(again)s OR latest.snapshot_id IS DISTINCT FROM snapshot.id OR latest.version <> %(version)s
           OR snapshot.content_type = 'text/calendar' AND latest.extracted_at < now() - %(lasts)s::interval)
"""
COUNT_WAITING = f"SELECT count(*) {_WAITING}"
SELECT_WAITING = f"""
    SELECT page.id, page.url,
           CASE snapshot.content_type WHEN 'text/calendar' THEN page.last_fetched_at ELSE snapshot.fetched_at END,
           snapshot.id, snapshot.content_type, charset, raw, title, text, language, types
    {_WAITING} ORDER BY page.id LIMIT %(most)s
"""
# Index: observation_current_once. `still_on_page` is read from the latest pass of the page.
CURRENT = """
    SELECT kind, external_id, observation.id, observation.page_id, payload_hash,
           (SELECT count(*) FROM jsonb_object_keys(payload)), observation.version,
           coalesce(latest.said ? (kind || ' ' || external_id), false) AND page.last_status NOT IN (404, 410)
    FROM observation JOIN unnest(%(kinds)s::text[], %(keys)s::text[]) AS wanted (kind, external_id)
              USING (kind, external_id)
         LEFT JOIN page ON page.id = observation.page_id
         LEFT JOIN LATERAL (
             SELECT said FROM extraction WHERE extraction.page_id = observation.page_id
             ORDER BY extracted_at DESC LIMIT 1
         ) AS latest ON true
    WHERE source_id = %(source)s AND superseded_at IS NULL
"""
# A page that could not be read keeps the list of its previous pass.
STORE_EXTRACTIONS = """
    INSERT INTO extraction (id, page_id, snapshot_id, version, ms, problem, count, said)
    SELECT id, page, snapshot, %(version)s, ms, problem, jsonb_array_length(row.said),
           CASE WHEN failed THEN coalesce(before.said, '[]') ELSE row.said END
    FROM json_to_recordset(%(rows)s)
             AS row (id uuid, page uuid, snapshot uuid, ms int, problem text, said jsonb, failed bool)
         LEFT JOIN LATERAL (
             SELECT said FROM extraction WHERE extraction.page_id = row.page ORDER BY extracted_at DESC LIMIT 1
         ) AS before ON true
    ON CONFLICT (snapshot_id, version) DO UPDATE
        SET extracted_at = excluded.extracted_at, ms = excluded.ms, problem = excluded.problem,
            count = excluded.count, said = excluded.said
"""
STORE_FLAGS = """
    INSERT INTO flag (id, snapshot_id, topic_id, score, threshold, relevant, reasons, by)
    SELECT * FROM json_to_recordset(%(rows)s)
        AS row (id uuid, snapshot uuid, topic uuid, score numeric(3, 2), threshold numeric(3, 2), relevant bool,
                reasons jsonb, by text)
    ON CONFLICT (snapshot_id) DO UPDATE
        SET topic_id = excluded.topic_id, score = excluded.score, threshold = excluded.threshold,
            relevant = excluded.relevant, reasons = excluded.reasons, by = excluded.by, flagged_at = now()
"""
# Run first: only one version may be current.
SUPERSEDE = """
    UPDATE observation SET superseded_at = now() WHERE id = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
"""
# A new version inherits the record and the first observation time of the version before.
STORE_OBSERVATIONS = """
    INSERT INTO observation (id, source_id, kind, external_id, original, payload, payload_hash, evidence, extractor,
                             extractor_version, page_id, snapshot_id, version, record, first_observed, feed, in_feed,
                             link, parts)
    SELECT row.id, %(source)s, row.kind, row.external_id, row.original, row.payload, decode(row.payload_hash, 'hex'),
           row.evidence, row.extractor, %(extractor_version)s, page, snapshot, row.version, before.record,
           coalesce(before.first_observed, statement_timestamp()), row.feed, row.feed IS NOT NULL, row.link, row.parts
    FROM json_to_recordset(%(rows)s)
             AS row (id uuid, kind text, external_id text, original jsonb, payload jsonb, payload_hash text,
                     evidence jsonb, extractor text, page uuid, snapshot uuid, version int, supersedes uuid,
                     feed uuid, link text, parts jsonb)
         LEFT JOIN observation AS before ON before.id = row.supersedes
"""
MARK_YIELDED = "UPDATE page SET yielded_at = now() WHERE id = ANY(%(pages)s::uuid[])"
# Mark observations that no page of the source lists any more, and clear the mark of those listed again, by the latest
# pass of each page. Deleted pages list nothing. Observations in feeds are left to their feeds.
MARK_UNSEEN = """
    WITH said AS (
        SELECT key, max(page.last_fetched_at) AS seen
        FROM page JOIN LATERAL (
                 SELECT said FROM extraction WHERE extraction.page_id = page.id ORDER BY extracted_at DESC LIMIT 1
             ) AS latest ON true
             CROSS JOIN LATERAL jsonb_array_elements_text(latest.said) AS key
        WHERE page.domain_id = %(domain)s AND page.last_status NOT IN (404, 410)
        GROUP BY key
    ), judged AS (
        SELECT observation.id, said.seen FROM observation
             LEFT JOIN said ON said.key = observation.kind || ' ' || observation.external_id
        WHERE source_id = %(source)s AND superseded_at IS NULL AND page_id IS NOT NULL AND NOT in_feed
    )
    UPDATE observation
    SET last_seen = greatest(last_seen, seen),
        not_seen_since = CASE WHEN seen IS NULL THEN coalesce(not_seen_since, now()) END
    FROM judged
    WHERE judged.id = observation.id
      AND (seen IS NULL AND not_seen_since IS NULL OR seen IS NOT NULL AND not_seen_since IS NOT NULL
           OR seen > last_seen)
"""
# A new contact is copied to the candidate once, so that one deleted there does not come back.
STORE_CONTACTS = """
    WITH given AS (
        SELECT * FROM json_to_recordset(%(rows)s)
            AS row (id uuid, offer uuid, page uuid, key text, name text, role text, email text, phone text,
                    address text, evidence text, type text, authority text)
    ), stored AS (
        INSERT INTO page_contact (id, domain_id, page_id, key, name, role, email, phone, address, evidence)
        SELECT id, %(domain)s, page, key, name, role, email, phone, address, evidence FROM given ORDER BY key
        ON CONFLICT (domain_id, key) DO UPDATE
            SET last_seen = now(), page_id = excluded.page_id, evidence = excluded.evidence,
                name = coalesce(nullif(excluded.name, ''), page_contact.name),
                role = coalesce(nullif(excluded.role, ''), page_contact.role),
                phone = coalesce(nullif(excluded.phone, ''), page_contact.phone),
                address = coalesce(nullif(excluded.address, ''), page_contact.address)
        RETURNING key, xmax = 0 AS is_new
    ), known AS (
        SELECT given.key, contact.id AS contact
        FROM given JOIN candidate ON candidate.domain_id = %(domain)s
             JOIN contact ON contact.candidate_id = candidate.id
        WHERE given.email <> '' AND lower(contact.email) = lower(given.email)
           OR given.phone <> '' AND contact.phone = given.phone
              AND (contact.name = given.name OR contact.name = '' OR given.name = '')
           OR given.email = '' AND given.phone = '' AND contact.name = given.name
    ), confirmed AS (
        -- Only the date changes, since staff may have edited the contact.
        UPDATE contact SET validated_at = now() WHERE id IN (SELECT contact FROM known)
    )
    INSERT INTO contact (id, candidate_id, name, role, type, authority, email, phone, address, validated_at)
    SELECT offer, candidate.id, given.name, given.role, given.type, given.authority, given.email, given.phone,
           given.address, now()
    FROM stored JOIN given USING (key) JOIN candidate ON candidate.domain_id = %(domain)s
    WHERE is_new AND key NOT IN (SELECT key FROM known)
"""


def count_waiting(domain: UUID, version: int, *, again: bool) -> int:
    values = {"domain": domain, "version": version, "again": again, "after": FIRST, "lasts": CALENDAR_LASTS}
    ((count,),) = rows(COUNT_WAITING, **values)
    return int(count)


def waiting_pages(domain: UUID, version: int, *, again: bool, after: UUID, most: int) -> list[WaitingPage]:
    values = {"domain": domain, "version": version, "again": again, "after": after, "lasts": CALENDAR_LASTS}
    return [WaitingPage(*_plain(row)) for row in rows(SELECT_WAITING, **values, most=most)]


def current_versions(source: UUID, keys: Iterable[Key]) -> dict[Key, CurrentVersion]:
    listed = sorted(set(keys))
    values = {"kinds": [kind for kind, _ in listed], "keys": [key for _, key in listed]}
    found = rows(CURRENT, source=source, **values)
    return {
        (kind, key): CurrentVersion(row_id, page, bytes(digest), richness, version, says_so)
        for kind, key, row_id, page, digest, richness, version, says_so in found
    }


def store_passes(done: Sequence[PassRow], flags: Sequence[FlagRow], version: int) -> None:
    passes = [{"id": hex7(), **each._asdict()} for each in done]
    execute(STORE_EXTRACTIONS, rows=_json(passes), version=version)
    execute(STORE_FLAGS, rows=_json([{"id": hex7(), **each._asdict()} for each in flags]))
    execute(MARK_YIELDED, pages=[each.page for each in done if each.said])


def store_observations(versions: Sequence[NewVersion], source: UUID, extractor_version: int) -> None:
    if not versions:
        return
    execute(SUPERSEDE, ids=[each.supersedes for each in versions if each.supersedes])
    rows = [_row(each) for each in sorted(versions, key=lambda each: each.prepared.key)]
    execute(STORE_OBSERVATIONS, rows=_json(rows), source=source, extractor_version=extractor_version)


def _row(version: NewVersion) -> dict[str, Any]:
    prepared, draft = version.prepared, version.prepared.draft
    return {
        "id": hex7(),
        "kind": draft.kind,
        "external_id": draft.external_id,
        "original": draft.fields if draft.original is None else draft.original,
        "payload": prepared.payload,
        "payload_hash": prepared.payload_hash.hex(),
        "evidence": draft.evidence,
        "extractor": draft.extractor[:40],
        "page": prepared.page,
        "snapshot": prepared.snapshot,
        "feed": prepared.feed,
        "link": prepared.link,
        "parts": prepared.parts,
        "version": version.version,
        "supersedes": version.supersedes,
    }


def store_contacts(
    domain: UUID, found: Mapping[str, tuple[UUID, ContactDraft]] | Mapping[str, tuple[None, ContactDraft]]
) -> None:
    if not found:
        return
    rows = [
        {
            "id": hex7(),
            "offer": hex7(),
            "page": page,
            "key": key,
            **{name: getattr(contact, name) for name in ContactDraft.__dataclass_fields__},
            "type": type_of(contact),
            "authority": authority_of(contact),
        }
        for key, (page, contact) in sorted(found.items())
    ]
    execute(STORE_CONTACTS, rows=_json(rows), domain=domain)


def mark_unseen(domain: UUID, source: UUID) -> None:
    execute(MARK_UNSEEN, domain=domain, source=source)


def _json(rows: Any) -> str:
    return json.dumps(rows, ensure_ascii=False, default=str)


def _plain(row: tuple[Any, ...]) -> list[Any]:
    """Convert memory views to bytes and parse jsonb, which a plain cursor returns as text."""
    *facts, types = (bytes(each) if isinstance(each, memoryview) else each for each in row)
    return [*facts, json.loads(types) if isinstance(types, str) else types]
