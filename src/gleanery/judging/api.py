"""API routes of judging: candidates, a trial judgement, statistics."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.cursor import MOST, newest_first
from gleanery.discovery.services import find_topic
from gleanery.errors import NotFound
from gleanery.judging import numbers, services
from gleanery.judging.candidate_status import of_status, with_shown_status
from gleanery.judging.models import Candidate, Judgement, Run

router = Router(tags=["judging"])


class CaseIn(Schema):
    topic: str
    url: str
    title: str = ""
    text: str = ""


class JudgementOut(Schema):
    confidence: Decimal | None
    threshold: Decimal
    should_crawl: bool
    scores: list[dict[str, Any]] = Field(description="Name, score, weight and explanation of each judge.")
    organization: str
    programme: str


class ExplainedOut(JudgementOut):
    domain_name: str
    reasoning: str = Field(description="The explanations of the judges in one text.")


class Evidence(JudgementOut):
    result: UUID = Field(alias="result_id")
    url: str = Field(alias="result.url")
    title: str = Field(alias="result.title")
    skipped: str
    judged_at: datetime


class CandidateOut(Schema):
    id: UUID
    domain: str = Field(alias="domain.name")
    topic: str = Field(alias="topic.name")
    status: str
    shown_status: str = Field(
        description="Status with an open review item taken into account: pending_review or in_review."
    )
    confidence: Decimal
    organization: str
    programme: str
    created_at: datetime


class CandidateDetail(CandidateOut):
    evidence: list[Evidence]

    @staticmethod
    def resolve_evidence(candidate: Candidate) -> list[Judgement]:
        return services.evidence_of(candidate)


class CandidatePage(Schema):
    items: list[CandidateOut]
    next_cursor: str | None


class CandidateFilter(Schema):
    status: str | None = None
    topic__name: str | None = Field(None, alias="topic")


class RunOut(Schema):
    id: UUID
    session: UUID | None = Field(alias="session_id")
    started_at: datetime
    completed_at: datetime | None
    numbers: dict[str, Any]

    @staticmethod
    def resolve_numbers(run: Run) -> dict[str, Any]:
        return numbers.of_run(run.pk).as_dict()


class RunPage(Schema):
    items: list[RunOut]
    next_cursor: str | None


@router.post("/admin/judge", response=ExplainedOut, summary="Judge one result without storing it")
def judge(request: HttpRequest, given: CaseIn) -> dict[str, Any]:
    return services.explain(find_topic(given.topic), given.url, given.title, given.text)


@router.get("/admin/candidates", response=CandidatePage, summary="List candidates, newest first")
def list_candidates(
    request: HttpRequest,
    filters: Query[CandidateFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    wanted = filters.model_dump(exclude_none=True, by_alias=False)
    status = wanted.pop("status", None)
    found = _candidates().filter(**wanted)
    return newest_first(of_status(found, status) if status else found, cursor, limit)


@router.get("/admin/candidates/{candidate_id}", response=CandidateDetail, summary="Get a candidate with its evidence")
def show_candidate(request: HttpRequest, candidate_id: UUID) -> Candidate:
    candidate = _candidates().filter(pk=candidate_id).first()
    if candidate is None:
        raise NotFound("There is no such candidate.")
    return candidate


def _candidates() -> QuerySet[Candidate]:
    return with_shown_status(Candidate.objects.select_related("domain", "topic"))


@router.get("/admin/judging-runs", response=RunPage, summary="List judging runs with their statistics, newest first")
def list_runs(
    request: HttpRequest, cursor: str | None = None, limit: Annotated[int, Field(ge=1, le=MOST)] = 20
) -> object:
    return newest_first(Run.objects.all(), cursor, limit)


@router.get("/admin/stats", response=dict[str, Any], summary="Get domains by status, confidence, best domains, yield")
def stats(request: HttpRequest) -> dict[str, Any]:
    return asdict(numbers.quality())
