"""Background jobs of extraction."""

from __future__ import annotations

from uuid import UUID

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app


@app.task(queue="extraction", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def extract_crawl(crawl: str) -> None:
    from gleanery.extraction import services

    services.extract_crawl(UUID(crawl))


@app.task(queue="extraction", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def extract_preview(preview: str) -> None:
    from gleanery.extraction import services

    services.extract_preview(UUID(preview))
