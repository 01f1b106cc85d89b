"""Background jobs of resolution."""

from __future__ import annotations

from uuid import UUID

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app


@app.task(queue="resolution", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def resolve_domain(extraction: str) -> None:
    from gleanery.resolution import services

    services.resolve_domain(UUID(extraction))


@app.periodic(cron="*/5 * * * *")
@app.task(queue="resolution", queueing_lock="catch_up_with_rules")
def catch_up_with_rules(timestamp: int) -> None:
    """Recompute records that an older version computed by other rules."""
    from gleanery.resolution.intake import recompute

    recompute.catch_up()


@app.task(queue="resolution", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def follow_trust(source: str, after: str) -> None:
    from gleanery.resolution.intake import trust

    trust.follow_rest(UUID(source), UUID(after))
