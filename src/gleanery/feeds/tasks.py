"""Background job that searches the pages of a crawl or preview for feeds."""

from __future__ import annotations

from uuid import UUID

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app


@app.task(queue="feeds", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def look_for_feeds(crawl: str | None = None, preview: str | None = None) -> None:
    from gleanery.feeds.finding import page_search

    page_search.look_for_feeds(UUID(crawl or preview))
