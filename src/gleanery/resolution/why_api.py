"""The route that says why two records are taken for one thing, or for two."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from gleanery.resolution import services
from gleanery.resolution.presenting.why import why

router = Router(tags=["records"])


class StepOut(Schema):
    field: str = Field(description="`prior` is what is usual before anything is known of the two.")
    level: str = Field(description="How far they agree.")
    points: float = Field(description="Logarithm to base 2: one more makes it twice as likely.")
    total: float = Field(description="The sum up to here.")
    sentence: str


class VerdictOut(Schema):
    verdict: str
    by: str
    at: datetime
    sentence: str


class WhyOut(Schema):
    records: list[dict[str, Any]]
    kind: str
    probability: float
    band: str = Field(description="auto, review or none")
    summary: str
    steps: list[StepOut]
    vetoes: list[str]
    total: float
    version: str = Field(description="Of the points.")
    as_merged: bool = Field(description="They are one by now; this is what each was before.")
    verdict: VerdictOut | None = Field(description="What somebody said about them.")


@router.get(
    "/admin/records/{record_id}/why/{other_id}", response=WhyOut, summary="Why two are taken for one thing, or for two"
)
def show_why(request: HttpRequest, record_id: UUID, other_id: UUID) -> object:
    return why(services.find_record(record_id), services.find_record(other_id)).as_dict()
