"""Routes of domains: search, look, blacklist, lift."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first
from gleanery.domains import services
from gleanery.domains.models import Domain
from gleanery.domains.quality import with_quality
from gleanery.errors import NotFound

router = Router(tags=["domains"])


class DomainOut(Schema):
    id: UUID
    name: str
    display: str = Field(description="As people read it.")
    registrable: str
    processing_status: str
    approval_status: str
    first_session: UUID | None
    discovered_at: datetime
    last_seen_at: datetime
    blacklisted_at: datetime | None
    blacklist_reason: str
    is_trusted: bool
    notes: str


class DomainDetail(DomainOut):
    """With its quality, derived from the judgements of its results."""

    occurrences: int
    best_confidence: Decimal | None
    average_confidence: Decimal | None
    high_count: int
    low_count: int


class DomainPage(Schema):
    items: list[DomainDetail]
    next_cursor: str | None


class DomainFilter(Schema):
    processing_status: str | None = None
    approval_status: str | None = None
    registrable: str | None = None
    name: str | None = Field(None, description="Part of the name.")
    min_confidence: Decimal | None = Field(None, description="Only those with a judgement at least as good.")


class Reason(Schema):
    reason: str


class Year(Schema):
    year: int


class Refused(Schema):
    given: str
    reason: str


class BulkOut(Schema):
    done: list[DomainOut]
    refused: list[Refused]


@router.get("/admin/domains", response=DomainPage, summary="Domains, the newest first")
def list_domains(
    request: HttpRequest,
    filters: Query[DomainFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True)
    for given, lookup in (("name", "name__icontains"), ("min_confidence", "best_confidence__gte")):
        if given in wanted:
            wanted[lookup] = wanted.pop(given)
    return newest_first(with_quality(Domain.objects.all()).filter(**wanted), cursor, limit)


@router.get("/admin/domains/{domain_id}", response=DomainDetail, summary="One domain with its quality")
def show_domain(request: HttpRequest, domain_id: UUID) -> Domain:
    return with_quality(Domain.objects.filter(pk=_find(domain_id).pk)).get()


@router.post("/admin/domains/{domain_id}/blacklist", response=DomainOut, summary="Never search or crawl it again")
def blacklist(request: HttpRequest, domain_id: UUID, given: Reason) -> Domain:
    return services.blacklist(actor_behind(request), _find(domain_id).name, given.reason)


@router.post("/admin/domains/{domain_id}/lift", response=DomainOut, summary="Take it off the blacklist")
def lift(request: HttpRequest, domain_id: UUID, given: Reason) -> Domain:
    return services.lift(actor_behind(request), _find(domain_id), given.reason)


@router.post("/admin/domains/{domain_id}/no-funds", response=DomainOut, summary="It has nothing to give this year")
def no_funds(request: HttpRequest, domain_id: UUID, given: Year) -> Domain:
    return services.no_funds(actor_behind(request), _find(domain_id), given.year)


def _find(domain_id: UUID) -> Domain:
    domain = Domain.objects.filter(pk=domain_id).first()
    if domain is None:
        raise NotFound("There is no such domain.")
    return domain
