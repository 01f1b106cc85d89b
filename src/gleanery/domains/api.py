"""API of domains: list, show, blacklist and lift."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from pydantic import BeforeValidator

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first
from gleanery.domains import services
from gleanery.domains.effect import effect_of, foreseen
from gleanery.domains.facts import PEOPLE
from gleanery.domains.models import Domain
from gleanery.domains.quality import with_quality
from gleanery.errors import NotFound

router = Router(tags=["domains"])
LOOKUPS = {
    "name": "name__icontains",
    "min_confidence": "best_confidence__gte",
    "min_high_count": "high_count__gte",
}


Person = Annotated[str | None, BeforeValidator(lambda person: str(person) if person else None)]


class DomainOut(Schema):
    """All facts of its row; `domains/facts.py` lists the same for commands and the console."""

    id: UUID
    name: str
    display: str = Field(description="The name for display, decoded where that is safe.")
    registrable: str
    processing_status: str
    approval_status: str
    is_trusted: bool
    first_session: UUID | None
    discovered_at: datetime
    last_seen_at: datetime = Field(description="When a search result or a crawl last saw it.")
    processing_count: int
    last_processed_at: datetime | None
    last_crawled_at: datetime | None
    failure_count: int = Field(description="Failures in a row.")
    failure_reason: str
    retry_after: datetime | None
    no_funds_year: int | None
    blacklisted_at: datetime | None
    blacklisted_by: Person
    blacklist_reason: str
    submitter_type: str
    submitted_by: Person
    submission_context: str
    reviewed_by: Person
    reviewed_at: datetime | None
    rejection_reason: str
    max_crawl_depth: int
    crawl_rate_limit_seconds: int
    scrape_frequency_hours: int
    notes: str


class DomainDetail(DomainOut):
    """Domain with figures derived from its results, judgements and records."""

    occurrences: int = Field(description="Number of search results that lead to it.")
    best_confidence: Decimal | None
    average_confidence: Decimal | None
    high_count: int = Field(description="Results judged at or above the threshold of their topic.")
    low_count: int
    records: int = Field(description="Number of its current records; /admin/records?source=NAME lists them.")


class EffectOut(Schema):
    """Number of records affected when a domain was blacklisted or taken off the blacklist."""

    records_withdrawn: int = Field(
        description="They have no other source, so they are not public while it is blacklisted."
    )
    records_reduced: int = Field(description="They keep only the values of their other sources.")
    records_brought_back: int = Field(description="They were withdrawn, and are restored.")
    records_completed: int = Field(description="They have its values again.")


class DoneOut(DomainOut):
    effect: EffectOut

    @staticmethod
    def resolve_effect(domain: Domain) -> dict[str, int]:
        return effect_of(domain)


class ForeseenOut(Schema):
    records_withdrawn: int
    records_reduced: int
    said: str


class DomainPage(Schema):
    items: list[DomainDetail]
    next_cursor: str | None


class DomainFilter(Schema):
    processing_status: str | None = None
    approval_status: str | None = None
    registrable: str | None = None
    name: str | None = Field(None, description="Part of the name.")
    min_confidence: Decimal | None = Field(None, description="Only those with a judgement of at least this confidence.")
    min_high_count: Annotated[int, Field(ge=0)] | None = Field(
        None, description="Only those with at least this many high-quality candidates."
    )


class Reason(Schema):
    reason: str


class Year(Schema):
    year: int


class Refused(Schema):
    given: str
    reason: str


class BulkOut(Schema):
    done: list[DoneOut]
    refused: list[Refused]


@router.get("/admin/domains", response=DomainPage, summary="Domains, the newest first")
def list_domains(
    request: HttpRequest,
    filters: Query[DomainFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True)
    for given, lookup in LOOKUPS.items():
        if given in wanted:
            wanted[lookup] = wanted.pop(given)
    return newest_first(with_quality(Domain.objects.select_related(*PEOPLE)).filter(**wanted), cursor, limit)


@router.get("/admin/domains/{domain_id}", response=DomainDetail, summary="One domain with its quality")
def show_domain(request: HttpRequest, domain_id: UUID) -> Domain:
    return with_quality(Domain.objects.filter(pk=_find(domain_id).pk)).get()


@router.get(
    "/admin/domains/{domain_id}/blacklist",
    response=ForeseenOut,
    summary="Preview of what blacklisting would do to records",
)
def foresee(request: HttpRequest, domain_id: UUID) -> object:
    return foreseen(_find(domain_id))


@router.post("/admin/domains/{domain_id}/blacklist", response=DoneOut, summary="Never search or crawl it again")
def blacklist(request: HttpRequest, domain_id: UUID, given: Reason) -> Domain:
    return services.blacklist(actor_behind(request), _find(domain_id).name, given.reason)


@router.post("/admin/domains/{domain_id}/lift", response=DoneOut, summary="Take it off the blacklist")
def lift(request: HttpRequest, domain_id: UUID, given: Reason) -> Domain:
    return services.lift(actor_behind(request), _find(domain_id), given.reason)


@router.post("/admin/domains/{domain_id}/no-funds", response=DomainOut, summary="Mark it as without funds this year")
def no_funds(request: HttpRequest, domain_id: UUID, given: Year) -> Domain:
    return services.no_funds(actor_behind(request), _find(domain_id), given.year)


def _find(domain_id: UUID) -> Domain:
    domain = Domain.objects.filter(pk=domain_id).first()
    if domain is None:
        raise NotFound("There is no such domain.")
    return domain
