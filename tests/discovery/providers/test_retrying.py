"""One query with its retries, and the pauses between requests."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.provider import Query
from gleanery.discovery.providers.retrying import BUDGET, SearchResponse, search_with_retries
from gleanery.errors import ProviderFailure
from tests.net.servers import Heard, Site, Writer, answer

from .vendors import GRANTS, NAMES, TYPES, Script, Time, entries, found, says_json, vendor, with_vendor


def asking(name: str, *scripts: Script, at: Time | None = None) -> tuple[SearchResponse | ProviderFailure, Site]:
    pacing = (at or Time()).pacing()

    async def use(client, provider):  # type: ignore[no-untyped-def]
        try:
            return await search_with_retries(client, provider, GRANTS, pacing=pacing)
        except ProviderFailure as failure:
            return failure

    return with_vendor(name, scripts, use)


def good(name: str) -> bytes:
    return found(name, entries(name, 3))


@pytest.mark.parametrize("name", NAMES)
def test_an_immediate_response_is_one_try(name: str):
    asked, made = asking(name, good(name))
    assert isinstance(asked, SearchResponse)
    assert (len(asked.page.hits), asked.tries, len(made.heard)) == (3, 1, 1)


@pytest.mark.parametrize("name", NAMES)
def test_temporary_failures_are_retried(name: str):
    asked, made = asking(name, answer(503), answer(429), good(name))
    assert isinstance(asked, SearchResponse)
    assert (len(asked.page.hits), asked.tries, len(made.heard)) == (3, 3, 3)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_at_most_three_tries(name: str):
    failure, made = asking(name, answer(500))
    assert isinstance(failure, ProviderFailure)
    assert (failure.tries, len(made.heard)) == (3, 3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("final", [answer(401), answer(402), answer(400), answer(200, b"<html>")])
def test_final_failures_are_not_retried(name: str, final: bytes):
    failure, made = asking(name, final, good(name))
    assert isinstance(failure, ProviderFailure)
    assert (failure.tries, len(made.heard)) == (1, 1)


@pytest.mark.parametrize("status", [432, 433])
def test_a_used_up_plan_of_tavily_is_not_retried(status: int):
    failure, made = asking("tavily", answer(status, b"", "Retry-After: 1"), good("tavily"))
    assert (getattr(failure, "tries", None), len(made.heard)) == (1, 1)


def test_a_broken_connection_is_retried():
    async def breaks(heard: Heard, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")
        await writer.drain()
        writer.transport.abort()

    asked, _ = asking("serper", breaks, good("serper"))
    assert isinstance(asked, SearchResponse)
    assert asked.tries == 2


def test_the_back_off_doubles_with_jitter():
    seen = set()
    for _ in range(20):
        at = Time()
        asking("serper", answer(500), at=at)
        first, second = [wait for wait in at.slept if wait > 0.2]
        assert 0.5 <= first <= 1.5
        assert 1.0 <= second <= 3.0
        seen.add(first)
    assert len(seen) > 10, "never all at the same moment"


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("Retry-After: 20", 20, 23),
        ("retry-after-ms: 30000", 30, 33),
        ("Retry-After: 60", 60, 63),
        ("Retry-After: -9", 0, 3),
    ],
)
def test_the_requested_wait_is_kept(header: str, least: float, most: float):
    at = Time()
    began = at.now
    asked, _ = asking("tavily", answer(429, b"", header), good("tavily"), at=at)
    assert isinstance(asked, SearchResponse)
    assert least <= at.now - began <= most


@pytest.mark.parametrize(
    "header", ["Retry-After: 61", "Retry-After: 1e12", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"]
)
def test_a_wait_of_more_than_a_minute_is_given_up_at_once(header: str):
    at = Time()
    failure, made = asking("tavily", answer(429, b"", header), good("tavily"), at=at)
    assert isinstance(failure, ProviderFailure)
    assert (failure.tries, len(made.heard), sum(at.slept)) == (1, 1, 0)


@pytest.mark.parametrize("late", [1.0, -0.1])
def test_a_slow_provider_is_given_up_when_the_budget_is_or_would_be_exceeded(late: float):
    at = Time()

    async def slow(heard: Heard, writer: Writer) -> None:
        at.now += BUDGET + late
        writer.write(answer(500))

    failure, made = asking("perplexity", slow, at=at)
    assert isinstance(failure, ProviderFailure)
    assert len(made.heard) == 1


def test_two_long_waits_exceed_the_budget():
    at = Time()
    began = at.now
    failure, made = asking("tavily", answer(429, b"", "Retry-After: 60"), at=at)
    assert isinstance(failure, ProviderFailure)
    assert len(made.heard) == 2
    assert at.now - began <= BUDGET


def test_the_response_time_excludes_waits():
    async def slow(heard: Heard, writer: Writer) -> None:
        await asyncio.sleep(0.1)
        writer.write(good("serper"))

    async def run() -> tuple[SearchResponse, float]:
        async with vendor("serper", answer(500), slow) as (client, provider, _):
            started = time.monotonic()
            asked = await search_with_retries(client, provider, GRANTS, pacing=Pacing(first_back_off=0.2))
            return asked, time.monotonic() - started

    asked, whole = asyncio.run(run())
    assert 0.1 <= asked.elapsed < whole - 0.1
    assert asked.tries == 2


def test_a_failure_has_its_response_time_too():
    async def slow(heard: Heard, writer: Writer) -> None:
        await asyncio.sleep(0.1)
        writer.write(answer(401))

    async def run() -> None:
        async with vendor("serper", slow) as (client, provider, _):
            await search_with_retries(client, provider, GRANTS, pacing=Pacing())

    with pytest.raises(ProviderFailure) as caught:
        asyncio.run(run())
    assert caught.value.elapsed >= 0.1


PAUSE = 0.05


def arrivals(name: str, pacing: Pacing, *scripts: bytes, questions: int) -> list[float]:
    """Return the times of requests for concurrent queries, by the real clock."""
    came: list[float] = []

    def noted(script: bytes) -> Script:
        async def handler(heard: Heard, writer: Writer) -> None:
            came.append(time.monotonic())
            writer.write(script)

        return handler

    async def run() -> None:
        async with vendor(name, *map(noted, scripts)) as (client, provider, _):
            texts = [Query(text=f"question {number}") for number in range(questions)]
            await asyncio.gather(*(search_with_retries(client, provider, text, pacing=pacing) for text in texts))

    asyncio.run(run())
    return came


@pytest.mark.parametrize("name", NAMES)
def test_requests_to_a_provider_are_separated_by_its_pause(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TYPES[name], "pause", PAUSE)
    came = arrivals(name, Pacing(), good(name), questions=5)
    assert all(after - before > PAUSE * 0.7 for before, after in pairwise(came))
    assert came[-1] - came[0] > PAUSE * 3.5


def test_the_pause_holds_across_event_loops_of_one_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TYPES["serper"], "pause", PAUSE)
    pacing = Pacing()
    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(arrivals, "serper", pacing, good("serper"), questions=4) for _ in range(2)]
        came = sorted(moment for run in runs for moment in run.result())
    assert came[-1] - came[0] > PAUSE * 6.5


def test_providers_do_not_wait_for_each_other():
    at = Time()
    pacing = at.pacing()

    async def run() -> None:
        for kind in TYPES.values():
            await pacing.wait_turn(kind)

    asyncio.run(run())
    assert sum(at.slept) == 0


def test_a_wait_requested_for_one_query_holds_for_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TYPES["serper"], "pause", PAUSE)
    slow_down = says_json({}, 429, "retry-after-ms: 500")
    first, second, *_ = arrivals("serper", Pacing(first_back_off=0.01), slow_down, good("serper"), questions=3)
    assert second - first > 0.45


def test_the_caps_and_pauses_are_those_of_the_design():
    assert {name: kind.daily_cap for name, kind in TYPES.items()} == {
        "brave_search": 50,
        "serper": 60,
        "searxng": None,
        "tavily": 25,
        "perplexity": 25,
    }
    assert all(0 < kind.pause < 2 for kind in TYPES.values())
