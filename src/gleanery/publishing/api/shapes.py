"""Schemas of the public API: what anybody may read of a record."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from ninja import Field, Schema

from gleanery.publishing.api import examples

LINKS = Field(description="`self` (this document), `html`, `jsonld`, and `ics` where it has dates.")


class PublicName(Schema):
    """A place or an organisation that a record names, if it is published."""

    id: UUID
    name: str
    link: str


class PublicRecord(Schema):
    id: UUID
    kind: str
    name: str
    fields: dict[str, Any] = Field(description="All public fields of its kind. Contacts are never among them.")
    start_date: date | None = Field(description="The day it begins, on the clocks of the place.")
    deadline: date | None
    place: PublicName | None
    organization: PublicName | None
    published_at: datetime
    updated_at: datetime
    links: dict[str, str] = LINKS

    model_config = {"json_schema_extra": {"example": examples.RECORD}}


class FacetValue(Schema):
    value: str
    count: int


class PublicFacets(Schema):
    """Counts beside a search, each as if its own filter were not set."""

    total: int
    kinds: list[FacetValue]
    places: list[FacetValue]


class PublicRecordPage(Schema):
    items: list[PublicRecord]
    next_cursor: str | None
    facets: PublicFacets | None = Field(None, description="Only if asked for.")

    model_config = {"json_schema_extra": {"example": examples.PAGE}}


class PublicOrigin(Schema):
    """Origin of the value of a field; without a source, an editor of this site wrote it."""

    source: str | None
    link: str | None
    last_seen: datetime | None


class PublicSource(Schema):
    name: str
    link: str | None
    last_seen: datetime
    not_listed_since: datetime | None = Field(description="Since when this source no longer lists it.")


class PublicTime(Schema):
    start: datetime
    end: datetime | None


class PublicRecordDetail(PublicRecord):
    provenance: dict[str, PublicOrigin] = Field(description="Origin of each field.")
    sources: list[PublicSource]
    occurrences: list[PublicTime]
    last_confirmed: datetime | None = Field(description="When a source last showed it.")
    unconfirmed_since: datetime | None = Field(description="Since when no source lists it any more.")

    model_config = {"json_schema_extra": {"example": examples.DETAIL}}
