"""API routes for sending observations, and for listing, editing, merging and deleting records."""

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
from gleanery.resolution.presenting.note_counts import note_counts
from gleanery.resolution.presenting.record_detail import full
from gleanery.resolution.presenting.record_list import filtered, with_source_counts

router = Router(tags=["records"])
OBSERVATIONS = "/admin/observations"


class ObservationsIn(Schema):
    source: str = Field(description="Name of the source, the same each time. It is created if there is none.")
    trust: int | None = Field(None, description="1 to 10; only admins may set it.")
    kind: str = Field("", description="Kind of the observations that give none.")
    observations: Annotated[list[Any], Field(min_length=1, max_length=gate.MOST)] = Field(
        description="Each with `id` (unique in the source, and stable), `kind`, `fields`, and optionally `original` "
        "and `evidence`. A refused one does not affect the others."
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
    notes: list[str] = Field(
        description="Codes of what its record lacks or is unusual in it; they do not hold it back."
    )


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
    notes: list[str] = Field(description="Codes of what it lacks or is unusual in it; they do not hold it back.")
    start_date: date | None
    deadline: date | None
    place_id: UUID | None
    organization_id: UUID | None
    merged_into_id: UUID | None
    published_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ListedOut(RecordOut):
    sources: int = Field(alias="n_sources", description="Number of sources that have it now.")
    last_seen: datetime | None


class RecordPage(Schema):
    items: list[ListedOut]
    next_cursor: str | None


class RecordDetail(Schema):
    record: RecordOut
    part_of: dict[str, Any] | None = Field(None, description="The record that it is merged into, if any.")
    fields: dict[str, Any]
    values: list[dict[str, Any]] = Field(description="Each field with its source, and the values of other sources.")
    occurrences: list[dict[str, Any]]
    names: list[dict[str, Any]]
    named_by: list[dict[str, Any]]
    observations: list[dict[str, Any]]
    edits: list[dict[str, Any]]
    merges: list[dict[str, Any]]
    history: list[dict[str, Any]]


class RecordFilter(Schema):
    kind: str | None = None
    status: str | None = Field(None, description="Default: in_review and published.")
    containing: str | None = Field(None, description="Only records whose name contains this.")
    source: str | None = Field(None, description="Only records of this source: a domain, or another name.")
    note: str | None = Field(None, description=f"Only records with this note: {', '.join(NOTES)}.")


class NotedOut(Schema):
    source_id: UUID
    source: str
    note: str
    records: int


class EditIn(Schema):
    fields: Annotated[dict[str, Any], Field(min_length=1)] = Field(description="Null clears a field.")
    version: int | None = Field(
        None, description="The version that you saw; a newer one is a conflict. If-Match does the same."
    )
    reason: str = ""


class UneditIn(Schema):
    fields: Annotated[list[str], Field(min_length=1)]
    version: int | None = None
    reason: str = ""


class MergeRecordIn(Schema):
    merge_into: UUID
    fields: dict[str, Any] | list[str] | None = Field(
        None, description="Names of fields to take from the merged record, or values for fields."
    )
    reason: str = ""


class MergePairIn(Schema):
    duplicate: UUID = Field(description="The record that is merged into the other.")
    primary: UUID
    fields: dict[str, Any] | list[str] | None = None
    reason: str = ""


class WhyIn(Schema):
    reason: str = ""


class ReasonIn(Schema):
    reason: str


# An address has one router; GET on this one belongs to the extraction API.
@observations.post(OBSERVATIONS, response=AnswersOut, summary="Send up to 1,000 observations of a source")
def bring(request: HttpRequest, given: ObservationsIn) -> object:
    """A request repeated with the same Idempotency-Key gets the same answer and is done only once."""
    actor = actor_behind(request)

    def take_in() -> dict[str, Any]:
        source = feed_named(actor, given.source, given.trust)
        drafts = [_given(each, given.kind) for each in given.observations]
        answers = gate.intake(source, drafts, actor)
        counts = Counter(each.outcome for each in answers)
        listed = [_answer(index, *pair) for index, pair in enumerate(zip(drafts, answers, strict=True))]
        return {"source": source.name, "counts": dict(counts), "answers": listed}

    return once(request, actor, OBSERVATIONS, take_in)


def _given(item: Any, kind: str) -> Given:
    """Return what was sent, unchecked; intake reports what is wrong with it."""
    sent: Mapping[str, Any] = item if isinstance(item, dict) else {}
    evidence = sent.get("evidence")
    own = sent.get("id")
    return Given(
        kind=str(sent.get("kind") or kind),
        external_id=str(own) if isinstance(own, str | int) and not isinstance(own, bool) else "",
        payload=sent.get("fields") if isinstance(sent.get("fields"), dict) else {},  # type: ignore[arg-type]
        original=sent.get("original"),
        evidence={str(name): str(where) for name, where in evidence.items()} if isinstance(evidence, dict) else {},
        extractor="api",
    )


def _answer(index: int, given: Given, answer: Answer) -> dict[str, Any]:
    return {
        "index": index,
        "id": given.external_id or None,
        "outcome": answer.outcome,
        "record": answer.record,
        "warnings": [doubt._asdict() for doubt in answer.warnings],
        "reason": answer.reason,
        "notes": list(answer.notes),
    }


@router.get("/admin/records", response=RecordPage, summary="List records, newest first")
def list_records(
    request: HttpRequest,
    filters: Query[RecordFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    page = newest_first(filtered(**filters.model_dump()), cursor, limit)
    return Page(list(with_source_counts(page.items)), page.next_cursor)


@router.get("/admin/notes", response=list[NotedOut], summary="Count records per source and note")
def list_notes(request: HttpRequest) -> object:
    return [each._asdict() for each in note_counts()]


@router.get("/admin/records/{record_id}", response=RecordDetail, summary="A record with the values of all its sources")
def show_record(request: HttpRequest, response: HttpResponse, record_id: UUID) -> object:
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/edit", response=RecordDetail, summary="Set fields of a record")
def edit(request: HttpRequest, response: HttpResponse, record_id: UUID, given: EditIn) -> object:
    version = expected_version(request, given.version)
    services.edit(actor_behind(request), services.find_record(record_id), given.fields, version, given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/unedit", response=RecordDetail, summary="Undo edits of fields")
def unedit(request: HttpRequest, response: HttpResponse, record_id: UUID, given: UneditIn) -> object:
    version = expected_version(request, given.version)
    services.unedit(actor_behind(request), services.find_record(record_id), given.fields, version, given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/merge", response=RecordDetail, summary="Merge a record into another")
def merge(request: HttpRequest, response: HttpResponse, record_id: UUID, given: MergeRecordIn) -> object:
    return _merge(request, response, record_id, given.merge_into, given)


@router.post("/admin/records/{record_id}/unmerge", response=RecordDetail, summary="Undo a merge")
def unmerge(request: HttpRequest, response: HttpResponse, record_id: UUID, given: WhyIn | None = None) -> object:
    services.unmerge(actor_behind(request), services.find_record(record_id), (given or WhyIn()).reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/delete", response=RecordDetail, summary="Delete a record, with a reason")
def delete(request: HttpRequest, response: HttpResponse, record_id: UUID, given: ReasonIn) -> object:
    services.delete(actor_behind(request), services.find_record(record_id), given.reason)
    return _detail(response, record_id)


@router.post("/admin/records/{record_id}/restore", response=RecordDetail, summary="Restore a deleted record")
def restore(request: HttpRequest, response: HttpResponse, record_id: UUID, given: WhyIn | None = None) -> object:
    services.restore(actor_behind(request), services.find_record(record_id), (given or WhyIn()).reason)
    return _detail(response, record_id)


@router.post("/admin/places/merge", response=RecordDetail, summary="Merge two places and all that names them")
def merge_places(request: HttpRequest, response: HttpResponse, given: MergePairIn) -> object:
    return _merge(request, response, given.duplicate, given.primary, given, "place")


@router.post("/admin/organizations/merge", response=RecordDetail, summary="Merge two organisations")
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
        raise Invalid(f"Both records must be of kind {kind}. Merge other kinds with /admin/records/ID/merge.")
    merged = services.merge(actor_behind(request), loser, survivor, given.fields, given.reason)
    return _detail(response, merged.survivor_id)


def _detail(response: HttpResponse, record_id: UUID) -> dict[str, Any]:
    record: Record = services.find_record(record_id)
    response["ETag"] = etag(record.version)
    return full(record)
