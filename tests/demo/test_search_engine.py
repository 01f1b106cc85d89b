"""The two search engines respond like the real ones, index different pages, and simulate faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from gleanery.demo.search_engine import faults_of
from gleanery.demo.search_index import SNIPPET, is_form_of, search, snippet
from gleanery.demo.sites import ENGINES, truth
from gleanery.demo.web import SampleWeb
from gleanery.domains.names import domain_of
from tests.demo.conftest import TODAY, Seen, look

Visit = Callable[..., Seen]
QUERIES: dict[str, list[str]] = truth()["queries"]
TYPICAL = [query for queries in QUERIES.values() for query in queries]
SEARXNG = "http://127.0.0.1:8099/searxng/search"
BRAVE = "http://127.0.0.1:8099/brave/res/v1/web/search"
SITES: dict[str, dict[str, Any]] = truth()["sites"]


def found_hosts(engine: str, query: str, most: int = 20) -> set[str]:
    return {domain_of(document.url).name for document in search(engine, query, TODAY)[:most]}


def searxng(visit: Visit, **query: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(visit(f"{SEARXNG}?{urlencode({'format': 'json', **query})}").body)
    return answer


def brave(visit: Visit, **query: object) -> dict[str, Any]:
    seen = visit(f"{BRAVE}?{urlencode(query)}", x_subscription_token="any")
    assert seen.status == 200
    answer: dict[str, Any] = json.loads(seen.body)
    return answer


@pytest.mark.parametrize("topic", QUERIES)
def test_every_source_of_a_topic_is_found_by_one_of_its_queries(topic: str) -> None:
    found = {host for query in QUERIES[topic] for engine in ENGINES for host in found_hosts(engine, query)}
    assert {host for host, each in SITES.items() if topic in each["topics"]} <= found


def test_every_site_is_found_by_some_typical_query() -> None:
    assert {host for query in TYPICAL for engine in ENGINES for host in found_hosts(engine, query)} == set(SITES)


def test_spam_shows_up_among_the_results_of_funding_queries() -> None:
    spam = {host for host, each in SITES.items() if each["quality"] == "spam"}
    assert spam <= {host for query in QUERIES["funding"] for engine in ENGINES for host in found_hosts(engine, query)}


@pytest.mark.parametrize("sign", ["cross-category: gambling", "cross-category: essay mill", "cross-category: loans"])
def test_each_cross_category_site_is_found_often_enough_to_be_blacklisted(sign: str) -> None:
    (host,) = [host for host, each in SITES.items() if each.get("sign") == sign]
    met = {
        document.url
        for query in QUERIES["funding"]
        for engine in ENGINES
        for document in search(engine, query, TODAY)[:20]
        if domain_of(document.url).name == host
    }
    assert len(met) >= 3


def test_each_engine_has_sites_that_the_other_lacks() -> None:
    brave_hosts, searxng_hosts = (
        {host for query in TYPICAL for host in found_hosts(engine, query)} for engine in ENGINES
    )
    assert len(brave_hosts - searxng_hosts) >= 4
    assert len(searxng_hosts - brave_hosts) >= 4
    assert len(brave_hosts & searxng_hosts) >= 12


def test_one_page_is_found_under_several_addresses() -> None:
    urls = [document.url for document in search("searxng", "NGO funding small grants", TODAY)]
    assert "http://bridgefund.example/civic-bridges/small-grants" in urls
    assert any("utm_source" in url for url in urls)


def test_the_best_result_comes_first_in_both_scripts() -> None:
    assert "zhiten-klas.example" in search("brave", "food bank Plovdiv opening hours", TODAY)[0].url
    assert "zhiten-klas.example" in search("searxng", "безплатна храна Пловдив", TODAY)[0].url
    assert "rightsdesk.example" in search("brave", "free legal advice Sofia", TODAY)[0].url


@pytest.mark.parametrize("query", ["", "   ", "the and", "qwertyuiop", "\0", "%%%", "а" * 400])
def test_an_unrelated_query_finds_nothing(query: str) -> None:
    assert search("brave", query, TODAY) == []


@pytest.mark.parametrize(
    ("form", "word", "same"),
    [
        ("училищата", "училища", True),
        ("grants", "grant", True),
        ("grant", "grants", True),
        ("food", "food", True),
        ("football", "food", False),
        ("foundation", "food", False),
        ("нпо", "нпо", True),
    ],
)
def test_forms_of_a_word_count_as_the_word(form: str, word: str, same: bool) -> None:
    assert is_form_of(form, word) is same


def test_searxng_responds_in_its_format(visit: Visit) -> None:
    answer = searxng(visit, q="grants for schools Bulgaria")
    assert set(answer) == {
        *("query", "number_of_results", "results", "answers", "corrections", "infoboxes", "suggestions"),
        "unresponsive_engines",
    }
    assert len(answer["results"]) == 10
    first = answer["results"][0]
    assert {"url", "title", "content", "engine", "engines", "positions", "score", "category", "parsed_url"} <= set(
        first
    )


def test_searxng_has_pages_without_a_total(visit: Visit) -> None:
    pages = [searxng(visit, q="grants for schools Bulgaria", pageno=number)["results"] for number in (1, 2, 3, 9)]
    urls = [result["url"] for page in pages for result in page]
    assert len(set(urls)) == len(urls) > 20
    assert pages[3] == []
    assert searxng(visit, q="grants for schools Bulgaria", pageno=2)["results"] == pages[1], "the order is stable"


def test_searxng_refuses_like_the_real_one(visit: Visit) -> None:
    assert visit(f"{SEARXNG}?format=json").status == 400
    assert visit(f"{SEARXNG}?q=grants").status == 403


def test_brave_responds_in_its_format(visit: Visit) -> None:
    answer = brave(visit, q="grants for schools Bulgaria", count=5)
    assert answer["type"] == "search"
    assert answer["query"]["original"] == "grants for schools Bulgaria"
    assert answer["query"]["more_results_available"] is True
    assert len(answer["web"]["results"]) == 5
    assert {"title", "url", "description", "language", "profile", "meta_url"} <= set(answer["web"]["results"][0])


def test_brave_counts_pages_and_leaves_out_web_without_results(visit: Visit) -> None:
    first, second = (brave(visit, q="grants for schools Bulgaria", offset=page) for page in (0, 1))
    assert not {r["url"] for r in first["web"]["results"]} & {r["url"] for r in second["web"]["results"]}
    beyond = brave(visit, q="grants for schools Bulgaria", offset=9)
    assert "web" not in beyond
    assert beyond["query"]["more_results_available"] is False


def test_brave_decorates_unless_told_otherwise(visit: Visit) -> None:
    (decorated, *_), (bare, *_) = (
        brave(visit, q="grants for schools", text_decorations=flag)["web"]["results"] for flag in ("true", "false")
    )
    assert "<strong>" in decorated["description"]
    assert decorated["description"].replace("<strong>", "").replace("</strong>", "") == bare["description"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"q": ""}, "VALIDATION"),
        ({"q": "x" * 401}, "VALIDATION"),
        ({"q": "x " * 51}, "VALIDATION"),
        ({"q": "x", "count": 21}, "VALIDATION"),
        ({"q": "x", "count": "many"}, "VALIDATION"),
        ({"q": "x", "offset": 10}, "VALIDATION"),
        ({"q": "x", "offset": -1}, "VALIDATION"),
    ],
)
def test_brave_validates(visit: Visit, query: dict[str, object], code: str) -> None:
    seen = visit(f"{BRAVE}?{urlencode(query)}", x_subscription_token="any")
    assert seen.status == 422
    assert json.loads(seen.body)["error"]["code"] == code


def test_brave_requires_a_token(visit: Visit) -> None:
    seen = visit(f"{BRAVE}?q=grants")
    assert seen.status == 422
    assert json.loads(seen.body)["error"]["code"] == "SUBSCRIPTION_TOKEN_INVALID"
    assert seen.headers["X-RateLimit-Limit"] == "1, 15000"


@pytest.mark.parametrize("query", TYPICAL)
def test_snippets_are_cut_between_words(visit: Visit, query: str) -> None:
    for result in searxng(visit, q=query)["results"]:
        text = result["content"]
        assert 0 < len(text) <= SNIPPET + 8
        assert "{{" not in text + result["title"]
        assert not set("<>") & set(text)


def test_a_description_that_begins_with_the_query_is_the_snippet() -> None:
    (home,) = [
        each for each in search("brave", "events in Sofia", TODAY) if each.url.endswith("xqzvtrk7.test/events-in-sofia")
    ]
    assert snippet(home, "events").startswith("Events in Sofia this month. Best events")


def test_no_response_contains_a_date_token(visit: Visit) -> None:
    for answer in (brave(visit, q="grants for schools Bulgaria"), searxng(visit, q="grants for schools Bulgaria")):
        assert "{{" not in json.dumps(answer)


def test_an_engine_can_be_slow(naps: list[float]) -> None:
    web = SampleWeb(TODAY, faults="brave:slow=2")
    look(web, f"{BRAVE}?q=grants", x_subscription_token="any")
    look(web, f"{SEARXNG}?q=grants&format=json")
    assert naps == [2]


def test_an_engine_can_fail_after_a_number_of_queries() -> None:
    web = SampleWeb(TODAY, faults="searxng:fail_after=2,brave:limit_after=0")
    assert [look(web, f"{SEARXNG}?q=grants&format=json").status for _ in range(4)] == [200, 200, 500, 500]
    limited = look(web, f"{BRAVE}?q=grants", x_subscription_token="any")
    assert limited.status == 429
    error = json.loads(limited.body)["error"]
    assert error["code"] == "RATE_LIMITED"
    assert error["meta"]["quota_current"] == error["meta"]["quota_limit"]


def test_a_limited_searxng_still_returns_200() -> None:
    seen = look(SampleWeb(TODAY, faults="searxng:limit_after=0"), f"{SEARXNG}?q=grants&format=json")
    answer = json.loads(seen.body)
    assert (seen.status, answer["results"]) == (200, [])
    assert answer["unresponsive_engines"]


@pytest.mark.parametrize("text", ["brave", "brave:slow", "bing:slow=1", "brave:sleepy=1", "brave:slow=much"])
def test_a_misspelt_fault_stops_the_start(text: str) -> None:
    with pytest.raises(ValueError, match=r"GLEANERY_DEMO_FAULTS|float"):
        faults_of(text)


def test_without_faults_nothing_fails() -> None:
    assert faults_of("") == faults_of(" , ") == {}
