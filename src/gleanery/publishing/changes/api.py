"""Routes of the change feed: the changes after a cursor, and a snapshot to begin with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page
from ninja import Field, Router, Schema
from ninja.decorators import decorate_view

from gleanery.cursor import MOST
from gleanery.publishing.api import examples
from gleanery.publishing.api.documents import documents
from gleanery.publishing.api.records_api import UNCHANGED, root_of
from gleanery.publishing.api.shapes import PublicRecord
from gleanery.publishing.changes import feed
from gleanery.publishing.changes.messages import message
from gleanery.publishing.changes.models import CHANGES

router = Router(tags=["changes"])
# A cache may keep an answer, but asks us before it gives it to somebody.
ASK_AGAIN = "no-cache"
MOST_CHANGES = 1_000


class ChangeOut(Schema):
    number: int = Field(description="Grows by one with each change.")
    change: Literal[CHANGES]  # type: ignore[valid-type]  # one declaration for table, triggers and answer
    at: datetime = Field(description="When it was listed here, moments after it was committed.")
    record: UUID
    kind: str
    fields: list[str] = Field(description="Public fields that an update changed.")
    into: UUID | None = Field(description="The record that a merged one is part of now.")
    link: str
    data: PublicRecord | None = Field(None, description="The record as it is now, if asked for and still published.")

    model_config = {"json_schema_extra": {"example": examples.CHANGE}}


class ChangePage(Schema):
    items: list[ChangeOut]
    next_cursor: str = Field(description="For what comes after this page, now or later.")
    has_more: bool

    model_config = {"json_schema_extra": {"example": examples.CHANGES}}


class SnapshotPage(Schema):
    items: list[PublicRecord]
    next_cursor: str | None
    changes_cursor: str = Field(description="Go on with /changes from here once you have read all pages.")

    model_config = {"json_schema_extra": {"example": examples.SNAPSHOT}}


@router.get("/changes", response=ChangePage, summary="What changed, in order", openapi_extra={"responses": UNCHANGED})
@decorate_view(conditional_page)
def list_changes(
    request: HttpRequest,
    response: HttpResponse,
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST_CHANGES)] = 100,
    with_data: bool = False,
) -> object:
    """In the order of commit, none left out and none twice. Pages may be read again for 90 days.

    Without a cursor it begins with the oldest change that is kept.
    """
    page = feed.page(cursor, limit)
    root = root_of(request)
    there = documents({each.record for each in page.changes}, root) if with_data else {}
    response["Cache-Control"] = ASK_AGAIN
    return {
        "items": [message(each, root, there.get(each.record)) for each in page.changes],
        "next_cursor": page.next_cursor,
        "has_more": page.has_more,
    }


@router.get("/changes/snapshot", response=SnapshotPage, summary="All that is published, to begin with")
def show_snapshot(
    request: HttpRequest,
    response: HttpResponse,
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = MOST,
) -> object:
    """Read all pages, then the changes from `changes_cursor` on: some of these you may have seen, none is missing."""
    found = feed.snapshot(cursor, limit)
    there = documents(found.ids, root_of(request))
    response["Cache-Control"] = ASK_AGAIN
    return {
        "items": [there[each] for each in found.ids if each in there],
        "next_cursor": found.next_cursor,
        "changes_cursor": found.changes_cursor,
    }
