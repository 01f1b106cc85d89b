"""New observations, records and occurrences as lines for COPY; what several columns say becomes JSON once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from gleanery.ids import hex7
from gleanery.resolution.intake.observation_draft import Told
from gleanery.resolution.intake.record_draft import RULES, Row
from gleanery.resolution.records.projection import Span
from gleanery.sql import array, cell, line
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
SCALARS = (str, int, float, bool)  # of one type and equal, these are the same in JSON

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


def observation(told: Told, source: str, now: datetime) -> str:
    read = payload(told)
    original = read if _is_as_given(told) else None if told.original is None else _json(clean_json(told.original))
    evidence = _json(clean_json(told.evidence)) if told.evidence else "{}"
    return line(
        (
            *(told.id, source, told.kind, cell(told.external_id), original, read, _bytes(told.digest), evidence),
            *(cell(told.extractor), 1, told.version, (at := _time(now)), at, _time(told.first), told.record, at),
        )
    )


def record(row: Row, now: datetime) -> str:
    identity = _bytes(row.identity) if row.identity else None
    at = _time(now)
    published = at if row.status == "published" else None
    return line(
        (
            *(row.id, row.kind, row.status, cell(row.name), _fields(row), _provenance(row), identity, row.place),
            *(row.organization, row.start_date, row.deadline, published, at, at, array(row.notes), RULES),
        )
    )


def occurrence(row: Row, span: Span) -> str:
    return line((hex7(), row.id, span.start, span.end, span.day))


def _json(value: Any) -> str:
    """JSON has no line breaks of its own: of all that COPY reads in its way only the backslash is there."""
    return _encode(value).replace("\\", "\\\\")


def payload(told: Told) -> str:
    """Written once, for whatever has it."""
    if not told.written:
        told.written = _json(told.payload)
    return told.written


def _is_as_given(told: Told) -> bool:
    """Whether what the source sent was clean already, so that both are one text."""
    given, read = told.original, told.payload
    return (
        isinstance(given, Mapping)
        and len(given) == len(read)
        and all(
            type(value) in SCALARS and type(value) is type(kept := read.get(name)) and value == kept
            for name, value in given.items()
        )
    )


def _fields(row: Row) -> str:
    """What one alone says of a thing is all that is known of it."""
    alone = row.joined[0] if len(row.joined) == 1 else None
    return payload(alone) if alone is not None and alone.payload == row.fields else _json(row.fields)


def _provenance(row: Row) -> str:
    """Many fields have one origin, which is long."""
    texts: dict[int, str] = {}
    parts = []
    for name, origin in row.provenance.items():
        text = texts.get(id(origin))
        if text is None:
            text = texts[id(origin)] = _json(origin)
        parts.append(f'"{name}":{text}')
    return "{" + ",".join(parts) + "}"


@lru_cache(maxsize=1_024)  # a batch has one
def _time(moment: datetime | None) -> str | None:
    return None if moment is None else str(moment)


def _bytes(value: bytes) -> str:
    return "\\\\x" + value.hex()
