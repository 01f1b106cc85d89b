"""Scores and sentences of each judge, for invented results."""

from decimal import Decimal

import pytest

from gleanery.discovery.weights import DEFAULT_WEIGHTS
from gleanery.judging.evidence.case import TopicWords
from gleanery.judging.judges import JUDGES
from gleanery.judging.lexicon import Lexicon
from tests.judging.cases import judged, lexicon, score, with_history

NO_WORDS = Lexicon.of(TopicWords())


def test_the_judges_and_their_default_weights() -> None:
    assert [each.__name__ for each in JUDGES] == list(DEFAULT_WEIGHTS)
    assert list(DEFAULT_WEIGHTS.values()) == [Decimal(each) for each in ("2.0", "1.5", "1.0", "0.8", "0.5")]


def test_keywords_names_the_words_found() -> None:
    said = score("keywords", judged("Стипендии за ученици", "Grants for schools"))
    assert said.explanation == "“Стипендии” and “Grants” match the topic."
    assert said.score > score("keywords", judged("Стипендии")).score


def test_keywords_without_a_hit_says_so() -> None:
    said = score("keywords", judged("Museum of fundamental statements"))
    assert said.explanation == "None of the topic's keywords were found."
    assert said.score < Decimal("0.5")


def test_a_keyword_in_the_title_counts_more_than_in_the_description() -> None:
    assert score("keywords", judged("Grants")).score > score("keywords", judged("Page", "grants")).score


def test_keywords_of_a_news_site_count_less() -> None:
    news = judged("Grants for schools announced", "Breaking news, the minister told reporters", "daily-news.bg")
    assert score("keywords", news).score < score("keywords", judged("Grants for schools")).score
    assert "news site" in score("keywords", news).explanation


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("mon.government.bg", "example.org"),
        ("dunmore.edu", "example.com"),
        ("example.foundation", "example.org"),
        ("example.org", "example.com"),
        ("example.bg", "example.com"),
        ("example.com", "example.info"),
        ("example.info", "example.tk"),
        ("council.gov.uk", "council.co.uk"),
        ("oxbridge.ac.uk", "oxbridge.co.uk"),
        ("school.wordpress.com", "facebook.com"),
        ("example.com", "people.blogspot.com"),
        ("foo.github.io", "bg-bg.facebook.com"),
    ],
)
def test_credibility_follows_the_table_of_endings(better: str, worse: str) -> None:
    first, second = (score("credibility", judged("Page", "", site)).score for site in (better, worse))
    assert first > second


def test_credibility_names_the_ending_and_the_reason() -> None:
    said = score("credibility", judged("Page", "", "mc.government.bg")).explanation
    assert said == "mc.government.bg ends in .government.bg, which is reserved for public bodies."


def test_endings_are_compared_label_by_label() -> None:
    assert score("credibility", judged("Page", "", "not-europa.eu")).score < Decimal("0.80")
    assert score("credibility", judged("Page", "", "notfacebook.com")).score > Decimal("0.40")


def test_a_site_named_after_the_organisation_is_more_credible() -> None:
    named = judged("Grants - America for Bulgaria Foundation", "", "americaforbulgaria.org")
    other = judged("Grants - America for Bulgaria Foundation", "", "zqxj.org")
    assert score("credibility", named).score > score("credibility", other).score


def test_a_dot_com_can_pass_on_other_evidence() -> None:
    good = judged(
        "School grants Bulgaria – SchoolFund", "We award grants to schools. Application form.", "schoolfund.com"
    )
    assert good.should_crawl


def test_an_abused_ending_does_not_pass_on_keywords() -> None:
    assert not judged("Free grants for schools Bulgaria", "Apply now", "free-money.tk").should_crawl


def test_geography_names_the_place_and_prefers_the_title() -> None:
    title, description = judged("Grants in Bulgaria"), judged("Grants", "for schools in Bulgaria")
    assert score("geography", title).explanation == "The title names “Bulgaria”."
    assert (
        score("geography", title).score
        > score("geography", description).score
        > score("geography", judged("Grants")).score
    )


def test_for_a_town_its_country_counts_less_and_other_towns_least() -> None:
    events = lexicon("events", "Sofia")
    town, country, other = (
        score("geography", judged(title, topic=events)).score
        for title in ("Концерти, София", "Concerts, Bulgaria", "Концерти, Варна")
    )
    assert town > country > other


def test_towns_count_for_a_topic_about_their_country() -> None:
    assert score("geography", judged("Стипендии на община Пловдив")).score >= Decimal("0.9")


