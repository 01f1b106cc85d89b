"""Pages without structured data: expected results, no false ones, no failures."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanery.extraction.draft import Extracted, PageSource
from gleanery.extraction.extractors import from_words
from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.values.names import person_in

PAGES = sorted((Path(__file__).parent / "pages" / "plain").glob("*.json"))
TAGS = str.split(
    "<h1> </h1> <p> <table><tr><th> <td> </tr> <li> <b> </b> <br> <dl><dt> <dd> <pre> <s> <summary> <span>"
)
WORDS = ["Програма", "Краен срок: ", "12.12.2026", " от 5 до 10 лв. ", "кандидатства", "Sat 5 Dec, 7pm", "a@b.bg"]
MORE = ["ул. „Х“ 5, 1000 София", "0888 123 456", "Mon–Fri 9:00–17:00", "Ivan Petrov, director", "\x00", "\n", " "]
PIECES = [*TAGS, *WORDS, *MORE]


def read(path: Path) -> tuple[dict[str, Any], Extracted]:
    truth = json.loads(path.read_text("utf-8"))
    return truth, from_words(HtmlPage(source(path.with_suffix(".html").read_text("utf-8"), truth)))


def source(html: str, truth: dict[str, Any] | None = None) -> PageSource:
    told = truth or {"url": "https://example.bg/", "fetched": "2026-11-15", "country": "BG", "language": "bg"}
    return PageSource(
        html=html,
        url=told["url"],
        media_type="text/html",
        fetched=date.fromisoformat(told["fetched"]),
        country=told["country"],
        language=told["language"],
    )


@pytest.mark.parametrize("path", [path for path in PAGES if "-empty-" in path.name], ids=lambda path: path.stem)
def test_misleading_pages_give_nothing(path: Path) -> None:
    assert read(path)[1].drafts == ()


def test_most_values_are_found_and_few_wrong_ones() -> None:
    right = wrong = missed = 0
    for path in PAGES:
        truth, found = read(path)
        wanted = {(each["kind"], each["name"]): each for each in truth["observations"]}
        given = {(draft.kind, draft.fields["name"]): draft.fields for draft in found.drafts}
        for key in wanted.keys() | given.keys():
            theirs = {(name, repr(value)) for name, value in wanted.get(key, {}).items() if name != "kind"}
            ours = {(name, repr(value)) for name, value in given.get(key, {}).items()}
            right, wrong, missed = right + len(ours & theirs), wrong + len(ours - theirs), missed + len(theirs - ours)
    assert right / (right + wrong) > 0.95
    assert right / (right + missed) > 0.90


def test_the_same_page_gives_the_same_ids_and_evidence() -> None:
    path = next(path for path in PAGES if "funding-01" in path.name)
    one, other = read(path)[1], read(path)[1]
    assert [draft.external_id for draft in one.drafts] == [draft.external_id for draft in other.drafts]
    assert "Краен срок" in one.drafts[0].evidence["deadline"]


@pytest.mark.parametrize(
    "text", ["на ул. „Шипка“ 5 В. Обаждате се на 02 123 456", "Shipka Str", "Елате Утре", "Ivan Square"]
)
def test_streets_and_imperatives_are_not_people(text: str) -> None:
    assert person_in(text) is None


@pytest.mark.parametrize("text", ["Иван Петров", "Dr. Jane Porter", "Prof. Dr. Anna Maria Schmidt", "В. Ангелова"])
def test_names_of_people_are_found(text: str) -> None:
    found = person_in(text)
    assert found is not None
    assert found.group() == text


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=60))
def test_the_plain_extractor_never_fails_on_any_page(pieces: list[str]) -> None:
    for draft in from_words(HtmlPage(source("".join(pieces)))).drafts:
        assert draft.fields["name"]
        assert draft.kind != "event" or draft.fields["start"]


@pytest.mark.parametrize(
    "html",
    ["<div>" * 50_000, "1" * 100_000, "<p>" + "1.2." * 30_000, "<ul>" + "<li>1 May 2027 x</li>" * 3_000, "„" * 50_000],
    ids=["nested", "digits", "dots", "items", "quotes"],
)
@pytest.mark.timeout(60)  # what is not linear takes minutes
def test_hostile_pages_are_read_quickly(html: str) -> None:
    from_words(HtmlPage(source(f"<h1>Програма за финансиране</h1><p>Кандидатства се.</p>{html}")))
