"""Lines for COPY of new observations, records and occurrences; JSON used in several columns is made once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from gleanery.ids import hex7
from gleanery.resolution.intake.observation_draft import Assigned, Observation
from gleanery.resolution.intake.record_draft import RULES, RecordDraft
from gleanery.resolution.records.projection import Span
from gleanery.sql import array, cell, json_cell, line
from gleanery.text import clean_json

OBSERVATION = (
    *("id", "source_id", "kind", "external_id", "original", "payload", "payload_hash", "evidence", "extractor"),
    *("extractor_version", "version", "first_seen", "last_seen", "first_observed", "record", "resolved_at"),
)
RECORD = (
    *("id", "kind", "status", "name", "fields", "provenance", "identity_hash", "place_id", "organization_id"),
    *("start_date", "deadline", "published_at", "created_at", "updated_at", "notes", "rules"),
)
OCCURRENCE = ("id", "record_id", "start", '"end"', "start_date")
SCALARS = (str, int, float, bool)  # equal values of one of these types have the same JSON


def observation(assigned: Assigned, source: str, now: datetime) -> str:
    version, given = assigned.version, assigned.observation
    evidence = json_cell(clean_json(given.evidence)) if given.evidence else "{}"
    at = _time(now)
    return line(
        (
            *(version.id, source, given.kind, cell(given.external_id), _original(given), given.stored_payload),
            *(_bytes(given.digest), evidence, cell(given.extractor), 1, version.number, at, at),
            *(_time(version.first), assigned.record, at),
        )
    )


def _original(given: Observation) -> str | None:
    if is_as_given(given):
        return given.stored_payload
    return None if given.original is None else json_cell(clean_json(given.original))


def record(row: RecordDraft, now: datetime) -> str:
    identity = _bytes(row.identity) if row.identity else None
    at = _time(now)
    published = at if row.status == "published" else None
    return line(
        (
            *(row.id, row.kind, row.status, cell(row.name), _fields(row), _provenance(row), identity, row.place),
            *(row.organization, row.start_date, row.deadline, published, at, at, array(row.notes), RULES),
        )
    )


def occurrence(row: RecordDraft, span: Span) -> str:
    return line((hex7(), row.id, span.start, span.end, span.day))


def is_as_given(observation: Observation) -> bool:
    """Return True if the original equals the checked payload, so that both share one text."""
    given, read = observation.original, observation.payload
    return (
        isinstance(given, Mapping)
        and len(given) == len(read)
        and all(
            type(value) in SCALARS and type(value) is type(kept := read.get(name)) and value == kept
            for name, value in given.items()
        )
    )


def _fields(row: RecordDraft) -> str:
    """Return the fields as JSON, reusing the stored payload of a single observation if they are equal."""
    alone = row.joined[0] if len(row.joined) == 1 else None
    is_all = alone is not None and alone.payload == row.fields
    return alone.observation.stored_payload if alone is not None and is_all else json_cell(row.fields)


def _provenance(row: RecordDraft) -> str:
    """Return the provenance as JSON; each origin is long and shared by many fields, so it is converted once."""
    texts: dict[int, str] = {}
    parts = []
    for name, origin in row.provenance.items():
        text = texts.get(id(origin))
        if text is None:
            text = texts[id(origin)] = json_cell(origin)
        parts.append(f'"{name}":{text}')
    return "{" + ",".join(parts) + "}"


@lru_cache(maxsize=1_024)  # a batch uses one time
def _time(moment: datetime | None) -> str | None:
    return None if moment is None else str(moment)


def _bytes(value: bytes) -> str:
    return "\\\\x" + value.hex()
