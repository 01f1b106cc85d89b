"""Against a real SearXNG, where one is named: SEARXNG_URL=http://localhost:8080 pytest tests/discovery/providers"""

from __future__ import annotations

import asyncio
import os

import pytest

from gleanery.discovery.providers.asking import Asked, ask
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Query
from gleanery.discovery.providers.registry import enabled
from gleanery.environment import Environment
from gleanery.net.client import Client

# The suite's settings remove every GLEANERY_* variable, so only the product's own name of the setting is left.
URL = os.environ.get("SEARXNG_URL", "")


@pytest.mark.skipif(not URL, reason="SEARXNG_URL is not set: no real SearXNG to ask")
def test_a_real_searxng_answers_in_the_shape_that_we_read():
    async def run() -> Asked:
        known = Environment(searxng_url=URL.rstrip("/"))
        [provider] = enabled(known)
        async with Client(known) as client:
            return await ask(client, provider, Query(text="grants for schools", language="en"), pacing=Pacing())

    asked = asyncio.run(run())
    assert asked.page.hits
    assert asked.page.more
    assert all(hit.url.startswith("http") and hit.title for hit in asked.page.hits)
    assert not any("</" in hit.description for hit in asked.page.hits)
