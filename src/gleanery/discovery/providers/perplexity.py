"""Perplexity's search API. It has no pages, and its snippets may be whole page texts unless limited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from gleanery.discovery.providers.hit_parsing import Columns, hits
from gleanery.discovery.providers.provider import NOTHING, Query, ResultPage
from gleanery.discovery.providers.response import LARGEST, ProviderResponse, fetch
from gleanery.net.client import Client
from gleanery.net.exchange import Request, json_post

COLUMNS = Columns("url", "title", "snippet")
MOST = 20
TOKENS = 256  # per page: a little more than the thousand characters that are stored
ALSO_RETRY = frozenset({408, 409})


@dataclass(frozen=True, slots=True)
class Perplexity:
    name: ClassVar[str] = "perplexity"
    timeout: ClassVar[float] = 15.0
    daily_cap: ClassVar[int | None] = 25
    pause: ClassVar[float] = 0.4

    base: str
    operator: bool
    key: str = field(repr=False)

    async def search(self, client: Client, query: Query) -> ResultPage:
        if query.page > 1:
            return NOTHING
        answer = await fetch(client, self._request(query), "Perplexity")
        return ResultPage(hits(results_of(answer), COLUMNS, query, min(query.count, MOST)), more=False)

    def _request(self, query: Query) -> Request:
        asked: dict[str, Any] = {
            "query": query.text,
            "max_results": min(query.count, MOST),
            "max_tokens_per_page": TOKENS,
        }
        if query.country:
            asked["country"] = query.country
        if query.language:
            asked["search_language_filter"] = [query.language]
        return json_post(
            f"{self.base}/search",
            asked,
            {"Authorization": f"Bearer {self.key}"},
            deadline=self.timeout,
            largest=LARGEST,
            operator=self.operator,
        )


def results_of(answer: ProviderResponse) -> list[Any]:
    results = answer.results("results")
    if results is None:
        raise answer.failure(also_retry=ALSO_RETRY)
    return results
