"""How good a domain is, derived from the judgements of its results; none of it is kept in its row."""

from __future__ import annotations

from django.db.models import Avg, Count, F, Max, Q, QuerySet

from gleanery.domains.models import Domain

FIGURES = ("occurrences", "best_confidence", "average_confidence", "high_count", "low_count")


def with_quality(domains: QuerySet[Domain]) -> QuerySet[Domain]:
    """Judgements belong to a later stage: they are named by their relation here, not imported."""
    judged = "judgements__confidence"
    return domains.annotate(
        occurrences=Count("results", filter=Q(results__outcome__in=("new", "duplicate")), distinct=True),
        best_confidence=Max(judged),
        average_confidence=Avg(judged),
        high_count=Count("judgements", filter=Q(judgements__confidence__gte=F("judgements__threshold")), distinct=True),
        low_count=Count("judgements", filter=Q(judgements__confidence__lt=F("judgements__threshold")), distinct=True),
    )
