"""SearXNG, the operator's own server. If the engines behind it fail, that is a failure despite status 200."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

from gleanery.discovery.providers.hit_parsing import Columns, hits, text_of, without_html
from gleanery.discovery.providers.provider import Query, ResultPage
from gleanery.discovery.providers.response import LARGEST, ProviderResponse, fetch
from gleanery.errors import ProviderFailure, ProviderProblem
from gleanery.net.client import Client
from gleanery.net.exchange import Request
from gleanery.text import clean_text

COLUMNS = Columns("url", "title", "content", reads=without_html)
MOST_ENGINES = 5

SENTENCES = {
    403: "SearXNG does not return JSON. Enable `json` under `search.formats` in its settings.yml.",
    400: "SearXNG does not understand the query. Simplify it.",
}

# Error of an engine -> kind of failure. Only a timeout is worth an immediate retry.
COMPLAINTS = (
    ("too many requests", ProviderProblem.RATE_LIMIT),
    ("captcha", ProviderProblem.RATE_LIMIT),
    ("timeout", ProviderProblem.TIMEOUT),
)


@dataclass(frozen=True, slots=True)
class SearXNG:
    name: ClassVar[str] = "searxng"
    timeout: ClassVar[float] = 7.0
    daily_cap: ClassVar[int | None] = None
    pause: ClassVar[float] = 1.0  # since the engines behind it ban fast clients

    base: str

    async def search(self, client: Client, query: Query) -> ResultPage:
        answer = await fetch(client, self._request(query), "SearXNG")
        results = results_of(answer)
        # The page size is not known, so only an empty page is surely the last.
        return ResultPage(hits(results, COLUMNS, query, query.count), more=bool(results))

    def _request(self, query: Query) -> Request:
        asked: dict[str, Any] = {"q": query.text, "format": "json", "pageno": query.page, "categories": "general"}
        if query.language:
            asked["language"] = "-".join(filter(None, (query.language, query.country)))
        return Request(
            url=f"{self.base}/search?{urlencode(asked, errors='replace')}",
            headers={"Accept": "application/json"},
            deadline=self.timeout,
            largest=LARGEST,
            operator=True,
        )


def results_of(answer: ProviderResponse) -> list[Any]:
    results = answer.results("results")
    if results is None:
        raise answer.failure(sentence=SENTENCES.get(answer.status, ""))
    unresponsive = answer.table().get("unresponsive_engines")
    if unresponsive and not results:
        raise silence(unresponsive)
    return results


def silence(engines: Any) -> ProviderFailure:
    complaints = [complaint(each) for each in engines[:MOST_ENGINES]] if isinstance(engines, list) else ["unknown"]
    named = "; ".join(complaints)
    kind = next((kind for word, kind in COMPLAINTS if word in named.lower()), ProviderProblem.BAD_RESPONSE)
    return ProviderFailure(
        kind,
        f"None of the engines behind SearXNG responded: {named}.",
        worth_retrying=kind is ProviderProblem.TIMEOUT,
    )


def complaint(engine: Any) -> str:
    """Return "name, reason" of an unresponsive engine, whatever the data type."""
    parts = engine if isinstance(engine, list) else [engine]
    return ", ".join(clean_text(text_of(part), limit=80) for part in parts[:2])
