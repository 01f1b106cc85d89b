"""API of common causes: list them, show their pairs, and decide about all pairs together."""

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
    kind: str = Field(description="sources: two sources with the same records; series: one event on several days.")
    sentence: str
    count: int
    seen: str = Field(description="Send this back with the decision; it changes when the pairs change.")

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


@router.get("/admin/review-causes", response=list[CauseOut], summary="Common causes of possible duplicates")
def list_causes(request: HttpRequest) -> object:
    return services.causes()


@router.get("/admin/review-causes/{cause_id}", response=CauseDetail, summary="All pairs of a cause")
def show_cause(request: HttpRequest, cause_id: str) -> object:
    return services.find(cause_id)


@router.post(
    "/admin/review-causes/{cause_id}/decide", response=TogetherOut, summary="Decide about all pairs of a cause"
)
def decide(request: HttpRequest, cause_id: str, given: DecideIn) -> object:
    """Each pair is decided separately and can be undone separately; refused pairs are listed with the reason."""
    result = services.decide(actor_behind(request), cause_id, given.answer, given.seen)
    refused = [{"pair": pair, "reason": reason} for pair, reason in result.refused]
    return {"said": result.said, "done": result.done, "refused": refused}
