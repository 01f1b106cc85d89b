"""Any JSON from a vendor gives a page or a ProviderFailure."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanery.discovery.providers.provider import Provider, ResultPage
from gleanery.errors import ProviderFailure
from gleanery.net.client import Client

from .vendors import GRANTS, NAMES, body, says_json, vendor

WORDS = (
    "code content data description detail error link message meta more_results_available organic query quota_current "
    "quota_limit results snippet title type unresponsive_engines url web RATE_LIMITED search"
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(WORDS.split()),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS.split()) | st.text(), inner, max_size=6)
    ),
    max_leaves=20,
)
ANSWERS = st.tuples(ANYTHING, st.sampled_from([200, 200, 200, 400, 403, 422, 429, 432, 500]))
MANY = 4


async def outcome(client: Client, provider: Provider) -> ResultPage | ProviderFailure:
    try:
        return await provider.search(client, GRANTS)
    except ProviderFailure as failure:
        return failure


def is_sound(result: ResultPage | ProviderFailure) -> bool:
    if isinstance(result, ProviderFailure):
        return result.sentence.endswith(".") and min(result.sentence) >= " "
    texts = [text for hit in result.hits for text in (hit.url, hit.title, hit.description)]
    positions = [hit.position for hit in result.hits]
    return all(isinstance(text, str) for text in texts) and positions == list(range(1, len(positions) + 1))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings.default.max_examples // MANY)
@given(data=st.lists(ANSWERS, min_size=MANY, max_size=2 * MANY))
def test_any_json_gives_a_page_or_a_failure(name: str, data: list[tuple[Any, int]]):
    """Try the JSON as the whole body, as the list of results, and as one result."""
    bodies = [
        says_json(value, status)
        for anything, status in data
        for value in (anything, body(name, anything), body(name, [anything]))
    ]

    async def run() -> list[ResultPage | ProviderFailure]:
        async with vendor(name, *bodies) as (client, provider, _):
            return [await outcome(client, provider) for _ in bodies]

    assert all(is_sound(result) for result in asyncio.run(run()))