def test_a_town_named_in_the_query_is_wanted() -> None:
    events = lexicon("events", "Sofia")
    asked = judged("Концерти, Пловдив", topic=events, query="концерти Пловдив")
    assert score("geography", asked).score == 1
    assert score("geography", judged("Концерти, Пловдив", topic=events)).score < Decimal("0.2")


def test_the_ending_and_the_language_of_the_country_add_points() -> None:
    ending = score("geography", judged("Grants", "", "example.bg")).score
    language = score("geography", judged("Стипендии", "", "example.org")).score
    foreign = score("geography", judged("Grants", "", "example.pl")).score
    assert ending > language > foreign


def test_offers_in_other_places_do_not_pass() -> None:
    services = lexicon("services", "Plovdiv")
    shelter = "Night Shelter", "Our shelter takes in homeless persons from 19:00. Soup, shower, nurse."
    assert judged(f"Plovdiv {shelter[0]}", shelter[1], topic=services).should_crawl
    assert not judged(f"Varna {shelter[0]}", shelter[1], topic=services).should_crawl


@pytest.mark.parametrize(
    ("title", "description", "site"),
    [
        ("Започва конкурс за проекти - Утро", "Последни новини, съобщиха от общината.", "novini-utro.com"),
        (
            "Grant Writing Services for NGOs",
            "We write winning proposals. Our clients have a 95% success rate.",
            "gwp.com",
        ),
        ("Top 10 scholarships you need to know", "My blog about study tips.", "somebody.blogspot.com"),
        ("Кой е ходил на конкурса? | Форум", "Благодаря предварително, някой знае ли?", "forum.example.bg"),
        ("Grants Manager, Sofia", "Job offers, salary, apply with CV.", "jobs-example.com"),
        (
            "1200 foundations in Bulgaria",
            "Business directory: addresses, phones, reviews. Add your listing.",
            "list-bg.com",
        ),
        ("Стипендия – Уикипедия", "Стипендията е ...", "bg.wikipedia.org"),
        ("Grants for schools | Facebook", "Public group, log in to see more.", "facebook.com"),
        ("STEM furniture for grant projects", "Order now, free delivery, add to cart.", "mebeli-shop.bg"),
    ],
)
def test_sites_that_report_or_sell_are_not_first_hand_sources(title: str, description: str, site: str) -> None:
    judgement = judged(title, description, site)
    assert not judgement.should_crawl
    assert score("organisation_type", judgement).score < Decimal("0.35")
    assert score("organisation_type", judgement).explanation.startswith("It looks like ")


@pytest.mark.parametrize(
    ("title", "description", "site"),
    [
        ("Стипендии | Фондация „Бистра вода“", "Подпомагаме ученици. Заявления до 1 май.", "bistravoda.bg"),
        (
            "Small grants - Clearwater Trust",
            "We fund schools in Bulgaria; the form is open until 3 May.",
            "clearwater.org",
        ),
        (
            "Конкурс за проекти - Община Долна Река",
            "На основание чл. 3 обявява конкурс, документи в стая 6.",
            "dolnareka.bg",
        ),
    ],
)
def test_organisations_that_give_support_are_first_hand_sources(title: str, description: str, site: str) -> None:
    judgement = judged(title, description, site)
    assert judgement.should_crawl
    assert score("organisation_type", judgement).score >= Decimal("0.7")


def test_a_school_that_mentions_a_hotel_is_not_a_travel_guide() -> None:
    said = judged("Училище „Изворче“ – програма", "Учениците строят хотел за насекоми.", "izvorche.bg")
    assert "travel" not in said.explanation


def test_history_counts_only_if_there_is_any() -> None:
    assert "history" not in {each.name for each in judged("Grants").scores}
    assert "history" not in {each.name for each in with_history(0, 0).scores}
    good, bad = score("history", with_history(9, 0)), score("history", with_history(0, 9))
    assert (good.score, bad.score) == (Decimal("0.91"), Decimal("0.09"))
    assert good.explanation == "Of 9 earlier results of this domain, 9 were rated high."


def test_a_single_earlier_result_counts_little() -> None:
    assert score("history", with_history(1, 0)).score == Decimal("0.67")


def test_a_topic_without_words_is_judged_by_other_evidence() -> None:
    judgement = judged("Anything", topic=NO_WORDS)
    assert score("keywords", judgement).explanation == "The topic has no keywords."
    assert score("geography", judgement).explanation == "The topic is not limited to a place."


def test_the_explanation_joins_all_sentences() -> None:
    judgement = judged("Grants in Bulgaria")
    assert judgement.explanation == " ".join(each.explanation for each in judgement.scores)
    assert all(each.explanation.endswith(".") for each in judgement.scores)
