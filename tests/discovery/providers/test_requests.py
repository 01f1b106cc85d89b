"""What each vendor receives."""

from __future__ import annotations

import pytest

from gleanery.discovery.providers.provider import Query
from gleanery.errors import Invalid

from .vendors import KEY, NAMES, found, sent, with_vendor

BULGARIAN = Query(text="гранты & помощ", country="BG", language="bg")


def test_brave_gets_its_token_its_parameters_and_a_page_index():
    got = sent("brave_search", Query(text="гранты & помощ", page=3, country="DE", language="de"))
    assert (got.method, got.path) == ("GET", "/res/v1/web/search")
    assert got.headers["x-subscription-token"] == KEY
    assert got.params == {
        "q": "гранты & помощ",
        "count": "20",
        "offset": "2",
        "country": "DE",
        "search_lang": "de",
        "result_filter": "web",
        "text_decorations": "false",
    }


@pytest.mark.parametrize(
    ("country", "language", "sent_country", "sent_language"),
    [
        ("BG", "bg", "ALL", "bg"),
        ("", "", "ALL", None),
        ("JP", "ja", "JP", "jp"),
        ("NO", "no", "NO", "nb"),
        ("BR", "pt", "BR", "pt-br"),
        ("PT", "pt", "PT", "pt-pt"),
        ("TW", "zh", "TW", "zh-hant"),
        ("SG", "zh", "ALL", "zh-hans"),
        ("MK", "mk", "ALL", None),
    ],
)
def test_brave_never_gets_a_country_or_language_that_it_refuses(
    country: str, language: str, sent_country: str, sent_language: str | None
):
    params = sent("brave_search", Query(text="x", country=country, language=language)).params
    assert (params["country"], params.get("search_lang")) == (sent_country, sent_language)


def test_brave_gets_a_count_of_at_most_twenty():
    assert sent("brave_search", Query(text="x", count=50)).params["count"] == "20"
    assert sent("brave_search", Query(text="x", count=7)).params["count"] == "7"


def test_brave_gets_at_most_fifty_words_and_four_hundred_letters():
    words = sent("brave_search", Query(text="дом " * 60)).params["q"]
    assert len(words.split()) == 50
    cut = sent("brave_search", Query(text="grants-for-schools " * 30)).params["q"]
    assert len(cut) <= 400
    assert set(cut.split()) == {"grants-for-schools"}, "cut between words"
    assert sent("brave_search", Query(text="я" * 450)).params["q"] == "я" * 400
    assert sent("brave_search", Query(text="a" * 399 + " b")).params["q"] == "a" * 399


def test_brave_is_not_queried_beyond_its_tenth_page():
    assert sent("brave_search", Query(text="x", page=10)).params["offset"] == "9"
    page, made = with_vendor(
        "brave_search",
        (found("brave_search", []),),
        lambda client, provider: provider.search(client, Query(text="x", page=11)),
    )
    assert (page.hits, page.more, made.heard) == ((), False, [])


def test_searxng_gets_the_json_format_and_the_page_number():
    got = sent("searxng", Query(text="гранты & помощ", page=2, country="BG", language="bg"))
    assert (got.method, got.path) == ("GET", "/search")
    assert got.params == {
        "q": "гранты & помощ",
        "format": "json",
        "pageno": "2",
        "categories": "general",
        "language": "bg-BG",
    }
    assert "language" not in sent("searxng", Query(text="x", country="BG")).params


def test_serper_gets_json_with_its_key_in_a_header():
    got = sent("serper", Query(text="гранты & помощ", page=2, country="BG", language="bg"))
    assert (got.method, got.path, got.params) == ("POST", "/search", {})
    assert (got.headers["x-api-key"], got.headers["content-type"]) == (KEY, "application/json")
    assert got.json == {"q": "гранты & помощ", "num": 20, "page": 2, "gl": "bg", "hl": "bg"}
    assert sent("serper", Query(text="x")).json == {"q": "x", "num": 20, "page": 1}


def test_tavily_gets_a_bearer_and_the_country_by_its_name():
    got = sent("tavily", BULGARIAN)
    assert (got.method, got.path, got.params) == ("POST", "/search", {})
    assert (got.headers["authorization"], got.headers["content-type"]) == (f"Bearer {KEY}", "application/json")
    assert got.json == {
        "query": "гранты & помощ",
        "search_depth": "basic",
        "topic": "general",
        "max_results": 20,
        "country": "bulgaria",
    }
    assert "country" not in sent("tavily", Query(text="x", country="VA")).json


def test_perplexity_gets_a_bearer_and_keeps_its_snippets_small():
    got = sent("perplexity", BULGARIAN)
    assert (got.method, got.path, got.params) == ("POST", "/search", {})
    assert (got.headers["authorization"], got.headers["content-type"]) == (f"Bearer {KEY}", "application/json")
    assert got.json == {
        "query": "гранты & помощ",
        "max_results": 20,
        "max_tokens_per_page": 256,
        "country": "BG",
        "search_language_filter": ["bg"],
    }
    assert sent("perplexity", Query(text="x", count=90)).json["max_results"] == 20


@pytest.mark.parametrize("name", ["tavily", "perplexity"])
def test_a_provider_without_pages_is_not_queried_for_a_second_one(name: str):
    page, made = with_vendor(
        name, (found(name, []),), lambda client, provider: provider.search(client, Query(text="x", page=2))
    )
    assert (page.hits, page.more, made.heard) == ((), False, [])


@pytest.mark.parametrize("name", NAMES)
def test_a_query_with_broken_characters_is_sent(name: str):
    assert sent(name, Query(text="a\ud800\x00b")).method in {"GET", "POST"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": " "},
        {"page": 0},
        {"count": 0},
        {"country": "Bulgaria"},
        {"country": "bg"},
        {"language": "BG"},
        {"language": "bg-BG"},
        {"country": "B1"},
    ],
)
def test_an_invalid_query_is_refused_at_once(wrong: dict[str, object]):
    with pytest.raises(Invalid):
        Query(**{"text": "x", **wrong})  # type: ignore[arg-type]
