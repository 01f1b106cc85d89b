"""The five vendors on loopback, with their own response formats or any response a test needs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlsplit

import pytest

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Provider, Query, ResultPage
from gleanery.discovery.providers.registry import PROVIDERS, enabled
from gleanery.environment import Environment
from gleanery.errors import ProviderFailure
from gleanery.net.client import Client
from tests.net.servers import Handler, Heard, Site, Writer, answer, site

T = TypeVar("T")
Script = bytes | Handler
Use = Callable[[Client, Provider], Awaitable[T]]

NAMES = tuple(offer.name for offer in PROVIDERS)
KEYED = tuple(name for name in NAMES if name != "searxng")
KEY = "sk-5up3r-s3cr3t-k3y"
GRANTS = Query(text="grants for schools")

# Where each vendor keeps its list, and what it calls the parts of a hit.
LISTS = {"brave_search": "web", "searxng": "results", "serper": "organic", "tavily": "results", "perplexity": "results"}
PARTS = {
    "brave_search": ("url", "title", "description"),
    "searxng": ("url", "title", "content"),
    "serper": ("link", "title", "snippet"),
    "tavily": ("url", "title", "content"),
    "perplexity": ("url", "title", "snippet"),
}


class Time:
    """A clock that only advances during sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def pacing(self) -> Pacing:
        return Pacing(sleep=self.sleep, clock=self.clock)


class Sent(NamedTuple):
    """A request as the vendor received it."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    json: Any


def entry(name: str, url: Any, title: Any = "A title", description: Any = "A description") -> dict[str, Any]:
    return dict(zip(PARTS[name], (url, title, description), strict=True))


def entries(name: str, number: int) -> list[dict[str, Any]]:
    return [entry(name, f"https://example{index}.org/", f"Title {index}") for index in range(1, number + 1)]


def body(name: str, results: Any, **more: Any) -> dict[str, Any]:
    """Return a response of the vendor with these results."""
    asked = {"original": GRANTS.text, "more_results_available": True}
    around: dict[str, dict[str, Any]] = {
        "brave_search": {"type": "search", "query": asked, "web": {"type": "search", "results": results}},
        "searxng": {"query": GRANTS.text, "number_of_results": 0, "results": results, "unresponsive_engines": []},
        "serper": {"searchParameters": {"q": GRANTS.text, "type": "search"}, "organic": results, "credits": 1},
        "tavily": {"query": GRANTS.text, "answer": None, "results": results, "response_time": 1.2},
        "perplexity": {"id": "5d1f", "results": results},
    }
    return {**around[name], **more}


def says_json(value: Any, status: int = 200, *headers: str) -> bytes:
    return answer(status, json.dumps(value).encode(), "Content-Type: application/json", *headers)


def found(name: str, results: Any, **more: Any) -> bytes:
    return says_json(body(name, results, **more))


def environment(url: str) -> Environment:
    return Environment(
        brave_api_key=KEY,
        serper_api_key=KEY,
        tavily_api_key=KEY,
        perplexity_api_key=KEY,
        searxng_url=url,
        provider_urls=dict.fromkeys(KEYED, url),
    )


def in_turn(scripts: tuple[Script, ...]) -> Handler:
    """Return a handler that sends the answers in order and repeats the last."""
    left = list(scripts)

    async def handler(heard: Heard, writer: Writer) -> None:
        script = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(script, bytes):
            writer.write(script)
        else:
            await script(heard, writer)

    return handler


# The classes, for what is the same in all of a kind: their limits.
TYPES: dict[str, Any] = {provider.name: type(provider) for provider in enabled(environment("http://127.0.0.1:1"))}


@asynccontextmanager
async def vendor(name: str, *scripts: Script) -> Any:
    """The client, the provider and the test site of its vendor."""
    async with site(in_turn(scripts)) as made:
        known = environment(f"http://127.0.0.1:{made.port}")
        [provider] = [each for each in enabled(known) if each.name == name]
        async with Client(known) as client:
            yield client, provider, made


def with_vendor(name: str, scripts: tuple[Script, ...], use: Use[T]) -> tuple[T, Site]:
    async def run() -> tuple[T, Site]:
        async with vendor(name, *scripts) as (client, provider, made):
            return await use(client, provider), made

    return asyncio.run(run())


def search(name: str, *scripts: Script, query: Query = GRANTS) -> ResultPage:
    return with_vendor(name, scripts, lambda client, provider: provider.search(client, query))[0]


def hits(name: str, results: Any, query: Query = GRANTS) -> tuple[Hit, ...]:
    return search(name, found(name, results), query=query).hits


def failure(name: str, *scripts: Script) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        search(name, *scripts)
    assert str(caught.value) == caught.value.sentence
    assert caught.value.sentence.endswith(".")
    return caught.value


def sent(name: str, query: Query) -> Sent:
    _, made = with_vendor(name, (found(name, []),), lambda client, provider: provider.search(client, query))
    [got] = as_sent(made)
    return got


def as_sent(made: Site) -> Iterator[Sent]:
    for heard in made.heard:
        parts = urlsplit(heard.path)
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        yield Sent(heard.method, parts.path, params, heard.headers, json.loads(heard.body) if heard.body else None)
