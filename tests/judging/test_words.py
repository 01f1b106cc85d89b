"""Lexicon lookup: whole words in all their forms, and nothing else."""

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
def test_similar_bulgarian_words_are_not_forms(text: str, listed: str) -> None:
    assert found(text, listed, language="bg") == []


def test_other_languages_use_common_endings() -> None:
    assert "stiftungen" in forms("Stiftung", "de")
    assert "becas" in forms("beca", "es")


def test_a_phrase_is_found_in_all_forms_but_only_in_its_order() -> None:
    assert found("Безвъзмездната помощ за НПО", "безвъзмездна помощ", language="bg") == ["Безвъзмездната помощ"]
    assert found("Calls for proposals", "call for proposals") == ["Calls for proposals"]
    assert found("proposals for a call", "call for proposals") == []


def test_a_word_within_a_phrase_counts_with_the_phrase() -> None:
    assert found("the food bank", "food bank", "food") == ["food bank"]


def test_singular_and_plural_count_as_the_same_word() -> None:
    lexicon = Lexicon.of(TopicWords(keywords={"en": ["grant", "grants"]}))
    assert {hit.lemma for hit in lexicon.find(["Grants", "and", "a", "grant"], [])[KEYWORD]} == {"grant"}


def test_all_kinds_of_apostrophe_split_words() -> None:
    assert found("What’s on in June", "what's on") == ["What s on"]


def test_words_of_the_topic_are_not_signs_against_a_source() -> None:
    text = ["Jobs", "and", "vacancies"]
    usual = Lexicon.of(TopicWords(keywords={"en": ["grant"]})).find(text, [])
    wanted = Lexicon.of(TopicWords(keywords={"en": ["job", "vacancy"]})).find(text, [])
    assert "strong.jobs" in usual
    assert "strong.jobs" not in wanted


def test_an_empty_lexicon_finds_no_keywords() -> None:
    lexicon = Lexicon.of(TopicWords(keywords={"en": ["", " ", "-"]}))
    assert KEYWORD not in lexicon.find(["grant"], ["grant"])
