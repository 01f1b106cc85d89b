"""Weighted mean of the judges: exact, within bounds, and consistent with the threshold for any text."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.domains.names import domain_of
from gleanery.errors import Invalid
from gleanery.judging.evidence.case import Case, History
from gleanery.judging.judgement import judge, mean
from gleanery.judging.judges import JudgeScore
from gleanery.judging.lexicon import Lexicon
from tests.judging.cases import case, judged, lexicon, score, topic_words

TEXTS = st.text(max_size=300) | st.text("грантa стипендии bank „“|:-–—«» 0?!\n", max_size=200)
SITES = st.sampled_from(
    ["example.org", "facebook.com", "fondacia.bg", "xn--90ae.bg", "a.co.uk", "novini24.tk", "b.museum"]
)
HISTORIES = st.none() | st.builds(History, st.integers(0, 10**6), st.integers(0, 10**6))
HUNDREDTHS = st.integers(0, 100).map(lambda number: Decimal(number).scaleb(-2))


def scores(*pairs: tuple[str, str]) -> tuple[JudgeScore, ...]:
    return tuple(JudgeScore("judge", Decimal(points), Decimal(weight), "") for points, weight in pairs)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([("0.59", "1"), ("0.60", "1")], "0.60"),
        ([("0.60", "1"), ("0.61", "1")], "0.61"),
        ([("0.00", "199"), ("1.00", "1")], "0.01"),
        ([("0.00", "199.0001"), ("1.00", "1")], "0.00"),
        ([("0.33", "1"), ("0.33", "1"), ("0.34", "1")], "0.33"),
        ([("1.00", "2.0"), ("1.00", "0.8")], "1.00"),
        ([("0.70", "0")], "0.00"),
        ([], "0.00"),
    ],
)
def test_the_mean_is_rounded_half_up(given: list[tuple[str, str]], expected: str) -> None:
    assert str(mean(scores(*given))) == expected


def test_a_quotient_just_below_a_rounding_boundary_is_rounded_down() -> None:
    assert mean(scores(("0.59", "1"), ("0.60", f"0.{'9' * 40}"))) == Decimal("0.59")


@given(TEXTS, TEXTS, SITES, HISTORIES, HUNDREDTHS)
def test_any_text_gets_a_confidence_with_two_places_consistent_with_the_threshold(
    title: str, description: str, site: str, history: History | None, threshold: Decimal
) -> None:
    topic = replace(lexicon(), threshold=threshold)
    judgement = judge(Case(title, description, title, domain_of(site), history), topic)
    for number in (judgement.confidence, *(each.score for each in judgement.scores)):
        assert 0 <= number <= 1
        assert number.as_tuple().exponent == -2
    assert judgement.should_crawl == (judgement.confidence >= threshold)
    assert ("history" in {each.name for each in judgement.scores}) == bool(history and history.high + history.low)
    assert judgement.organization or not judgement.programme


def test_a_confidence_equal_to_the_threshold_is_enough() -> None:
    judgement = judged("Grants in Bulgaria")
    hair = Decimal("0.01")
    at, above = (replace(lexicon(), threshold=judgement.confidence + each) for each in (Decimal(0), hair))
    assert judge(case("Grants in Bulgaria"), at).should_crawl
    assert not judge(case("Grants in Bulgaria"), above).should_crawl


def test_weights_of_the_topic_override_the_defaults() -> None:
    words = topic_words("funding", "Bulgaria")
    only = {"keywords": 0, "credibility": "0", "geography": 1.5, "organisation_type": Decimal(0)}
    judgement = judge(case("Grants in Bulgaria"), Lexicon.of(replace(words, weights=only)))
    assert judgement.confidence == score("geography", judgement).score == 1
    assert score("geography", judgement).weight == Decimal("1.5")


@pytest.mark.parametrize("weights", [{"keyword": 1}, {"keywords": -1}, {"keywords": "much"}, {"history": float("nan")}])
def test_invalid_weights_are_refused_with_a_sentence(weights: dict[str, float]) -> None:
    with pytest.raises(Invalid, match=r"\.$"):
        Lexicon.of(replace(topic_words("funding", "Bulgaria"), weights=weights))


def test_judging_is_repeatable() -> None:
    assert judged("Grants", "for schools", "example.bg") == judged("Grants", "for schools", "example.bg")
