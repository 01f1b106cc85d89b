"""Known failures of the vendors, and the kind of each."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from gleanery.discovery.providers import registry
from gleanery.errors import ProviderFailure, ProviderProblem
from gleanery.net.client import Client
from tests.net.servers import Heard, Writer, answer

from .vendors import GRANTS, NAMES, TYPES, body, environment, failure, found, says_json, search


def meaning(problem: ProviderFailure) -> tuple[str, bool]:
    return str(problem.kind), problem.worth_retrying


def brave_error(status: int, code: str, **meta: Any) -> dict[str, Any]:
    error = {"id": "5f", "status": status, "code": code, "detail": "Something about it.", "meta": meta}
    return {"type": "ErrorResponse", "error": error, "time": 1773685964}


def brave_limit(quota_limit: int | None, quota_current: int | None) -> dict[str, Any]:
    return brave_error(
        429,
        "RATE_LIMITED",
        plan="Free",
        rate_limit=1,
        rate_current=1,
        quota_limit=quota_limit,
        quota_current=quota_current,
        component="rate_limiter",
    )


# Brave


def test_brave_422_with_a_bad_token_is_a_matter_of_the_key():
    problem = failure("brave_search", says_json(brave_error(422, "SUBSCRIPTION_TOKEN_INVALID"), 422))
    assert meaning(problem) == ("auth", False)
    assert "key" in problem.sentence


def test_brave_422_with_bad_parameters_is_final_but_not_a_matter_of_the_key():
    problem = failure("brave_search", says_json(brave_error(422, "VALIDATION"), 422))
    assert meaning(problem) == ("bad_response", False)
    assert "query" in problem.sentence


def test_brave_429_by_the_second_waits():
    assert meaning(failure("brave_search", says_json(brave_limit(2000, 15), 429))) == ("rate_limit", True)


@pytest.mark.parametrize(("allowed", "used"), [(2000, 2000), (2000, 2001), (1, 1)])
def test_brave_429_by_a_used_up_month_stops(allowed: int, used: int):
    problem = failure("brave_search", says_json(brave_limit(allowed, used), 429, "Retry-After: 1"))
    assert meaning(problem) == ("quota", False)
    assert "used up" in problem.sentence


@pytest.mark.parametrize(("allowed", "used"), [(None, None), (0, 0), (0, 7), (None, 7)])
def test_brave_429_of_a_plan_without_a_month_waits(allowed: int | None, used: int | None):
    assert meaning(failure("brave_search", says_json(brave_limit(allowed, used), 429))) == ("rate_limit", True)


def limits(remaining: str, reset: str) -> tuple[str, ...]:
    return "X-RateLimit-Limit: 1, 15000", f"X-RateLimit-Remaining: {remaining}", f"X-RateLimit-Reset: {reset}"


def test_brave_429_without_figures_in_its_body_is_classified_by_its_headers():
    by_second = failure("brave_search", answer(429, b"slow down", *limits("0, 14523", "1, 1419704")))
    assert (*meaning(by_second), by_second.retry_after) == ("rate_limit", True, 1.0)
    by_month = failure("brave_search", answer(429, b"slow down", *limits("0, 0", "1, 1419704")))
    assert meaning(by_month) == ("quota", False)


def test_brave_429_waits_as_long_as_retry_after_says_before_the_window_counts():
    problem = failure(
        "brave_search", says_json(brave_limit(2000, 15), 429, "Retry-After: 7", *limits("0, 14523", "1, 1419704"))
    )
    assert problem.retry_after == 7.0


@pytest.mark.parametrize("odd", ["", ",", "a, b", "-1, -1", "9" * 400, "1"])
def test_brave_429_with_odd_headers_only_waits(odd: str):
    assert meaning(failure("brave_search", answer(429, b"", *limits(odd, odd)))) == ("rate_limit", True)


@pytest.mark.parametrize("status", [401, 403])
def test_brave_401_and_403_are_a_matter_of_the_key(status: int):
    assert meaning(failure("brave_search", answer(status))) == ("auth", False)


def test_brave_error_inside_a_200_means_what_its_code_says():
    assert meaning(failure("brave_search", says_json(brave_limit(2000, 2000)))) == ("quota", False)
    assert meaning(failure("brave_search", says_json(brave_limit(2000, 1)))) == ("rate_limit", True)
    assert meaning(failure("brave_search", says_json(brave_error(200, "SUBSCRIPTION_TOKEN_INVALID"))))[0] == "auth"
    assert meaning(failure("brave_search", says_json(brave_error(200, "OTHER")))) == ("bad_response", False)


# SearXNG


def test_searxng_403_says_how_to_enable_json():
    problem = failure("searxng", answer(403, b"<html>Forbidden</html>", "Content-Type: text/html"))
    assert not problem.worth_retrying
    assert "Enable `json` under `search.formats`" in problem.sentence


def test_searxng_400_is_final():
    assert meaning(failure("searxng", answer(400, b"<html>No query</html>"))) == ("bad_response", False)


def test_searxng_429_of_its_limiter_is_plain_text_and_waits():
    problem = failure("searxng", answer(429, b"Too Many Requests", "Content-Type: text/plain"))
    assert meaning(problem) == ("rate_limit", True)


@pytest.mark.parametrize(
    ("engines", "kind", "again"),
    [
        ([["google", "too many requests"]], "rate_limit", False),
        ([["google", "Suspended: too many requests"], ["bing", "timeout"]], "rate_limit", False),
        ([["google", "CAPTCHA"]], "rate_limit", False),
        ([["bing", "timeout"]], "timeout", True),
        ([["bing", "unexpected crash"]], "bad_response", False),
        (["bing"], "bad_response", False),
        ([[]], "bad_response", False),
        ([None, 7, {"a": 1}, [["x"]]], "bad_response", False),
        ("all", "bad_response", False),
        ({"bing": "timeout"}, "bad_response", False),
    ],
)
def test_searxng_without_results_and_with_silent_engines_has_failed(engines: Any, kind: str, again: bool):
    problem = failure("searxng", found("searxng", [], unresponsive_engines=engines))
    assert meaning(problem) == (kind, again)


def test_searxng_names_the_engines_that_failed_in_clean_text():
    told = [["goo\x00gle\u202e", "too many\nrequests"], ["bing", "x" * 5000], *([["more", "and more"]] * 50)]
    sentence = failure("searxng", found("searxng", [], unresponsive_engines=told)).sentence
    assert "google, too many requests; bing, x" in sentence
    assert len(sentence) < 500


# Serper


def test_serper_403_is_a_matter_of_the_key():
    problem = failure("serper", says_json({"message": "Unauthorized.", "statusCode": 403}, 403))
    assert meaning(problem) == ("auth", False)


@pytest.mark.parametrize("status", [400, 200])
def test_serper_without_credits_stops(status: int):
    problem = failure("serper", says_json({"message": "Not enough credits", "statusCode": 400}, status))
    assert meaning(problem) == ("quota", False)


def test_what_the_vendor_says_about_key_or_credits_is_final_even_under_a_5xx():
    spent = failure("serper", says_json({"message": "Not enough credits"}, 500))
    assert meaning(spent) == ("quota", False)
    token = failure("brave_search", says_json(brave_error(500, "SUBSCRIPTION_TOKEN_INVALID"), 500))
    assert meaning(token) == ("auth", False)


def test_serper_429_waits():
    assert meaning(failure("serper", says_json({"message": "Rate limit"}, 429))) == ("rate_limit", True)


@pytest.mark.parametrize("status", [400, 402, 404, 408, 409, 413, 422, 451])
def test_serper_any_other_4xx_is_final(status: int):
    assert not failure("serper", says_json({"message": "No."}, status)).worth_retrying


# Tavily


def tavily_error(text: str) -> dict[str, Any]:
    return {"detail": {"error": text}}


@pytest.mark.parametrize("status", [401, 403])
def test_tavily_401_and_403_are_a_matter_of_the_key(status: int):
    assert meaning(failure("tavily", says_json(tavily_error("Unauthorized"), status))) == ("auth", False)


def test_tavily_429_waits():
    problem = failure("tavily", says_json(tavily_error("Too many"), 429, "Retry-After: 3"))
    assert (*meaning(problem), problem.retry_after) == ("rate_limit", True, 3.0)


@pytest.mark.parametrize("status", [432, 433])
def test_tavily_432_and_433_stop_even_with_a_retry_after(status: int):
    problem = failure("tavily", says_json(tavily_error("This request exceeds your plan"), status, "Retry-After: 1"))
    assert meaning(problem) == ("quota", False)


def test_tavily_error_inside_a_200_is_a_failure():
    assert meaning(failure("tavily", says_json(tavily_error("Something")))) == ("bad_response", False)


# Perplexity


@pytest.mark.parametrize(
    ("status", "kind"),
    [(408, "timeout"), (409, "bad_response"), (429, "rate_limit"), (500, "bad_response"), (503, "bad_response")],
)
def test_perplexity_408_409_429_and_5xx_are_tried_again_after_retry_after_ms(status: int, kind: str):
    problem = failure(
        "perplexity", says_json({"error": {"message": "x"}}, status, "retry-after-ms: 250", "Retry-After: 9")
    )
    assert (*meaning(problem), problem.retry_after) == (kind, True, 0.25)


@pytest.mark.parametrize(
    ("status", "kind"), [(400, "bad_response"), (401, "auth"), (403, "auth"), (422, "bad_response")]
)
def test_perplexity_any_other_4xx_is_final(status: int, kind: str):
    assert meaning(failure("perplexity", says_json({"error": {"message": "x"}}, status))) == (kind, False)


# All


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_5xx_is_tried_again(name: str, status: int):
    problem = failure(name, answer(status, b"<html>Bad gateway</html>"))
    assert meaning(problem) == ("bad_response", True)
    assert str(status) in problem.sentence


@pytest.mark.parametrize("name", NAMES)
def test_a_504_is_a_timeout(name: str):
    assert meaning(failure(name, answer(504))) == ("timeout", True)


@pytest.mark.parametrize("name", NAMES)
def test_a_402_is_a_matter_of_the_plan(name: str):
    assert meaning(failure(name, answer(402))) == ("quota", False)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_response_is_a_timeout(name: str, monkeypatch: pytest.MonkeyPatch):
    async def silent(heard: Heard, writer: Writer) -> None:
        await asyncio.sleep(30)

    monkeypatch.setattr(TYPES[name], "timeout", 0.1)
    assert meaning(failure(name, silent)) == ("timeout", True)


@pytest.mark.parametrize("name", NAMES)
def test_a_trickling_response_is_a_timeout(name: str, monkeypatch: pytest.MonkeyPatch):
    async def trickle(heard: Heard, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
        while True:
            writer.write(b"{")
            await writer.drain()
            await asyncio.sleep(0.02)

    monkeypatch.setattr(TYPES[name], "timeout", 0.15)
    assert meaning(failure(name, trickle)) == ("timeout", True)


def test_the_timeouts_are_those_of_the_design():
    assert {name: kind.timeout for name, kind in TYPES.items()} == {
        "brave_search": 5,
        "serper": 5,
        "searxng": 7,
        "tavily": 7,
        "perplexity": 15,
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_connection_reset_within_the_body_is_a_network_failure(name: str):
    whole = found(name, [{"url": "https://example.org/"}] * 5)

    async def breaks(heard: Heard, writer: Writer) -> None:
        writer.write(whole[: len(whole) // 2])
        await writer.drain()
        writer.transport.abort()

    assert meaning(failure(name, breaks)) == ("network", True)


@pytest.mark.parametrize("name", NAMES)
def test_a_vendor_that_does_not_listen_cannot_be_reached(name: str):
    async def run() -> None:
        known = environment("http://127.0.0.1:1")
        [provider] = [each for each in registry.enabled(known) if each.name == name]
        async with Client(known) as client:
            await provider.search(client, GRANTS)

    with pytest.raises(ProviderFailure) as caught:
        asyncio.run(run())
    assert meaning(caught.value) == ("network", True)


GARBAGE = {
    "html": b"<!doctype html><title>Sign in to the hotel's network</title>",
    "nothing": b"",
    "noise": bytes(range(256)),
    "half": b'{"results": [{"url": "https://exam',
    "two values": b"{}{}",
    "not utf-8": b'{"results": "\xff\xfe"}',
    "too deep": b"[" * 100_000 + b"]" * 100_000,
    "many digits": b'{"results": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_html_or_garbage_instead_of_json_cannot_be_used(name: str, garbage: bytes):
    assert meaning(failure(name, answer(200, garbage))) == ("bad_response", False)


SHAPES: dict[str, Any] = {
    "null": None,
    "list": [],
    "list of results": [{"url": "https://example.org/"}],
    "text": "results",
    "number": 7,
    "other keys": {"hello": "world"},
    "empty object": {},
    "results as object": {"results": {}, "organic": {}, "web": {"results": {}}},
    "results as text": {"results": "x", "organic": "x", "web": {"results": "x"}},
    "results null": {"results": None, "organic": None, "web": {"results": None}},
    "web as list": {"web": [], "query": {}},
    "web as text": {"web": "x"},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_json_of_another_shape_cannot_be_used(name: str, shape: Any):
    assert meaning(failure(name, says_json(shape))) == ("bad_response", False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("error", ["upstream failed", {"message": "upstream failed"}, ["upstream"], 7])
def test_a_200_with_an_error_inside_is_a_failure(name: str, error: Any):
    assert meaning(failure(name, says_json({"error": error}))) == ("bad_response", False)
    beside = {**body(name, []), "error": error}
    beside.pop("web", None)
    assert meaning(failure(name, says_json(beside))) == ("bad_response", False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_of_100_mb_is_not_read(name: str, announced: bool):
    written = 0

    async def pours(heard: Heard, writer: Writer) -> None:
        nonlocal written
        length = "Content-Length: 104857600" if announced else "Connection: close"
        writer.write(f"HTTP/1.1 200 OK\r\n{length}\r\n\r\n".encode() + b'{"results": ["')
        for _ in range(100):
            writer.write(b"x" * 1024 * 1024)
            await writer.drain()
            written += 1

    assert meaning(failure(name, pours)) == ("bad_response", False)
    assert written < 50


@pytest.mark.parametrize("name", NAMES)
def test_a_redirect_of_an_operators_address_is_not_followed(name: str):
    problem = failure(name, answer(302, b"", "Location: https://example.org/"))
    assert meaning(problem) == ("bad_response", False)


@pytest.mark.parametrize("kind", list(ProviderProblem))
def test_by_default_only_limits_timeouts_and_lost_connections_are_retried(kind: ProviderProblem):
    passing = {ProviderProblem.RATE_LIMIT, ProviderProblem.TIMEOUT, ProviderProblem.NETWORK}
    assert ProviderFailure(kind, "It failed.").worth_retrying is (kind in passing)
    assert not ProviderFailure(kind, "It failed.", worth_retrying=False).worth_retrying


def test_a_hundred_results_fit_into_the_size_limit():
    long = [{"url": f"https://example.org/{index}", "title": "t", "snippet": "слово " * 1000} for index in range(20)]
    assert len(search("perplexity", found("perplexity", long)).hits) == 20
    assert len(json.dumps(long)) > 500_000
