"""Sends one query to a provider, with a limited number of retries."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Provider, Query, ResultPage
from gleanery.errors import ProviderFailure
from gleanery.net.client import Client

MOST_TRIES = 3
LONGEST_WAIT = 60.0  # if a provider asks for more, the query is given up
BUDGET = 90.0  # seconds after the first request in which the last may begin: enough for one long wait, not two


class SearchResponse(NamedTuple):
    """A page of results; `elapsed` is the response time of the successful request, without waits."""

    page: ResultPage
    elapsed: float
    tries: int


async def search_with_retries(client: Client, provider: Provider, query: Query, *, pacing: Pacing) -> SearchResponse:
    """Return the results, or raise the last ProviderFailure, with `elapsed` and `tries`."""
    await pacing.wait_turn(provider)
    ends = pacing.clock() + BUDGET
    tries = 1
    while True:
        started = pacing.clock()
        try:
            page = await provider.search(client, query)
            return SearchResponse(page, pacing.clock() - started, tries)
        except ProviderFailure as failure:
            failure.elapsed, failure.tries = pacing.clock() - started, tries
            if not may_retry(failure, ends - pacing.clock()):
                raise
            await pacing.back_off(provider, tries, failure.retry_after)
            await pacing.wait_turn(provider)
            if pacing.clock() > ends:
                raise
        tries += 1


def may_retry(failure: ProviderFailure, left: float) -> bool:
    wait = failure.retry_after or 0.0
    return failure.worth_retrying and failure.tries < MOST_TRIES and wait <= min(LONGEST_WAIT, left)
