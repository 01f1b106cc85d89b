"""Results of providers become hits, however odd the entries are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gleanery.discovery.hit import Hit
from gleanery.discovery.providers.hit_parsing import without_html
from gleanery.discovery.providers.provider import Query
from tests.net.servers import answer

from .vendors import GRANTS, NAMES, body, entries, entry, found, hits, says_json, search

PAGED = ("brave_search", "searxng", "serper")


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_becomes_a_hit(name: str):
    one = entry(name, "https://a.example.org/x?y=1", "Грантове", "За училища")
    assert hits(name, [one]) == (Hit(GRANTS.text, "https://a.example.org/x?y=1", "Грантове", "За училища", 1),)


@pytest.mark.parametrize("name", NAMES)
def test_no_results_are_not_a_failure(name: str):
    assert search(name, found(name, [])).hits == ()


@pytest.mark.parametrize("name", PAGED)
def test_positions_continue_from_page_to_page(name: str):
    second = hits(name, entries(name, 20), Query(text="x", page=2))
    assert [hit.position for hit in second] == list(range(21, 41))


@pytest.mark.parametrize("name", NAMES)
def test_surplus_results_do_not_overlap_the_next_page(name: str):
    assert len(hits(name, entries(name, 35))) == 20
    assert [hit.position for hit in hits(name, entries(name, 35), Query(text="x", count=5))] == [1, 2, 3, 4, 5]


def test_a_count_beyond_the_vendors_most_leaves_no_gap_between_pages():
    first = hits("brave_search", entries("brave_search", 20), Query(text="x", count=50))
    second = hits("brave_search", entries("brave_search", 20), Query(text="x", count=50, page=2))
    assert second[0].position == first[-1].position + 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wrong", [None, "text", 7, 1.5, True, [], ["https://example.org/"], {}])
def test_an_invalid_entry_is_kept_without_address_so_that_it_is_counted(name: str, wrong: Any):
    got = hits(name, [wrong, entry(name, "https://example.org/")])
    assert [(hit.url, hit.position) for hit in got] == [("", 1), ("https://example.org/", 2)]


@pytest.mark.parametrize("name", NAMES)
def test_fields_of_another_type_do_no_harm(name: str):
    got = hits(name, [entry(name, "https://example.org/", 2026, None), entry(name, ["x"], {"a": 1}, False)])
    assert [(hit.url, hit.title, hit.description) for hit in got] == [
        ("https://example.org/", "2026", ""),
        ("", "", ""),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_nul_in_a_title_stays_until_the_hit_is_cleaned(name: str):
    assert hits(name, [entry(name, "https://example.org/", "a\x00b \ud800")])[0].title == "a\x00b \ud800"


@pytest.mark.parametrize("name", NAMES)
def test_an_overlong_text_is_cut(name: str):
    [hit] = hits(name, [entry(name, "https://example.org/", description="word " * 100_000)])
    assert len(hit.description) <= 10_000


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("before", "title"), [(b"\xef\xbb\xbf", "tab"), (b"", "a\tb"), (b"\n\n ", "tab")])
def test_a_byte_order_mark_or_a_raw_tab_is_accepted(name: str, before: bytes, title: str):
    told = json.dumps(body(name, [entry(name, "https://example.org/", "tab")])).replace('"tab"', f'"{title}"')
    assert search(name, answer(200, before + told.encode())).hits[0].title == title


def test_brave_without_web_found_nothing():
    assert search("brave_search", says_json({"type": "search", "query": {"original": "x"}})) == ((), False)
    assert search("brave_search", says_json({"query": {"more_results_available": False}, "web": None})).hits == ()


def test_brave_reports_whether_there_is_more_up_to_page_ten():
    more = {"query": {"more_results_available": True}}
    none = {"query": {"more_results_available": False}}
    odd = {"query": {"more_results_available": "yes"}}
    assert search("brave_search", found("brave_search", [], **more)).more
    assert not search("brave_search", found("brave_search", [], **none)).more
    assert not search("brave_search", found("brave_search", [], **odd)).more
    assert not search("brave_search", found("brave_search", [], **more), query=Query(text="x", page=10)).more


@pytest.mark.parametrize("name", ["searxng", "serper"])
def test_only_an_empty_page_is_the_last(name: str):
    assert search(name, found(name, entries(name, 3))).more
    assert not search(name, found(name, [])).more


@pytest.mark.parametrize("name", ["tavily", "perplexity"])
def test_a_provider_without_pages_never_has_more(name: str):
    assert not search(name, found(name, entries(name, 20))).more


def test_searxng_with_results_may_have_failed_engines():
    told = found("searxng", entries("searxng", 2), unresponsive_engines=[["google", "too many requests"]])
    assert len(search("searxng", told).hits) == 2


@pytest.mark.parametrize("name", NAMES)
def test_results_count_even_beside_an_empty_error(name: str):
    assert len(search(name, says_json({**body(name, entries(name, 1)), "error": None})).hits) == 1


def test_html_in_the_text_of_searxng_becomes_text():
    marked = "<p>Grants for <b>schools</b> &amp; <em>li</em>braries</p><p>5 &lt; 6</p><br/>more"
    [hit] = hits("searxng", [entry("searxng", "https://example.org/", description=marked)])
    assert hit.description == "Grants for schools & libraries 5 < 6 more"


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
        ("I <3 Sofia", "I <3 Sofia"),
        ("cut in a <a href='https://exam", "cut in a"),
        ("<script>alert(1)</script>text<style>p{}</style>", "text"),
        ("a<!-- no -->b", "a b"),
        ("<B CLASS='x'>Bold</B>", "Bold"),
        ("&#1043;&rsquo; a&nbsp;b", "Г’ a b"),
        ("", ""),
    ],
)
def test_html_becomes_text(marked: str, plain: str):
    assert without_html(marked) == plain


@pytest.mark.parametrize("piece", ["<script>", "<a ", "<", "<!--", "</", "<style", "&#"])
def test_hostile_html_is_removed_in_linear_time(piece: str):
    assert len(without_html((piece * 10_000)[:10_000])) <= 10_000
