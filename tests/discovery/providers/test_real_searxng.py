"""Tests with a real SearXNG, if set: SEARXNG_URL=http://localhost:8080 pytest tests/discovery/providers"""

from __future__ import annotations

import asyncio
import os

import pytest

from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Query
from gleanery.discovery.providers.registry import enabled
from gleanery.discovery.providers.retrying import SearchResponse, search_with_retries
from gleanery.environment import Environment
from gleanery.net.client import Client

# The suite's settings remove every GLEANERY_* variable, so only the product's own name of the setting is left.
URL = os.environ.get("SEARXNG_URL", "")


@pytest.mark.skipif(not URL, reason="SEARXNG_URL is not set: no real SearXNG to ask")
def test_a_real_searxng_responds_in_the_expected_format():
    async def run() -> SearchResponse:
        known = Environment(searxng_url=URL.rstrip("/"))
        [provider] = enabled(known)
        async with Client(known) as client:
            return await search_with_retries(
                client, provider, Query(text="grants for schools", language="en"), pacing=Pacing()
            )

    response = asyncio.run(run())
    assert response.page.hits
    assert response.page.more
    assert all(hit.url.startswith("http") and hit.title for hit in response.page.hits)
    assert not any("</" in hit.description for hit in response.page.hits)
