"""Brave Search. An invalid key gives status 422; 429 means too fast, or the monthly quota is used up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode

from gleanery.discovery.providers.brave_locale import brave_country, brave_language
from gleanery.discovery.providers.hit_parsing import Columns, hits, text_of
from gleanery.discovery.providers.provider import NOTHING, Query, ResultPage
from gleanery.discovery.providers.response import LARGEST, ProviderResponse, fetch
from gleanery.errors import ProviderFailure, ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request

COLUMNS = Columns("url", "title", "description")
MOST = 20
PAGES = 10
LETTERS, WORDS = 400, 50

FIGURE = re.compile("[0-9]{1,9}")

CODES = {
    "SUBSCRIPTION_TOKEN_INVALID": ProviderProblem.AUTH,
    "RATE_LIMITED": ProviderProblem.RATE_LIMIT,
    "VALIDATION": ProviderProblem.BAD_RESPONSE,
}


@dataclass(frozen=True, slots=True)
class BraveSearch:
    name: ClassVar[str] = "brave_search"
    timeout: ClassVar[float] = 5.0
    daily_cap: ClassVar[int | None] = 50
    pause: ClassVar[float] = 1.1  # the free plan allows one request per second, by its own clock

    base: str
    operator: bool
    key: str = field(repr=False)

    async def search(self, client: Client, query: Query) -> ResultPage:
        if query.page > PAGES:
            return NOTHING
        answer = await fetch(client, self._request(query), "Brave Search")
        results = results_of(answer)
        more = answer.table("query").get("more_results_available") is True and query.page < PAGES
        return ResultPage(hits(results, COLUMNS, query, min(query.count, MOST)), more)

    def _request(self, query: Query) -> Request:
        asked: dict[str, Any] = {
            "q": query.cut(LETTERS, WORDS),
            "count": min(query.count, MOST),
            "offset": query.page - 1,  # counts pages, not results
            "result_filter": "web",
            "text_decorations": "false",
            **brave_country(query.country),
            **brave_language(query.language, query.country),
        }
        return Request(
            url=f"{self.base}/res/v1/web/search?{urlencode(asked, errors='replace')}",
            headers={"Accept": "application/json", "X-Subscription-Token": self.key},
            deadline=self.timeout,
            largest=LARGEST,
            operator=self.operator,
        )


def results_of(answer: ProviderResponse) -> list[Any]:
    """Return the results; a search without `web` found nothing, and an error counts with any status."""
    body = answer.table()
    if answer.status != HTTPStatus.OK or (body.get("error") and not body.get("web")):
        raise failure(answer)
    if body.get("web") is None and (body.get("type") == "search" or "query" in body):
        return []
    results = answer.table("web").get("results")
    if not isinstance(results, list):
        raise answer.failure()
    return results


def failure(answer: ProviderResponse) -> ProviderFailure:
    kind = CODES.get(text_of(answer.table("error").get("code")))
    if kind is ProviderProblem.RATE_LIMIT or (kind is None and answer.status == HTTPStatus.TOO_MANY_REQUESTS):
        return limit(answer)
    if kind is ProviderProblem.BAD_RESPONSE:
        return answer.failure(kind, "Brave Search does not understand the query. Simplify it.")
    return answer.failure(kind)


def limit(answer: ProviderResponse) -> ProviderFailure:
    if month_is_used_up(answer):
        return answer.failure(ProviderProblem.QUOTA)
    limited = answer.failure(ProviderProblem.RATE_LIMIT)
    resets = figures(answer, "X-RateLimit-Reset")
    if limited.retry_after is None and resets:
        limited.retry_after = float(resets[0])  # that of the shortest window, whose limit was hit
    return limited


def month_is_used_up(answer: ProviderResponse) -> bool:
    """Return True if the monthly quota is used up, by the error's figures, else by the headers (one per window)."""
    meta = answer.table("error", "meta")
    allowed, used = meta.get("quota_limit"), meta.get("quota_current")
    if isinstance(allowed, int) and isinstance(used, int):
        return 0 < allowed <= used
    left = figures(answer, "X-RateLimit-Remaining")
    return len(left) > 1 and left[-1] == 0


def figures(answer: ProviderResponse, header: str) -> list[int]:
    words = [word.strip() for word in answer.headers.get(header, "").split(",")]
    return [int(word) for word in words if FIGURE.fullmatch(word)]
