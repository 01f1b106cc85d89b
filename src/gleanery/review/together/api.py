"""Routes of causes: look at all pairs that have one, and decide about them together."""

from __future__ import annotations

from datetime import date
from typing import Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.review.together import services
from gleanery.review.together.causes import Cause

router = Router(tags=["review"])


class SideOut(Schema):
    record: UUID
    name: str
    day: date | None
    source: str


class PairOut(Schema):
    item: UUID = Field(description="The review item of the first: /admin/review-queue/{id}.")
    one: SideOut
    other: SideOut
    probability: float


class CauseOut(Schema):
    id: str
    kind: str = Field(description="sources: two that tell the same things; series: one thing on several days.")
    sentence: str
    count: int
    seen: str = Field(description="Send it back with the decision: it changes with the pairs.")

    @staticmethod
    def resolve_count(cause: Cause) -> int:
        return len(cause.pairs)


class CauseDetail(CauseOut):
    pairs: list[PairOut]


class DecideIn(Schema):
    answer: Literal["same", "different"] = Field(description="same: merge each pair; different: keep each separate.")
    seen: str


class RefusedOut(Schema):
    pair: PairOut
    reason: str


class TogetherOut(Schema):
    said: str
    done: list[PairOut]
    refused: list[RefusedOut]


@router.get("/admin/review-causes", response=list[CauseOut], summary="What several possible duplicates have in common")
def list_causes(request: HttpRequest) -> object:
    return services.causes()


@router.get("/admin/review-causes/{cause_id}", response=CauseDetail, summary="All pairs of a cause")
def show_cause(request: HttpRequest, cause_id: str) -> object:
    return services.find(cause_id)


@router.post("/admin/review-causes/{cause_id}/decide", response=TogetherOut, summary="Decide about all its pairs")
def decide(request: HttpRequest, cause_id: str, given: DecideIn) -> object:
    """Each pair stands alone and can be undone alone; those that somebody else holds are refused, with the reason."""
    result = services.decide(actor_behind(request), cause_id, given.answer, given.seen)
    refused = [{"pair": pair, "reason": reason} for pair, reason in result.refused]
    return {"said": result.said, "done": result.done, "refused": refused}
