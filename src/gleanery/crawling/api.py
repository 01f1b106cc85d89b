"""API routes of crawling: list, show and cancel crawls, list visits and due pages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.crawling import numbers, services
from gleanery.crawling.models import Crawl, Visit
from gleanery.cursor import MOST, newest_first

router = Router(tags=["crawling"])


class CrawlOut(Schema):
    id: UUID
    domain: str = Field(alias="domain.name")
    session: UUID | None = Field(alias="session_id", description="The weekly deep crawl that it belongs to, if any.")
    kind: str
    status: str
    max_depth: int
    max_pages: int
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    reason: str = Field(alias="end_reason")


class CrawlDetail(CrawlOut):
    numbers: dict[str, Any] = Field(
        description="Visits by state, rate, reasons for refusals and failures, latest addresses."
    )

    @staticmethod
    def resolve_numbers(crawl: Crawl) -> dict[str, Any]:
        return numbers.of_crawl(crawl.pk).as_dict()


class CrawlPage(Schema):
    items: list[CrawlOut]
    next_cursor: str | None


class CrawlFilter(Schema):
    domain__name: str | None = Field(None, alias="domain")
    session_id: UUID | None = Field(None, alias="session")
    status: str | None = None
    kind: str | None = None


class VisitOut(Schema):
    id: UUID
    url: str
    kind: str
    depth: int
    state: str
    reason: str
    status: int | None
    size: int | None
    visited_at: datetime | None
    snapshot: UUID | None = Field(alias="snapshot_id")


class VisitPage(Schema):
    items: list[VisitOut]
    next_cursor: str | None


class PageOut(Schema):
    url: str
    due_at: datetime
    due_reason: str
    last_fetched_at: datetime
    last_changed_at: datetime | None
    last_status: int
    unchanged_count: int


@router.get("/admin/crawls", response=CrawlPage, summary="List crawls, newest first", url_name="crawls")
def list_crawls(
    request: HttpRequest,
    filters: Query[CrawlFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True, by_alias=False)
    return newest_first(Crawl.objects.select_related("domain").filter(**wanted), cursor, limit)


@router.get("/admin/crawls/{crawl_id}", response=CrawlDetail, summary="Show a crawl with its current figures")
def show_crawl(request: HttpRequest, crawl_id: UUID) -> Crawl:
    return services.find(crawl_id)


@router.get("/admin/crawls/{crawl_id}/visits", response=VisitPage, summary="List the visits of a crawl")
def list_visits(
    request: HttpRequest,
    crawl_id: UUID,
    state: str | None = None,
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    visits = Visit.objects.filter(crawl=services.find(crawl_id))
    return newest_first(visits.filter(state=state) if state else visits, cursor, limit)


@router.post(
    "/admin/crawls/{crawl_id}/cancel", response=CrawlDetail, summary="Cancel a crawl; the request in flight is the last"
)
def cancel(request: HttpRequest, crawl_id: UUID) -> Crawl:
    return services.cancel(actor_behind(request), services.find(crawl_id))


@router.get("/admin/domains/{domain_id}/pages", response=list[PageOut], summary="List when each page is due, and why")
def list_pages(
    request: HttpRequest, domain_id: UUID, limit: Annotated[int, Field(ge=1, le=1000)] = 100
) -> list[dict[str, Any]]:
    return numbers.refresh_plan(domain_id, limit)
