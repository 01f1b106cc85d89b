"""Data of a record page: the record, related records, and its sources. Nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.publishing import freshness
from gleanery.publishing.freshness import Freshness
from gleanery.resolution.decisions.merge import survivor_of
from gleanery.resolution.intake.storage import loaded
from gleanery.resolution.models import Record
from gleanery.sql import rows

PUBLISHED = "published"
MOST_DATES = 200
MOST_RELATED = 12
# Kept for staff: who answers a telephone or reads a mailbox was never asked.
STAFF_ONLY = frozenset({"phone", "email"})

# Who says what of a record now, blacklisted sources left out. Index: observation_of_record.
SOURCES = """
    SELECT observation.id::text, source.name, page.url, payload->>'url', last_seen,
           CASE WHEN in_feed THEN NULL ELSE not_seen_since END, domain.name, payload
    FROM observation JOIN source ON source.id = source_id LEFT JOIN domain ON domain.id = source.domain_id
         LEFT JOIN page ON page.id = page_id
    WHERE record = %(record)s AND superseded_at IS NULL AND domain.processing_status IS DISTINCT FROM 'blacklisted'
    ORDER BY trust DESC, first_observed, observation.id LIMIT 50
"""
# Index: occurrence_once.
OCCURRENCES = 'SELECT start, "end" FROM occurrence WHERE record_id = %(record)s ORDER BY start LIMIT %(most)s'
# What else is on at a place, or is run by an organisation: what is to come, the next first. Indexes: record_held,
# record_run, occurrence_once.
RELATED = """
    SELECT record.id, record.kind, record.name, record.fields, coming.start, coming."end", record.deadline
    FROM record LEFT JOIN LATERAL (
        SELECT start, "end" FROM occurrence
        WHERE record_id = record.id AND (start_date >= %(today)s OR "end" >= %(today)s) ORDER BY start LIMIT 1
    ) AS coming ON true
    WHERE status = 'published' AND record.id <> %(but)s AND {role} = %(of)s
      AND (kind <> 'event' OR coming.start IS NOT NULL) AND (deadline IS NULL OR deadline >= %(today)s)
    ORDER BY coming.start NULLS LAST, record.id LIMIT %(most)s
"""
ROLES = {"place": "record.place_id", "organization": "record.organization_id"}


class Said(NamedTuple):
    """One source of a record, and what it says."""

    id: str
    source: str
    page: str | None
    url: str | None
    last_seen: datetime
    not_seen_since: datetime | None
    domain: str | None
    payload: dict[str, Any]


class Related(NamedTuple):
    """Another record as a line shows it."""

    id: UUID
    kind: str
    name: str
    fields: dict[str, Any]
    start: datetime | None
    end: datetime | None
    deadline: date | None
    unconfirmed_since: datetime | None = None
    km: float | None = None  # from where it is looked for


@dataclass(frozen=True, slots=True)
class Published:
    """All that the public may know of one record."""

    record: Record
    fields: dict[str, Any]
    spans: list[tuple[datetime, datetime | None]]
    said: list[Said]
    place: Record | None
    organization: Record | None
    at_place: list[Related]
    by_organization: list[Related]
    freshness: Freshness


def find(record_id: UUID) -> Record | None:
    return Record.objects.select_related("place", "organization").filter(pk=record_id).first()


def survivor(record: Record) -> Record | None:
    """Where a merged record went, if that is published."""
    end = survivor_of(record) if record.merged_into_id else None
    return end if end is not None and end.status == PUBLISHED else None


def published(record: Record, today: date) -> Published:
    place = record if record.kind == "place" else _shown(record.place)
    organization = record if record.kind == "organization" else _shown(record.organization)
    found = rows(SOURCES, record=record.pk)
    return Published(
        record,
        fields=public_fields(record.fields),
        spans=[(start, end) for start, end in rows(OCCURRENCES, record=record.pk, most=MOST_DATES)],
        said=[Said._make((*row[:7], public_fields(loaded(row[7])))) for row in found],
        place=None if place is record else place,
        organization=None if organization is record else organization,
        at_place=_related("place", place, record, today),
        by_organization=_related("organization", organization, record, today),
        freshness=freshness.of([record.pk])[record.pk],
    )


def related(row: Sequence[Any], unconfirmed_since: datetime | None = None, km: float | None = None) -> Related:
    """Return a line of a list from a row that has its fields in their order; what is for staff is left out."""
    return Related._make((*row[:3], public_fields(loaded(row[3])), *row[4:7], unconfirmed_since, km))


def public_fields(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in STAFF_ONLY}


def _shown(named: Record | None) -> Record | None:
    return named if named is not None and named.status == PUBLISHED else None


def _related(role: str, of: Record | None, but: Record, today: date) -> list[Related]:
    if of is None:
        return []
    found = rows(RELATED.format(role=ROLES[role]), of=of.pk, but=but.pk, today=today, most=MOST_RELATED)
    return [related(row) for row in found]
