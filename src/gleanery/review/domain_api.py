"""API of decisions about a domain, whether or not it is in the review queue."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.domains.api import BulkOut, DomainOut
from gleanery.domains.models import Domain
from gleanery.errors import NotFound
from gleanery.review.sources import bulk as many
from gleanery.review.sources import source_decisions
from gleanery.review.sources.locked_source import Decision

router = Router(tags=["domains"])


class DecisionOut(Schema):
    domain: DomainOut
    said: str
    review_item: UUID | None
    crawl: UUID | None

    @staticmethod
    def resolve_review_item(decision: Decision) -> UUID | None:
        return decision.item.pk if decision.item else None

    @staticmethod
    def resolve_crawl(decision: Decision) -> UUID | None:
        return decision.crawl.pk if decision.crawl else None


class PaceIn(Schema):
    depth: int | None = Field(None, description="Links from the homepage, 0 to 6.")
    rate: int | None = Field(None, description="Seconds between two requests, 1 to 3600.")
    frequency: int | None = Field(None, description="Hours between two crawls, 1 to 8760.")


class ApproveDomainIn(PaceIn):
    leave_out: list[UUID] = Field([], description="Feeds not to read; the others are approved too.")


class RejectDomainIn(Schema):
    reason: str
    blacklist: bool = Field(False, description="Never search for it again; for people only.")


class SuspendIn(Schema):
    reason: str = ""


class BulkIn(Schema):
    action: Annotated[str, Field(pattern=f"^({'|'.join(many.ACTS)})$")]
    domains: Annotated[list[str], Field(min_length=1, max_length=1000)]
    reason: str = Field("", description=f"Required to {', '.join(many.NEED_A_REASON)}.")
    year: int = Field(0, description="The year without funds, for no-funds.")


@router.post(
    "/admin/domains/bulk", response=BulkOut, summary="Act on many domains; one bad entry does not stop the others"
)
def bulk(request: HttpRequest, given: BulkIn) -> object:
    wish = many.Wish(given.reason, given.year)
    done, refused = many.decide(actor_behind(request), given.action, given.domains, wish)
    return {"done": done, "refused": refused}


@router.post("/admin/domains/{domain_id}/approve", response=DecisionOut, summary="Approve a source and start crawling")
def approve(request: HttpRequest, domain_id: UUID, given: ApproveDomainIn | None = None) -> Decision:
    pace = given.model_dump() if given else {}
    return source_decisions.approve(actor_behind(request), _find(domain_id), **pace)


@router.post("/admin/domains/{domain_id}/reject", response=DecisionOut, summary="Reject a source, with a reason")
def reject(request: HttpRequest, domain_id: UUID, given: RejectDomainIn) -> Decision:
    return source_decisions.reject(actor_behind(request), _find(domain_id), given.reason, blacklist=given.blacklist)


@router.post("/admin/domains/{domain_id}/suspend", response=DecisionOut, summary="Pause crawling")
def suspend(request: HttpRequest, domain_id: UUID, given: SuspendIn | None = None) -> Decision:
    return source_decisions.suspend(actor_behind(request), _find(domain_id), (given or SuspendIn()).reason)


@router.post("/admin/domains/{domain_id}/resume", response=DecisionOut, summary="Resume crawling")
def resume(request: HttpRequest, domain_id: UUID) -> Decision:
    return source_decisions.resume(actor_behind(request), _find(domain_id))


@router.post("/admin/domains/{domain_id}/undo", response=DecisionOut, summary="Undo the decision")
def undo(request: HttpRequest, domain_id: UUID) -> Decision:
    return source_decisions.undo(actor_behind(request), _find(domain_id))


@router.post("/admin/domains/{domain_id}/trust", response=DecisionOut, summary="Trust a source: no reviews any more")
def trust(request: HttpRequest, domain_id: UUID) -> Decision:
    return source_decisions.trust(actor_behind(request), _find(domain_id))


@router.post("/admin/domains/{domain_id}/untrust", response=DecisionOut, summary="Stop trusting a source")
def untrust(request: HttpRequest, domain_id: UUID) -> Decision:
    return source_decisions.untrust(actor_behind(request), _find(domain_id))


@router.post("/admin/domains/{domain_id}/crawl", response=DecisionOut, summary="Crawl all pages now")
def crawl(request: HttpRequest, domain_id: UUID) -> Decision:
    return source_decisions.crawl_now(actor_behind(request), _find(domain_id))


@router.post(
    "/admin/domains/{domain_id}/configure",
    response=DecisionOut,
    summary="Set how deep, how fast and how often to crawl",
)
def configure(request: HttpRequest, domain_id: UUID, given: PaceIn) -> Decision:
    return source_decisions.configure(actor_behind(request), _find(domain_id), **given.model_dump())


def _find(domain_id: UUID) -> Domain:
    domain = Domain.objects.filter(pk=domain_id).first()
    if domain is None:
        raise NotFound("There is no such domain.")
    return domain
