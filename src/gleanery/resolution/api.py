"""Routes of records: what sources tell comes in by the thousand; what is known is shown, edited, merged, deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.accounts.idempotency import once
from gleanery.cursor import MOST, Page, newest_first
from gleanery.errors import Invalid
from gleanery.etag import etag, expected_version
from gleanery.extraction.api import router as observations
from gleanery.extraction.note_codes import NOTES
from gleanery.resolution import services
from gleanery.resolution.importing.import_file import feed_named
from gleanery.resolution.intake import batch as gate
from gleanery.resolution.intake.answer import Answer
from gleanery.resolution.intake.observation_draft import Given
from gleanery.resolution.models import Record
from gleanery.resolution.presenting.note_counts import noted
from gleanery.resolution.presenting.record_detail import full
from gleanery.resolution.presenting.record_list import filtered, listed

router = Router(tags=["records"])
OBSERVATIONS = "/admin/observations"


class ObservationsIn(Schema):
    source: str = Field(description="Who says this; the same name each time. It is made if there is none.")
    trust: int | None = Field(None, description="1 to 10; to set it is for admins.")
    kind: str = Field("", description="Of those that name none.")
    observations: Annotated[list[Any], Field(min_length=1, max_length=gate.MOST)] = Field(
        description="Each with `id` (its own, which does not change), `kind`, `fields`, and if you like `original` "
        "and `evidence`. One that cannot be taken costs the others nothing."
    )


class DoubtOut(Schema):
    code: str
    sentence: str
    detail: dict[str, Any]


class AnswerOut(Schema):
    index: int
    id: str | None
    outcome: str = Field(description="created, updated, unchanged, merged, in_review or refused")
    record: UUID | None
    warnings: list[DoubtOut]
    reason: str
    notes: list[str] = Field(description="What its record lacks, or is odd in it; that holds nothing back.")


class AnswersOut(Schema):
    source: str
    counts: dict[str, int]
    answers: list[AnswerOut]


class RecordOut(Schema):
    id: UUID
    kind: str
    status: str
    name: str
    version: int
    notes: list[str] = Field(description="Codes of what it lacks, or is odd in it; they hold nothing back.")
    start_date: date | None
    deadline: date | None
    place_id: UUID | None
    organization_id: UUID | None
    merged_into_id: UUID | None
    published_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ListedOut(RecordOut):
    sources: int = Field(alias="n_sources", description="How many speak of it now.")
    last_seen: datetime | None


class RecordPage(Schema):
    items: list[ListedOut]
    next_cursor: str | None


class RecordDetail(Schema):
    record: RecordOut
    part_of: dict[str, Any] | None = Field(None, description="The record that it is part of, if it was merged.")
    fields: dict[str, Any]
    values: list[dict[str, Any]] = Field(description="Each field with who says it, and what others say.")
    occurrences: list[dict[str, Any]]
    names: list[dict[str, Any]]
    named_by: list[dict[str, Any]]
    observations: list[dict[str, Any]]
    edits: list[dict[str, Any]]
    merges: list[dict[str, Any]]
    history: list[dict[str, Any]]


class RecordFilter(Schema):
    kind: str | None = None
    status: str | None = Field(None, description="Without: in_review and published.")
    containing: str | None = Field(None, description="Only those whose name contains this.")
    source: str | None = Field(None, description="Only those that this source speaks of: a domain, or another name.")
    note: str | None = Field(None, description=f"Only those with this note: {', '.join(NOTES)}.")


class NotedOut(Schema):
    source_id: UUID
    source: str
    note: str
    records: int


class EditIn(Schema):
    fields: Annotated[dict[str, Any], Field(min_length=1)] = Field(description="Null clears a field.")
    version: int | None = Field(None, description="The version that you saw; a newer one is a conflict. Or If-Match.")
    reason: str = ""


class UneditIn(Schema):
    fields: Annotated[list[str], Field(min_length=1)]
    version: int | None = None
    reason: str = ""


class MergeRecordIn(Schema):
    merge_into: UUID
    fields: dict[str, Any] | list[str] | None = Field(
        None, description="Names of fields to take from the one that goes, or the values themselves."
    )
    reason: str = ""


class MergePairIn(Schema):
    duplicate: UUID = Field(description="The one that goes into the other.")
    primary: UUID
    fields: dict[str, Any] | list[str] | None = None
    reason: str = ""


class WhyIn(Schema):
    reason: str = ""


class ReasonIn(Schema):
    reason: str


# One address has one router, and its list belongs to the stage before.
@observations.post(OBSERVATIONS, response=AnswersOut, summary="Bring up to 1,000 observations of a source")
def bring(request: HttpRequest, given: ObservationsIn) -> object:
    """With an Idempotency-Key the same request once more is told the same, and done once."""
    actor = actor_behind(request)

    def take_in() -> dict[str, Any]:
        source = feed_named(actor, given.source, given.trust)
        drafts = [_given(each, given.kind) for each in given.observations]
        answers = gate.intake(source, drafts, actor)
        counts = Counter(each.outcome for each in answers)
        told = [_told(index, *pair) for index, pair in enumerate(zip(drafts, answers, strict=True))]
        return {"source": source.name, "counts": dict(counts), "answers": told}

    return once(request, actor, OBSERVATIONS, take_in)


def _given(item: Any, kind: str) -> Given:
    """Whatever was sent; intake says what is wrong with it."""
    told: Mapping[str, Any] = item if isinstance(item, dict) else {}
    evidence = told.get("evidence")
    own = told.get("id")
    return Given(
        kind=str(told.get("kind") or kind),
        external_id=str(own) if isinstance(own, str | int) and not isinstance(own, bool) else "",
        payload=told.get("fields") if isinstance(told.get("fields"), dict) else {},  # type: ignore[arg-type]
        original=told.get("original"),
        evidence={str(name): str(where) for name, where in evidence.items()} if isinstance(evidence, dict) else {},
        extractor="api",
    )


def _told(index: int, given: Given, answer: Answer) -> dict[str, Any]:
    return {
        "index": index,
        "id": given.external_id or None,
        "outcome": answer.outcome,
        "record": answer.record,
        "warnings": [doubt._asdict() for doubt in answer.warnings],
        "reason": answer.reason,
        "notes": list(answer.notes),
    }


@router.get("/admin/records", response=RecordPage, summary="What is known, the newest first")
def list_records(
    request: HttpRequest,
    filters: Query[RecordFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    page = newest_first(filtered(**filters.model_dump()), cursor, limit)
    return Page(list(listed(page.items)), page.next_cursor)


@router.get("/admin/notes", response=list[NotedOut], summary="How many records of each source have which notes")
def list_notes(request: HttpRequest) -> object:
    return [each._asdict() for each in noted()]


@router.get("/admin/records/{record_id}", response=RecordDetail, summary="A record, and who says what about it")
def show_record(request: HttpRequest, response: HttpResponse, record_id: UUID) -> object:
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/edit", response=RecordDetail, summary="Write what is right")
def edit(request: HttpRequest, response: HttpResponse, record_id: UUID, given: EditIn) -> object:
    version = expected_version(request, given.version)
    services.edit(actor_behind(request), services.find_record(record_id), given.fields, version, given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/unedit", response=RecordDetail, summary="Take edits of fields back")
def unedit(request: HttpRequest, response: HttpResponse, record_id: UUID, given: UneditIn) -> object:
    version = expected_version(request, given.version)
    services.unedit(actor_behind(request), services.find_record(record_id), given.fields, version, given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/merge", response=RecordDetail, summary="It and another are one thing")
def merge(request: HttpRequest, response: HttpResponse, record_id: UUID, given: MergeRecordIn) -> object:
    return _merge(request, response, record_id, given.merge_into, given)


@router.post("/admin/records/{record_id}/unmerge", response=RecordDetail, summary="Take a merge back")
def unmerge(request: HttpRequest, response: HttpResponse, record_id: UUID, given: WhyIn | None = None) -> object:
    services.unmerge(actor_behind(request), services.find_record(record_id), (given or WhyIn()).reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/delete", response=RecordDetail, summary="Delete it, with a reason")
def delete(request: HttpRequest, response: HttpResponse, record_id: UUID, given: ReasonIn) -> object:
    services.delete(actor_behind(request), services.find_record(record_id), given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/restore", response=RecordDetail, summary="Bring a deleted one back")
def restore(request: HttpRequest, response: HttpResponse, record_id: UUID, given: WhyIn | None = None) -> object:
    services.restore(actor_behind(request), services.find_record(record_id), (given or WhyIn()).reason)
    return _detail(response, record_id)


@router.post("/admin/places/merge", response=RecordDetail, summary="Two places are one; what is held there follows")
def merge_places(request: HttpRequest, response: HttpResponse, given: MergePairIn) -> object:
    return _merge(request, response, given.duplicate, given.primary, given, "place")


@router.post("/admin/organizations/merge", response=RecordDetail, summary="Two organisations are one")
def merge_organizations(request: HttpRequest, response: HttpResponse, given: MergePairIn) -> object:
    return _merge(request, response, given.duplicate, given.primary, given, "organization")


def _merge(
    request: HttpRequest,
    response: HttpResponse,
    loser_id: UUID,
    survivor_id: UUID,
    given: MergeRecordIn | MergePairIn,
    kind: Literal["place", "organization", ""] = "",
) -> object:
    loser, survivor = services.find_record(loser_id), services.find_record(survivor_id)
    if kind and {loser.kind, survivor.kind} != {kind}:
        raise Invalid(f"Both must be of kind {kind}; records of other kinds are merged by /admin/records/ID/merge.")
    merged = services.merge(actor_behind(request), loser, survivor, given.fields, given.reason)
    return _detail(response, merged.survivor_id)


def _detail(response: HttpResponse, record_id: UUID) -> dict[str, Any]:
    record: Record = services.find_record(record_id)
    response["ETag"] = etag(record.version)
    return full(record)
