"""Tavily. It has no pages; statuses 432 and 433 mean that the plan or pay-as-you-go limit is used up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from gleanery.discovery.providers.hit_parsing import Columns, hits
from gleanery.discovery.providers.provider import NOTHING, Query, ResultPage
from gleanery.discovery.providers.response import LARGEST, ProviderResponse, fetch
from gleanery.discovery.providers.tavily_country import COUNTRIES
from gleanery.errors import ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request, json_post

COLUMNS = Columns("url", "title", "content")
MOST = 20
LETTERS = 400
USED_UP = {432: ProviderProblem.QUOTA, 433: ProviderProblem.QUOTA}


@dataclass(frozen=True, slots=True)
class Tavily:
    name: ClassVar[str] = "tavily"
    timeout: ClassVar[float] = 7.0
    daily_cap: ClassVar[int | None] = 25
    pause: ClassVar[float] = 0.7  # a development key allows a hundred requests per minute

    base: str
    operator: bool
    key: str = field(repr=False)

    async def search(self, client: Client, query: Query) -> ResultPage:
        if query.page > 1:
            return NOTHING
        answer = await fetch(client, self._request(query), "Tavily")
        return ResultPage(hits(results_of(answer), COLUMNS, query, min(query.count, MOST)), more=False)

    def _request(self, query: Query) -> Request:
        asked: dict[str, Any] = {
            "query": query.cut(LETTERS),
            "search_depth": "basic",
            "topic": "general",
            "max_results": min(query.count, MOST),
        }
        if query.country in COUNTRIES:
            asked["country"] = COUNTRIES[query.country]
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
        raise answer.failure(USED_UP.get(answer.status))
    return results
