"""Quality figures of domains, derived from their results, judgements and records."""

from __future__ import annotations

from django.db.models import DecimalField, IntegerField, QuerySet
from django.db.models.expressions import RawSQL

from gleanery.domains.models import Domain

# Later stages cannot be imported, so their tables are named. Each figure is a subquery of its own, by the index on
# the domain, so that joins do not multiply the counts.
COUNTED = {
    "occurrences": "SELECT count(*) FROM result WHERE domain_id = domain.id AND outcome IN ('new', 'duplicate')",
    "high_count": "SELECT count(*) FROM judgement WHERE domain_id = domain.id AND confidence >= threshold",
    "low_count": "SELECT count(*) FROM judgement WHERE domain_id = domain.id AND confidence < threshold",
    # Neither merged nor deleted records. Index: observation_current_once.
    "records": """
        SELECT count(DISTINCT record.id) FROM source
        JOIN observation ON observation.source_id = source.id AND observation.superseded_at IS NULL
        JOIN record ON record.id = observation.record AND record.status IN ('in_review', 'published')
        WHERE source.domain_id = domain.id
    """,
}
RATED = {
    "best_confidence": "SELECT max(confidence) FROM judgement WHERE domain_id = domain.id",
    "average_confidence": "SELECT round(avg(confidence), 2) FROM judgement WHERE domain_id = domain.id",
}
FIGURES = ("occurrences", "best_confidence", "average_confidence", "high_count", "low_count", "records")


def with_quality(domains: QuerySet[Domain]) -> QuerySet[Domain]:
    counts = {name: RawSQL(sql, (), IntegerField()) for name, sql in COUNTED.items()}  # noqa: S611  # constants above
    confidence = DecimalField(max_digits=3, decimal_places=2)
    rates = {name: RawSQL(sql, (), confidence) for name, sql in RATED.items()}  # noqa: S611  # constants above
    return domains.annotate(**counts, **rates)
