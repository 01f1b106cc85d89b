"""One question to one provider, tried again where that makes sense, and never for ever."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Page, Provider, Query
from gleanery.errors import ProviderFailure
from gleanery.net.client import Client

MOST_TRIES = 3
LONGEST_WAIT = 60.0  # a provider that asks for more is given up for this question
BUDGET = 90.0  # seconds after the first request in which the last one may still begin: one long wait, not two


class Asked(NamedTuple):
    """`elapsed` is the provider's response time: the seconds of the request that answered, without any waiting."""

    page: Page
    elapsed: float
    tries: int


async def ask(client: Client, provider: Provider, query: Query, *, pacing: Pacing) -> Asked:
    """The answer, or the last ProviderFailure, which carries `elapsed` and `tries` as well."""
    await pacing.turn(provider)
    ends = pacing.clock() + BUDGET
    tries = 1
    while True:
        started = pacing.clock()
        try:
            page = await provider.search(client, query)
            return Asked(page, pacing.clock() - started, tries)
        except ProviderFailure as failure:
            failure.elapsed, failure.tries = pacing.clock() - started, tries
            if not may_mend(failure, ends - pacing.clock()):
                raise
            await pacing.back_off(provider, tries, failure.retry_after)
            await pacing.turn(provider)
            if pacing.clock() > ends:
                raise
        tries += 1


def may_mend(failure: ProviderFailure, left: float) -> bool:
    wait = failure.retry_after or 0.0
    return failure.worth_retrying and failure.tries < MOST_TRIES and wait <= min(LONGEST_WAIT, left)
