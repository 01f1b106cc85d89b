"""API routes for observations, pages, contacts and the trust of sources."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.crawling.models import Page
from gleanery.cursor import MOST, newest_first
from gleanery.domains.models import Domain
from gleanery.errors import NotFound
from gleanery.extraction import services
from gleanery.extraction.contacts.domain_contacts import contacts_of
from gleanery.extraction.models import Flag, Observation, Source
from gleanery.extraction.note_codes import ASKS

router = Router(tags=["extraction"])


class SourceOut(Schema):
    id: UUID
    kind: str
    name: str
    trust: int
    is_trust_set: bool = Field(description="true: an admin has set the trust; false: it follows the domain.")
    asks: list[str] = Field(
        description="Notes that hold back its records for review; `probation` holds back all of them."
    )
    created_at: datetime


class SourcePage(Schema):
    items: list[SourceOut]
    next_cursor: str | None


class TrustIn(Schema):
    trust: int


class AsksIn(Schema):
    asks: list[str] = Field(description=f"Any of {', '.join(ASKS)}; an empty list holds nothing back.")


class ObservationOut(Schema):
    id: UUID
    source: str = Field(alias="source.name")
    trust: int = Field(alias="source.trust")
    kind: str
    external_id: str
    payload: dict[str, Any]
    extractor: str
    extractor_version: int
    page: str | None = None
    feed: UUID | None = Field(description="The feed that last contained it, if any: /admin/feeds/{id}.")
    version: int
    first_seen: datetime
    last_seen: datetime
    not_seen_since: datetime | None
    superseded_at: datetime | None

    @staticmethod
    def resolve_page(observation: Observation) -> str | None:
        return observation.page.url if observation.page else None


class VersionOut(Schema):
    id: UUID
    version: int
    first_seen: datetime
    superseded_at: datetime | None


class ObservationDetail(ObservationOut):
    original: Any
    evidence: dict[str, str] = Field(description="Where on the page each value was found.")
    versions: list[VersionOut]

    @staticmethod
    def resolve_versions(observation: Observation) -> list[Observation]:
        return list(services.versions_of(observation))


class ObservationPage(Schema):
    items: list[ObservationOut]
    next_cursor: str | None


class ObservationFilter(Schema):
    source__name: str | None = Field(None, alias="source")
    source__domain__name: str | None = Field(None, alias="domain")
    kind: str | None = None
    superseded_at__isnull: bool | None = Field(None, alias="current", description="false: only superseded versions.")


class FlagOut(Schema):
    topic: str | None = None
    score: Decimal
    threshold: Decimal
    relevant: bool
    by: str
    reasons: list[dict[str, Any]]

    @staticmethod
    def resolve_topic(flag: Flag) -> str | None:
        return flag.topic.name if flag.topic else None


class ContactOut(Schema):
    """A contact, for staff only; never published."""

    name: str
    role: str
    type: str = Field(description="Purpose, such as press or general; empty if unknown.")
    authority: str = Field(description="decides, advises or forwards; empty if unknown.")
    email: str
    phone: str
    address: str
    validated_at: datetime | None = Field(description="When the site last listed it or a person checked it.")


class ContactsOut(Schema):
    items: list[ContactOut]


class PageFindings(Schema):
    url: str
    flag: FlagOut | None
    observations: list[ObservationDetail]


@router.get("/admin/observations", response=ObservationPage, summary="Observations, newest first")
def list_observations(
    request: HttpRequest,
    filters: Query[ObservationFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True, by_alias=False)
    return newest_first(Observation.objects.select_related("source", "page").filter(**wanted), cursor, limit)


@router.get(
    "/admin/observations/{observation_id}",
    response=ObservationDetail,
    summary="One version of an observation, with its evidence and other versions",
)
def show_observation(request: HttpRequest, observation_id: UUID) -> Observation:
    return services.find_observation(observation_id)


@router.get(
    "/admin/pages/{page_id}/observations", response=PageFindings, summary="Relevance and observations of a page"
)
def show_page(request: HttpRequest, page_id: UUID) -> dict[str, Any]:
    page = Page.objects.filter(pk=page_id).first()
    if page is None:
        raise NotFound("There is no such page.")
    return {
        "url": page.url,
        "flag": services.flag_of(page),
        "observations": list(services.observations_of(page).select_related("page")),
    }


@router.get("/admin/domains/{domain_id}/contacts", response=ContactsOut, summary="Contacts of a domain")
def list_contacts(request: HttpRequest, domain_id: UUID) -> object:
    domain = Domain.objects.filter(pk=domain_id).first()
    if domain is None:
        raise NotFound("There is no such domain.")
    return {"items": contacts_of(domain)}


@router.get("/admin/sources", response=SourcePage, summary="Sources and their trust")
def list_sources(
    request: HttpRequest, cursor: str | None = None, limit: Annotated[int, Field(ge=1, le=MOST)] = 50
) -> object:
    return newest_first(Source.objects.all(), cursor, limit)


@router.post("/admin/sources/{source_id}/trust", response=SourceOut, summary="Set the trust of a source")
def set_trust(request: HttpRequest, source_id: UUID, given: TrustIn) -> Source:
    return services.set_trust(actor_behind(request), services.find_source(source_id), given.trust)


@router.post(
    "/admin/sources/{source_id}/asks",
    response=SourceOut,
    summary="Choose which records of a source are held back for review",
)
def set_asks(request: HttpRequest, source_id: UUID, given: AsksIn) -> Source:
    return services.set_asks(actor_behind(request), services.find_source(source_id), given.asks)
