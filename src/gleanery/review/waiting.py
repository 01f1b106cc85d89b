"""How much waits for a person, counted in a few statements however much there is."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count

from gleanery.domains.models import Domain
from gleanery.judging.models import Candidate
from gleanery.resolution.matches.flagging import ALL_CODES
from gleanery.review.models import Item


class Waiting(NamedTuple):
    sources: int
    records: int
    duplicates: int
    domains: int
    candidates: int
    warnings: list[tuple[str, int]]  # items that have each, the most frequent first


def waiting() -> Waiting:
    """Indexes: review_pending, domain_approval, candidate_best, and that of the warnings of an item."""
    items = Item.objects.filter(status="pending")
    kinds = dict(items.order_by().values_list("kind").annotate(Count("pk")))
    warned = items.filter(warnings__isnull=False).order_by().values_list("warnings__code")
    warnings = warned.annotate(items=Count("pk", distinct=True)).order_by("-items", "warnings__code")
    return Waiting(
        sources=kinds.get("source", 0),
        records=kinds.get("record", 0),
        duplicates=items.filter(warnings__code__in=ALL_CODES).distinct().count(),
        domains=Domain.objects.filter(approval_status="pending_review").count(),
        candidates=Candidate.objects.filter(status="pending_crawl").count(),
        warnings=list(warnings),
    )
