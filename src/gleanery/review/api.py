"""API of the review queue: list, show, claim, decide, undo."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first, oldest_first
from gleanery.etag import etag, expected_version
from gleanery.resolution.api import RecordDetail
from gleanery.resolution.presenting.record_detail import full, shown
from gleanery.review import services
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.queue.item_list import filtered, queue, submitter_of
from gleanery.review.queue.warning_text import name_now
from gleanery.review.records import record_decisions
from gleanery.review.sources.dossier import dossier_of

router = Router(tags=["review"])


class WarningOut(Schema):
    code: str
    sentence: str
    detail: dict[str, Any]


class ItemOut(Schema):
    id: UUID
    kind: str
    status: str
    version: int
    domain_id: UUID | None
    domain: str | None = Field(description="For sources only.")
    record: UUID | None = Field(alias="record_id", description="For records only: see /admin/records/{id}.")
    record_kind: str | None
    display: str = Field(description="The name of the domain or record for display.")
    topic: str | None
    confidence: Decimal | None
    came: str = Field(description="judged or submitted for sources, observed for records")
    submitted_by: str | None = Field(description="Who submitted it, if known.")
    submission_context: str | None = Field(description="What they wrote about it.")
    preview: str = Field(
        description="The state of the preview: none, waiting, running, completed, failed or cancelled."
    )
    warnings: list[WarningOut]
    opened_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    reason: str
    claimed_by: str | None = Field(description="Who has claimed it; nobody else may decide until the claim ends.")
    claimed_until: datetime | None

    @staticmethod
    def resolve_domain(item: Item) -> str | None:
        return item.domain.name if item.domain else None

    @staticmethod
    def resolve_submitted_by(item: Item) -> str | None:
        return submitter_of(item)

    @staticmethod
    def resolve_submission_context(item: Item) -> str | None:
        return item.domain.submission_context if item.domain else None

    @staticmethod
    def resolve_record_kind(item: Item) -> str | None:
        return item.record.kind if item.record else None

    @staticmethod
    def resolve_display(item: Item) -> str:
        return item.domain.display if item.domain else str(item)

    @staticmethod
    def resolve_decided_by(item: Item) -> str | None:
        return str(item.decided_by) if item.decided_by else None

    @staticmethod
    def resolve_claimed_by(item: Item) -> str | None:
        return claims.holder_of(item) or None

    @staticmethod
    def resolve_claimed_until(item: Item) -> datetime | None:
        return item.claimed_until if claims.is_claimed(item) else None


class ItemPage(Schema):
    items: list[ItemOut]
    next_cursor: str | None


class ItemDetail(Schema):
    item: ItemOut
    dossier: dict[str, Any] | None = Field(
        description="For sources only: evidence, preview, contacts, earlier decisions."
    )
    record: dict[str, Any] | None = Field(description="For records only: each value with its source, and other values.")
    candidates: list[RecordDetail] = Field(description="The possible duplicates in full.")
    allowed_actions: list[str] = Field(description="Actions that you may take now.")
    said: str = Field("", description="What was done, in a sentence.")


class ItemFilter(Schema):
    kind: str | None = None
    status: str = Field("pending", description="Empty for all.")
    warning: str | None = Field(
        None, description="Only items with this warning code; `duplicates` means any possible duplicate."
    )
    topic: str | None = None
    claimed: bool | None = None


class Versioned(Schema):
    version: int | None = Field(None, description="The version that you saw; a newer one is a conflict.")


class ApproveItemIn(Versioned):
    depth: int | None = Field(None, description="Links from the homepage, 0 to 6.")
    rate: int | None = Field(None, description="Seconds between two requests.")
    frequency: int | None = Field(None, description="Hours between two crawls.")
    leave_out: list[UUID] = Field([], description="For sources only: feeds not to read.")


class RejectItemIn(Versioned):
    reason: str
    blacklist: bool = Field(False, description="Never search for it again; for people only.")


class MergeItemIn(Versioned):
    merge_into: UUID = Field(description="The record to merge it into: one named in a warning.")
    fields: dict[str, Any] | list[str] | None = Field(
        None, description="Values for the surviving record, or the names of fields to take from this one."
    )


@router.get("/admin/review-queue", response=ItemPage, summary="Items of the review queue")
def list_items(
    request: HttpRequest,
    filters: Query[ItemFilter],
    order: Literal["newest", "oldest"] = "newest",
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    page = newest_first if order == "newest" else oldest_first
    found = page(filtered(queue(), **filters.model_dump()), cursor, limit)
    name_now(found.items)
    return found


@router.get("/admin/review-queue/{item_id}", response=ItemDetail, summary="An item with its dossier")
def show_item(request: HttpRequest, response: HttpResponse, item_id: UUID) -> object:
    """The id may be that of the item or of its record, as in all routes of an item."""
    return _detail(request, response, item_id)


@router.post(
    "/admin/review-queue/{item_id}/approve",
    response=ItemDetail,
    summary="Approve a source or record",
)
def approve(request: HttpRequest, response: HttpResponse, item_id: UUID, given: ApproveItemIn | None = None) -> object:
    return _decide(request, response, item_id, "approve", given)


@router.post(
    "/admin/review-queue/{item_id}/reject", response=ItemDetail, summary="Reject a source or record, with a reason"
)
def reject(request: HttpRequest, response: HttpResponse, item_id: UUID, given: RejectItemIn) -> object:
    return _decide(request, response, item_id, "reject", given)


@router.post(
    "/admin/review-queue/{item_id}/merge", response=ItemDetail, summary="Merge a record into a possible duplicate"
)
def merge(request: HttpRequest, response: HttpResponse, item_id: UUID, given: MergeItemIn) -> object:
    return _decide(request, response, item_id, "merge", given)


@router.post("/admin/review-queue/{item_id}/undo", response=ItemDetail, summary="Undo the decision")
def undo(request: HttpRequest, response: HttpResponse, item_id: UUID, given: Versioned | None = None) -> object:
    return _decide(request, response, item_id, "undo", given)


@router.post("/admin/review-queue/{item_id}/claim", response=ItemDetail, summary="Claim an item for 15 minutes")
def claim(request: HttpRequest, response: HttpResponse, item_id: UUID) -> object:
    claims.claim(actor_behind(request), claims.find(item_id))
    return _detail(request, response, item_id, "You have claimed it for 15 minutes.")


@router.post("/admin/review-queue/{item_id}/release", response=ItemDetail, summary="Release a claimed item")
def release(request: HttpRequest, response: HttpResponse, item_id: UUID) -> object:
    claims.release(actor_behind(request), claims.find(item_id))
    return _detail(request, response, item_id, "It is released.")


def _decide(
    request: HttpRequest, response: HttpResponse, item_id: UUID, action: str, given: Versioned | None
) -> object:
    details = given.model_dump() if given else {}
    version = expected_version(request, details.pop("version", None))
    said = services.decide(actor_behind(request), claims.find(item_id), action, version=version, **details).said
    return _detail(request, response, item_id, said)


def _detail(request: HttpRequest, response: HttpResponse, item_id: UUID, said: str = "") -> dict[str, Any]:
    item = queue().get(pk=claims.find(item_id).pk)
    name_now([item])
    response["ETag"] = etag(item.version)
    return {
        "item": item,
        "dossier": dossier_of(item.domain).as_dict() if item.domain else None,
        "record": shown(item.record).as_dict() if item.record else None,
        "candidates": [full(each) for each in record_decisions.taken_for(item)],
        "allowed_actions": services.allowed_actions(actor_behind(request), item),
        "said": said,
    }
