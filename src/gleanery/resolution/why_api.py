"""API route that explains why two records count as the same thing, or as different things."""

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
    field: str = Field(
        description="Name of the compared field; `prior` is the starting value before any field is compared."
    )
    level: str = Field(description="Level of agreement.")
    points: float = Field(description="Logarithm to base 2: one more point makes a match twice as likely.")
    total: float = Field(description="Sum of the points so far.")
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
    version: str = Field(description="Version of the weights.")
    as_merged: bool = Field(
        description="True if the two are merged now; the comparison uses their fields before the merge."
    )
    verdict: VerdictOut | None = Field(description="The current decision of a person about the two.")


@router.get("/admin/records/{record_id}/why/{other_id}", response=WhyOut, summary="Explain how alike two records are")
def show_why(request: HttpRequest, record_id: UUID, other_id: UUID) -> object:
    return why(services.find_record(record_id), services.find_record(other_id)).as_dict()
