"""Words are found as words, in all their forms and in no others."""

import pytest

from gleanery.judging.evidence.case import TopicWords
from gleanery.judging.inflection import forms
from gleanery.judging.lexicon import KEYWORD, Lexicon, words_in


def found(text: str, *listed: str, language: str = "en") -> list[str]:
    lexicon = Lexicon.of(TopicWords(keywords={language: listed}))
    return [hit.shown for hit in lexicon.find(words_in(text), []).get(KEYWORD, [])]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("The museum of Pleven", "eu"),
        ("A statement by the state's attorney general's estate", "statement of state"),
        ("The statement was read", "state"),
        ("Fundamental rights, fundraising and refunds", "fund"),
        ("Winrock in Tibet, says the newspaper", "win"),
        ("grantsmanship", "grant"),
        ("openly reopened", "open"),
    ],
)
def test_a_word_is_never_found_inside_another(text: str, listed: str) -> None:
    assert found(text, listed) == []


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Scholarships", "scholarship"),
        ("funded", "fund"),
        ("FUNDING", "fund"),
        ("applied", "apply"),
        ("applies", "apply"),
        ("donating", "donate"),
        ("beneficiary", "beneficiaries"),
        ("meal", "meals"),
        ("churches", "church"),
        ("theaters", "theatre"),
        ("organization", "organisation"),
        ("the festival's", "festival"),
    ],
)
def test_english_forms_are_found(text: str, listed: str) -> None:
    assert found(text, listed)


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("стипендията", "стипендия"),
        ("стипендии", "стипендия"),
        ("СТИПЕНДИИТЕ", "стипендия"),
        ("стипендия", "стипендии"),
        ("училищата", "училище"),
        ("училището", "училище"),
        ("грантовете", "грант"),
        ("грантът", "грант"),
        ("гранта", "грант"),
        ("театрите", "театър"),
        ("театърът", "театър"),
        ("спектаклите", "спектакъл"),
        ("доброволци", "доброволец"),
        ("доброволец", "доброволци"),
        ("безплатен", "безплатна"),
        ("безплатните", "безплатно"),
        ("кризисния", "кризисен"),
        ("музеят", "музей"),
        ("събитията", "събитие"),
        ("помощта", "помощ"),
        ("финансирането", "финансира"),
        ("финансираме", "финансиране"),
        ("кандидатствайте", "кандидатствай"),
        ("проектът", "проекти"),
        ("учениците", "ученик"),
        ("българските", "български"),
    ],
)
def test_bulgarian_forms_are_found(text: str, listed: str) -> None:
    assert found(text, listed, language="bg")


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("фондация", "фонд"),
        ("домати", "дом"),
        ("програмист", "програма"),
        ("киноложки", "кино"),
        ("съвети", "съвет"),
        ("банкет", "банка"),
        ("помощник", "помощ"),
    ],
)
def test_other_bulgarian_words_are_no_forms(text: str, listed: str) -> None:
    assert found(text, listed, language="bg") == []


def test_other_languages_take_the_endings_they_share() -> None:
    assert "stiftungen" in forms("Stiftung", "de")
    assert "becas" in forms("beca", "es")


def test_a_phrase_is_found_in_all_forms_of_its_words_and_in_its_order_only() -> None:
    assert found("Безвъзмездната помощ за НПО", "безвъзмездна помощ", language="bg") == ["Безвъзмездната помощ"]
    assert found("Calls for proposals", "call for proposals") == ["Calls for proposals"]
    assert found("proposals for a call", "call for proposals") == []


def test_a_word_within_a_phrase_counts_with_the_phrase() -> None:
    assert found("the food bank", "food bank", "food") == ["food bank"]


def test_singular_and_plural_in_one_list_are_one_word() -> None:
    lexicon = Lexicon.of(TopicWords(keywords={"en": ["grant", "grants"]}))
    assert {hit.lemma for hit in lexicon.find(["Grants", "and", "a", "grant"], [])[KEYWORD]} == {"grant"}


def test_apostrophes_of_every_kind_part_words_alike() -> None:
    assert found("What’s on in June", "what's on") == ["What s on"]


def test_a_topic_about_jobs_takes_no_offence_at_jobs() -> None:
    text = ["Jobs", "and", "vacancies"]
    usual = Lexicon.of(TopicWords(keywords={"en": ["grant"]})).find(text, [])
    wanted = Lexicon.of(TopicWords(keywords={"en": ["job", "vacancy"]})).find(text, [])
    assert "strong.jobs" in usual
    assert "strong.jobs" not in wanted


def test_a_lexicon_of_nothing_finds_nothing_of_a_topic() -> None:
    lexicon = Lexicon.of(TopicWords(keywords={"en": ["", " ", "-"]}))
    assert KEYWORD not in lexicon.find(["grant"], ["grant"])
