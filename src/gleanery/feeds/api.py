"""API routes for feeds: list, add, test, approve, leave out, remove."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first
from gleanery.domains import registry
from gleanery.feeds import services
from gleanery.feeds.feed_details import feed_details, select_feeds
from gleanery.feeds.models import Feed
from gleanery.feeds.reading import checking

router = Router(tags=["feeds"])


class FeedOut(Schema):
    id: UUID
    domain: str = Field(description="Domain of the source.")
    url: str
    host: str = Field(description="Host of the feed, often the source itself.")
    platform: str
    label: str
    title: str
    found_on: str = Field(description="A page that links to it.")
    state: str = Field(description="found, approved, left_out, stopped or removed")
    sentence: str = Field(description="Last result, as a sentence.")
    events: int = Field(description="Number of events at the last reading.")
    sample: list[dict[str, Any]]
    problems: list[str]
    read_at: datetime | None
    due_at: datetime | None = Field(description="When it is read next; empty if it is not.")
    failures: int = Field(description="Failures in a row.")
    allowed_actions: list[str]


class FeedPage(Schema):
    items: list[FeedOut]
    next_cursor: str | None


class FeedFilter(Schema):
    domain: str | None = None
    state: str | None = None
    platform: str | None = None


class FeedIn(Schema):
    domain: str = Field(description="Domain of the source.")
    url: str


class AddressIn(Schema):
    url: str


class RemoveIn(Schema):
    reason: str = ""


class CheckedOut(Schema):
    url: str
    platform: str
    label: str
    title: str
    events: int
    pages: int
    size: int = Field(description="In bytes.")
    ttl_seconds: int | None = Field(description="Refresh interval that the feed asks for.")
    sample: list[dict[str, Any]]
    problems: list[str]


@router.get("/admin/feeds", response=FeedPage, summary="Feeds of sources")
def list_feeds(
    request: HttpRequest,
    filters: Query[FeedFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    page = newest_first(select_feeds(**filters.model_dump()), cursor, limit)
    return {"items": [_out(request, each) for each in page.items], "next_cursor": page.next_cursor}


@router.post("/admin/feeds", response=FeedOut, summary="Add a feed to a source, after reading it once")
def add(request: HttpRequest, given: FeedIn) -> object:
    return _out(request, checking.add(actor_behind(request), registry.find(given.domain), given.url))


@router.post("/admin/feeds/check", response=CheckedOut, summary="Test an address without storing anything")
def check(request: HttpRequest, given: AddressIn) -> object:
    return checking.check(given.url).as_dict()


@router.get("/admin/feeds/{feed_id}", response=FeedOut, summary="One feed, with a sample of its events")
def show(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.find_feed(feed_id))


@router.post("/admin/feeds/{feed_id}/check", response=CheckedOut, summary="Test a feed without storing anything")
def check_feed(request: HttpRequest, feed_id: UUID) -> object:
    return checking.check_feed(services.find_feed(feed_id)).as_dict()


@router.post("/admin/feeds/{feed_id}/approve", response=FeedOut, summary="Approve a feed, so that it is read regularly")
def approve(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.approve(actor_behind(request), services.find_feed(feed_id)))


@router.post("/admin/feeds/{feed_id}/leave-out", response=FeedOut, summary="Leave a feed out; its source stays")
def leave_out(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.leave_out_feed(actor_behind(request), services.find_feed(feed_id)))


@router.post("/admin/feeds/{feed_id}/remove", response=FeedOut, summary="Remove a feed, so that it is not found again")
def remove(request: HttpRequest, feed_id: UUID, given: RemoveIn | None = None) -> object:
    reason = given.reason if given else ""
    return _out(request, services.remove(actor_behind(request), services.find_feed(feed_id), reason))


def _out(request: HttpRequest, feed: Feed) -> dict[str, Any]:
    return {
        **feed_details(feed),
        "domain": feed.domain.name,
        "allowed_actions": services.allowed(actor_behind(request), feed),
    }
