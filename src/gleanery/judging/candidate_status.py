"""Displayed status of candidates: an open review item takes precedence over the stored status."""

from __future__ import annotations

from django.db.models import CharField, F, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from gleanery.judging.models import Candidate

# Names the table of the later review stage instead of importing it. Index: review_source_once.
OPEN_ITEM = """
    SELECT CASE WHEN review_item.claimed_until > now() THEN 'in_review' ELSE 'pending_review' END
    FROM review_item WHERE review_item.domain_id = candidate.domain_id AND review_item.status = 'pending'
"""
DERIVED = ("pending_review", "in_review")


def with_shown_status(candidates: QuerySet[Candidate]) -> QuerySet[Candidate]:
    item = RawSQL(OPEN_ITEM, (), CharField())  # noqa: S611  # a constant of this file
    return candidates.annotate(shown_status=Coalesce(item, F("status"), output_field=CharField()))


def of_status(candidates: QuerySet[Candidate], status: str) -> QuerySet[Candidate]:
    """Filter by displayed status if it is a derived one, otherwise by stored status."""
    return candidates.filter(**{"shown_status" if status in DERIVED else "status": status})
