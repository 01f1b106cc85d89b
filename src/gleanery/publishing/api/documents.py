"""Published records as documents for programs: many at once, by one statement."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse

from gleanery.publishing.showing.addresses import path_of, safe_link
from gleanery.publishing.showing.reading import Published, Said, public_fields
from gleanery.resolution.intake.storage import loaded
from gleanery.sql import array, rows

# Indexes: record_pkey, occurrence_once.
PUBLISHED = """
    SELECT record.id, record.kind, record.name, record.fields, record.start_date, record.deadline,
           record.published_at, record.updated_at, place.id, place.name, organization.id, organization.name,
           record.deadline IS NOT NULL OR EXISTS (SELECT FROM occurrence WHERE record_id = record.id)
    FROM record
         LEFT JOIN record AS place ON place.id = record.place_id AND place.status = 'published'
         LEFT JOIN record AS organization
             ON organization.id = record.organization_id AND organization.status = 'published'
    WHERE record.id = ANY(%(ids)s::uuid[]) AND record.status = 'published'
"""
RECORDS = "/api/v1/records"
Document = dict[str, Any]


def documents(ids: Collection[UUID], root: str) -> dict[UUID, Document]:
    """Return those of these records that are published now."""
    found = rows(PUBLISHED, ids=array(ids)) if ids else []
    return {row[0]: _document(row, root) for row in found}


def _document(row: tuple[Any, ...], root: str) -> Document:
    record, kind, name, fields, start_date, deadline, published_at, updated_at, *named, has_calendar = row
    place, place_name, organization, organization_name = named
    return {
        "id": record,
        "kind": kind,
        "name": name,
        "fields": public_fields(loaded(fields)),
        "start_date": start_date,
        "deadline": deadline,
        "place": _named(place, place_name, root),
        "organization": _named(organization, organization_name, root),
        "published_at": published_at,
        "updated_at": updated_at,
        "links": _links(record, name, root, has_calendar=has_calendar),
    }


def address_of(record: UUID, root: str) -> str:
    return f"{root}{RECORDS}/{record}"


def _named(record: UUID | None, name: str, root: str) -> dict[str, Any] | None:
    return {"id": record, "name": name, "link": address_of(record, root)} if record else None


def _links(record: UUID, name: str, root: str, *, has_calendar: bool) -> dict[str, str]:
    own = address_of(record, root)
    links = {"self": own, "html": root + path_of(record, name), "jsonld": f"{own}.jsonld"}
    return {**links, "ics": root + reverse("record-calendar", args=[record])} if has_calendar else links


def detail(of: Published, root: str) -> Document:
    """Return the document of one record with its sources, and the source of each field."""
    said = {each.id: each for each in of.said}
    return {
        **documents([of.record.pk], root)[of.record.pk],
        "provenance": {
            name: _origin(said.get(origin.get("id", "")))
            for name, origin in public_fields(of.record.provenance).items()
            if origin.get("by") == "edit" or origin.get("id") in said
        },
        "sources": [
            {
                "name": each.source,
                "link": _link(each),
                "last_seen": each.last_seen,
                "not_listed_since": each.not_seen_since,
            }
            for each in of.said
        ],
        "occurrences": [{"start": start, "end": end} for start, end in of.spans],
        "last_confirmed": of.freshness.last_confirmed,
        "unconfirmed_since": of.freshness.unconfirmed_since,
    }


def changed_at(of: Published) -> datetime:
    """When anything in its document last changed."""
    records = [each.updated_at for each in (of.record, of.place, of.organization) if each is not None]
    return max([*records, *(each.last_seen for each in of.said)])


def _origin(said: Said | None) -> dict[str, Any]:
    if said is None:
        return {"source": None, "link": None, "last_seen": None}
    return {"source": said.source, "link": _link(said), "last_seen": said.last_seen}


def _link(said: Said) -> str | None:
    return safe_link(said.page) or safe_link(said.url) or None
