"""Routes of feeds: what sources offer, whether each is read, and what an address would bring."""

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
from gleanery.feeds.models import Feed
from gleanery.feeds.reading import checking
from gleanery.feeds.shown import listed, told

router = Router(tags=["feeds"])


class FeedOut(Schema):
    id: UUID
    domain: str = Field(description="The source that it belongs to.")
    url: str
    host: str = Field(description="Who is asked; often the source itself.")
    platform: str
    label: str
    title: str
    found_on: str = Field(description="A page that shows it.")
    state: str = Field(description="found, approved, left_out, stopped or removed")
    sentence: str = Field(description="What became of it.")
    events: int = Field(description="How many it told of last.")
    sample: list[dict[str, Any]]
    problems: list[str]
    read_at: datetime | None
    due_at: datetime | None = Field(description="When it is read next; empty: it is not.")
    failures: int = Field(description="In a row.")
    allowed_actions: list[str]


class FeedPage(Schema):
    items: list[FeedOut]
    next_cursor: str | None


class FeedFilter(Schema):
    domain: str | None = None
    state: str | None = None
    platform: str | None = None


class FeedIn(Schema):
    domain: str = Field(description="The source that shows it as its own.")
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
    ttl_seconds: int | None = Field(description="How long it asks not to be asked.")
    sample: list[dict[str, Any]]
    problems: list[str]


@router.get("/admin/feeds", response=FeedPage, summary="Feeds of sources")
def list_feeds(
    request: HttpRequest,
    filters: Query[FeedFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    page = newest_first(listed(**filters.model_dump()), cursor, limit)
    return {"items": [_out(request, each) for each in page.items], "next_cursor": page.next_cursor}


@router.post("/admin/feeds", response=FeedOut, summary="Add a feed to a source; it is read once to see that it is one")
def add(request: HttpRequest, given: FeedIn) -> object:
    return _out(request, checking.add(actor_behind(request), registry.find(given.domain), given.url))


@router.post("/admin/feeds/check", response=CheckedOut, summary="What an address would bring; nothing is stored")
def check(request: HttpRequest, given: AddressIn) -> object:
    return checking.check(given.url).as_dict()


@router.get("/admin/feeds/{feed_id}", response=FeedOut, summary="One feed, with a sample of what it brings")
def show(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.find_feed(feed_id))


@router.post("/admin/feeds/{feed_id}/check", response=CheckedOut, summary="Read it now; nothing is stored")
def check_feed(request: HttpRequest, feed_id: UUID) -> object:
    return checking.check_feed(services.find_feed(feed_id)).as_dict()


@router.post("/admin/feeds/{feed_id}/approve", response=FeedOut, summary="Read it from now on")
def approve(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.approve(actor_behind(request), services.find_feed(feed_id)))


@router.post("/admin/feeds/{feed_id}/leave-out", response=FeedOut, summary="Do not read it; its source stays")
def leave_out(request: HttpRequest, feed_id: UUID) -> object:
    return _out(request, services.leave_out_feed(actor_behind(request), services.find_feed(feed_id)))


@router.post("/admin/feeds/{feed_id}/remove", response=FeedOut, summary="Remove it; it is not found again")
def remove(request: HttpRequest, feed_id: UUID, given: RemoveIn | None = None) -> object:
    reason = given.reason if given else ""
    return _out(request, services.remove(actor_behind(request), services.find_feed(feed_id), reason))


def _out(request: HttpRequest, feed: Feed) -> dict[str, Any]:
    return {**told(feed), "domain": feed.domain.name, "allowed_actions": services.allowed(actor_behind(request), feed)}
