"""Relevance of pages: words, structured data and address, each with a reason."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery import presets
from gleanery.extraction.relevance import Relevance, RelevanceInput, assess, kinds_carried
from gleanery.judging.evidence.case import TopicWords
from gleanery.judging.lexicon import Lexicon

THRESHOLD = Decimal("0.30")
FIELDS = {name: presets.topic_fields(name, "Bulgaria") for name in presets.NAMES}
LEXICA = {
    name: Lexicon.of(
        TopicWords(
            keywords=fields["keywords"],
            organization_words=fields["organization_words"],
            geography=fields["geography"],
            country=fields["country"],
        )
    )
    for name, fields in FIELDS.items()
}
FILLER = "The weather over the hills was mild and the birds were singing in the old trees by the river. " * 20


def look(topic: str = "funding", path: str = "/page", **facts: object) -> Relevance:
    values = {"url": f"https://a.bg{path}", "title": "", "text": "", **facts}
    return assess(RelevanceInput(**values), LEXICA[topic], FIELDS[topic]["kinds"])  # type: ignore[arg-type]


def points_by_name(found: Relevance) -> dict[str, Decimal]:
    return {each.name: each.points for each in found.reasons}


def test_words_in_title_headings_and_text_each_count_with_a_reason() -> None:
    found = look(
        title="Small grants for schools",
        text="# Apply for a scholarship\n\nThe grant is open. Applicants send the application before the deadline.",
    )
    assert found.score >= THRESHOLD
    assert points_by_name(found).keys() == {"title", "headings", "text"}
    assert "“grants”" in found.reasons[0].sentence
    assert all(each.sentence.endswith(".") for each in found.reasons)


@pytest.mark.parametrize(
    ("topic", "title", "text"),
    [
        ("funding", "Конкурс за проекти", "Безвъзмездна помощ за училища. Кандидатстване до краен срок 30 януари."),
        ("events", "Концерт на открито", "Концертът е безплатен. Фестивалът започва в събота с изложба."),
        ("services", "Безплатна правна помощ", "Консултации и подкрепа за хора в нужда, кризисен център."),
    ],
)
def test_inflected_words_are_found_in_english_and_bulgarian(topic: str, title: str, text: str) -> None:
    assert look(topic, title=title, text=text).score >= THRESHOLD


def test_a_long_page_about_something_else_is_not_relevant() -> None:
    short = look(text="The grant supports schools. Applicants may apply for funding until the deadline in May.")
    long = look(text=FILLER + "The grant supports schools. " + FILLER)
    assert points_by_name(short)["text"] > 4 * points_by_name(long)["text"]
    assert long.score < THRESHOLD


def test_one_repeated_word_counts_less_than_several() -> None:
    often = look(text="grant " * 30)
    several = look(text="grant scholarship funding deadline eligibility " * 6)
    assert points_by_name(often)["text"] < points_by_name(several)["text"]


def test_substrings_of_other_words_do_not_match() -> None:
    found = look(title="Immigrants and the granted wish", text="A fundamental fundus; awardless programmers.")
    assert "title" not in points_by_name(found) or "“" in found.reasons[0].sentence
    assert look(title="Flagrant refunds").score < THRESHOLD


def test_structured_data_of_a_wanted_kind_is_sufficient() -> None:
    assert look("events", types=["TheaterEvent", "Place"]).score >= THRESHOLD
    assert look("funding", types=["MonetaryGrant"]).score >= THRESHOLD
    assert look("funding", types=["Event"]).score < THRESHOLD
    assert look("events", calendar=True).score >= THRESHOLD


def test_the_organisation_of_the_site_is_no_reason() -> None:
    assert look("events", types=["WebSite", "Organization", "BreadcrumbList"]).score < THRESHOLD


def test_kinds_follow_from_schema_types() -> None:
    assert kinds_carried(["Festival", "Restaurant"]) == {"event", "place", "organization"}
    assert kinds_carried(["WebPage", "Person"]) == set()
    assert kinds_carried([], calendar=True) == {"event"}
    assert kinds_carried(["Course"]) == {"event"}


def test_the_address_counts_for_and_against() -> None:
    text = "The grant is open to schools."
    plain, privacy = look(text=text, path="/x"), look(text=text, path="/en/privacy")
    assert privacy.score < plain.score
    assert look(path="/").reasons[0].sentence == "It is the first page of the site."
    assert look(path="/grants/").score > look(path="/other/").score
    assert look(path="/a/b/c/d/e/f").score == 0
    assert look(path="/за-нас").score >= THRESHOLD
    assert look(path="/contact-us.html").score >= THRESHOLD


def test_a_page_without_matches_has_a_reason() -> None:
    found = look(title="Recipes", text="Boil the beans.")
    assert found.score == 0
    assert found.reasons[0].sentence == "Nothing on the page matches the topic."


@given(st.text(max_size=300), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=5), st.text(max_size=60))
def test_any_page_has_a_score_within_bounds_and_a_reason(text: str, title: str, types: list[str], path: str) -> None:
    found = look(title=title, text=text, types=types, path=f"/{path}")
    assert Decimal(0) <= found.score <= Decimal(1)
    assert found.reasons
