"""Routes of discovery: sessions, results, the spam bin, providers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field, Query, Router, Schema, Status

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first
from gleanery.discovery import numbers, services
from gleanery.discovery.lifecycle import OUTCOMES
from gleanery.discovery.models import Result, Session
from gleanery.discovery.status import provider_status
from gleanery.discovery.tasks import start_in_background
from gleanery.errors import NotFound

router = Router(tags=["discovery"])


class SessionIn(Schema):
    topic: str
    providers: list[str] = []
    max_queries: Annotated[int, Field(ge=1, le=1000)] | None = None


class SessionOut(Schema):
    id: UUID
    topic: str | None = Field(description="None for a deep crawl of every approved domain.")
    type: str
    status: str
    providers: list[str]
    queries: list[str]
    started_at: datetime
    completed_at: datetime | None
    error: str

    @staticmethod
    def resolve_topic(session: Session) -> str | None:
        return session.topic.name if session.topic else None


class SessionDetail(SessionOut):
    numbers: dict[str, Any]
    links: dict[str, str] = Field(description="Links to its results by outcome, or to its crawls.")

    @staticmethod
    def resolve_numbers(session: Session) -> dict[str, Any]:
        return numbers.of_session(session.pk).as_dict()

    @staticmethod
    def resolve_links(session: Session, context: dict[str, Any]) -> dict[str, str]:
        version = context["request"].resolver_match.namespace
        what = "results" if session.topic else "crawls"
        every = f"{reverse(f'{version}:{what}')}?session={session.pk}"
        return {what: every, **{each: f"{every}&outcome={each}" for each in OUTCOMES if session.topic}}


class SessionPage(Schema):
    items: list[SessionOut]
    next_cursor: str | None


class ResultOut(Schema):
    id: UUID
    session: UUID = Field(alias="session_id")
    provider: str
    query: str
    position: int
    url: str
    title: str
    description: str
    domain: str = Field(alias="domain_name")
    outcome: str
    is_duplicate: bool
    duplicate_of_domain: UUID | None
    rule: str
    reason: str
    discovered_at: datetime
    rescued_at: datetime | None


class ResultPage(Schema):
    items: list[ResultOut]
    next_cursor: str | None


class ResultFilter(Schema):
    session_id: UUID | None = Field(None, alias="session")
    provider: str | None = None
    outcome: str | None = None
    rule: str | None = None
    domain_name: str | None = Field(None, alias="domain")


class ProviderOut(Schema):
    provider: str
    on: bool
    setting: str
    used_today: int
    daily_cap: int | None
    last_error: str
    last_error_at: datetime | None


@router.post("/admin/sessions", response={202: SessionDetail}, summary="Start a search session in the background")
def start(request: HttpRequest, given: SessionIn) -> object:
    topic = services.find_topic(given.topic)
    session = start_in_background(
        actor_behind(request), topic, "manual_search", providers=given.providers, most=given.max_queries
    )
    return Status(202, session)


@router.get("/admin/sessions", response=SessionPage, summary="List sessions, newest first")
def list_sessions(
    request: HttpRequest, cursor: str | None = None, limit: Annotated[int, Field(ge=1, le=MOST)] = 50
) -> object:
    return newest_first(Session.objects.select_related("topic"), cursor, limit)


@router.get("/admin/sessions/{session_id}", response=SessionDetail, summary="Show a session with figures per provider")
def show_session(request: HttpRequest, session_id: UUID) -> object:
    session = Session.objects.select_related("topic").filter(pk=session_id).first()
    if session is None:
        raise NotFound("This session does not exist.")
    return session


@router.get(
    "/admin/results",
    response=ResultPage,
    summary="List hits with their outcome; outcome=spam is the spam bin",
    url_name="results",
)
def list_results(
    request: HttpRequest,
    filters: Query[ResultFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True, by_alias=False)
    return newest_first(Result.objects.filter(**wanted), cursor, limit)


@router.post("/admin/results/{result_id}/rescue", response=ResultOut, summary="Rescue a hit from the spam bin")
def rescue(request: HttpRequest, result_id: UUID) -> Result:
    result = Result.objects.filter(pk=result_id).first()
    if result is None:
        raise NotFound("This result does not exist.")
    return services.rescue(actor_behind(request), result)


@router.get("/admin/spam-rules", response=list[dict[str, Any]], summary="Show how often each spam rule hit, and erred")
def spam_rules(request: HttpRequest) -> list[dict[str, Any]]:
    return services.mistakes_of_rules()


@router.get("/admin/providers", response=list[ProviderOut], summary="List providers with their caps and last errors")
def list_providers(request: HttpRequest) -> object:
    return provider_status()
