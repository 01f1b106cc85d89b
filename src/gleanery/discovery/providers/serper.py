"""Serper, which asks Google. Any 4xx but 429 is final, and one 400 means that the credits are spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from gleanery.discovery.providers.answer import LARGEST, Answer, fetch
from gleanery.discovery.providers.provider import Page, Query
from gleanery.discovery.providers.reading import Columns, hits, text_of
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

    async def search(self, client: Client, query: Query) -> Page:
        answer = await fetch(client, self._request(query), "Serper")
        results = results_of(answer)
        # Google gives fewer than were asked for even in the middle; only an empty page is the last.
        return Page(hits(results, COLUMNS, query, min(query.count, MOST)), more=bool(results))

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


def results_of(answer: Answer) -> list[Any]:
    results = answer.results("organic")
    if results is None:
        spent = SPENT in text_of(answer.table().get("message")).lower()
        raise answer.failure(ProviderProblem.QUOTA if spent else None)
    return results
