"""Serper, a Google search API. Every 4xx but 429 is final; one kind of 400 means that the credits are used up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from gleanery.discovery.providers.hit_parsing import Columns, hits, text_of
from gleanery.discovery.providers.provider import Query, ResultPage
from gleanery.discovery.providers.response import LARGEST, ProviderResponse, fetch
from gleanery.errors import ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request, json_post

COLUMNS = Columns("link", "title", "snippet")
MOST = 100
SPENT = "not enough credits"


@dataclass(frozen=True, slots=True)
class Serper:
    name: ClassVar[str] = "serper"
    timeout: ClassVar[float] = 5.0
    daily_cap: ClassVar[int | None] = 60
    pause: ClassVar[float] = 0.2

    base: str
    operator: bool
    key: str = field(repr=False)

    async def search(self, client: Client, query: Query) -> ResultPage:
        answer = await fetch(client, self._request(query), "Serper")
        results = results_of(answer)
        # Pages may be short at any point, so only an empty page is surely the last.
        return ResultPage(hits(results, COLUMNS, query, min(query.count, MOST)), more=bool(results))

    def _request(self, query: Query) -> Request:
        asked: dict[str, Any] = {"q": query.text, "num": min(query.count, MOST), "page": query.page}
        if query.country:
            asked["gl"] = query.country.lower()
        if query.language:
            asked["hl"] = query.language
        return json_post(
            f"{self.base}/search",
            asked,
            {"X-API-KEY": self.key},
            deadline=self.timeout,
            largest=LARGEST,
            operator=self.operator,
        )


def results_of(answer: ProviderResponse) -> list[Any]:
    results = answer.results("organic")
    if results is None:
        spent = SPENT in text_of(answer.table().get("message")).lower()
        raise answer.failure(ProviderProblem.QUOTA if spent else None)
    return results
