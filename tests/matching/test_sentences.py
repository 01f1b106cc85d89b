"""Every level of every field has a sentence that a volunteer can read, with the values of both."""

from __future__ import annotations

import pytest

from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches import explaining, flagging, joining, scoring
from gleanery.resolution.matches.candidates import Near
from gleanery.resolution.matches.explaining import bars, explain
from gleanery.resolution.matches.fields import FIELDS
from gleanery.resolution.matches.scoring import score
from gleanery.resolution.matches.sentences import SENTENCES, VETOES, sentence, side, veto_sentence
from gleanery.resolution.matches.weights import weights

NOTHING = side("event", {})
OF_NAMES = {"name", "telling", "number", "sort", "contrast", "rest"}
LEVELS = sorted({each for kind in KINDS for each in weights(kind).points})


@pytest.mark.parametrize(("field", "level"), LEVELS)
def test_a_level_has_a_sentence_even_where_there_is_nothing_to_show(field: str, level: str) -> None:
    assert (field, level) in SENTENCES
    said = sentence(field, level, NOTHING, NOTHING)
    assert said[0].isupper()
    assert said.endswith(".")
    assert ":." not in said
    assert "_" not in said


def test_every_field_that_is_compared_has_sentences_and_weights() -> None:
    for kind, fields in FIELDS.items():
        told = {field for field, _ in weights(kind).points}
        assert told == OF_NAMES | fields.keys()
    assert {field for field, _ in SENTENCES} == OF_NAMES.union(*FIELDS.values())


def test_every_veto_has_a_sentence() -> None:
    for veto in (*scoring.VETOES.values(), "names"):
        assert veto in VETOES
        assert veto_sentence(veto).endswith("only a person may say that they are one.")


def test_a_level_of_tomorrow_is_told_by_the_reason_of_its_weight() -> None:
    said = sentence("postal_code", "twisted", NOTHING, NOTHING, "two digits are swapped")
    assert said == "Postal code: two digits are swapped."


def test_values_are_shown_once_if_they_are_the_same_and_cut_if_they_are_long() -> None:
    one, other = (
        side("place", {"name": "Rex", "locality": "Sofia"}),
        side("place", {"name": "Rex", "locality": "София"}),
    )
    assert sentence("town", "same", one, other) == "They are in one town: Sofia and София."
    assert sentence("town", "same", one, one) == "They are in one town: Sofia."
    long = side("place", {"name": "x" * 400})
    assert len(sentence("name", "other", long, one)) < 250
    here, there = side("place", {"lat": 42.0, "lon": 23.0}), side("place", {"lat": 42.01, "lon": 23.0})
    assert sentence("distance", "far", here, there) == "They are far from each other: 1.1 km between them."


def test_the_steps_add_up_to_the_probability() -> None:
    one = side(
        "event", {"name": "Jazz Night", "start": "2027-03-12T19:00", "venue_name": "The Rex", "locality": "Sofia"}
    )
    other = side("event", {"name": "Jazz Night", "start": "2027-03-19T19:00", "venue_name": "Rex"})
    match = score(one.traits, other.traits)
    told = explain(match, one, other, weights("event"))
    assert told.steps[0].field == "prior"
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        assert after.total == pytest.approx(before.total + after.points)
    assert 1 / (1 + 2**-told.total) == pytest.approx(told.probability, abs=0.001)
    assert any("2027-03-12 19:00 and 2027-03-19 19:00" in step.sentence for step in told.steps)
    assert len(told.vetoes) == 1
    widths = bars(told.steps)
    assert all(0 <= begin <= 100 and width > 0 and begin + width <= 100.01 for begin, width in widths)


def test_the_summary_says_what_follows() -> None:
    one = side("place", {"name": "The Rex", "official_id": "77", "phone": "+359888123456"})
    match = score(one.traits, one.traits)
    assert "enough to merge them unasked" in explaining.summary(match, "place", "auto")
    assert "only a person merges" in explaining.summary(match, "event", "auto")
    assert "taken for two" in explaining.summary(match, "place", "none")
    held = match._replace(vetoes=("date",), probability=scoring.CAP)
    assert "speaks against it: a person should look" in explaining.summary(held, "place", "review")
    assert tuple(map(scoring.percent, (1.0, 0.0, 0.6))) == ("more than 99.9 %", "less than 0.1 %", "60.0 %")


def test_how_likely_it_is_is_told_alike_wherever_it_is_told() -> None:
    place = {"name": "The Rex", "address": "1 Main Street", "locality": "Sofia", "phone": "+359888123456"}
    one = side("place", place)
    match = score(one.traits, one.traits)
    (doubt,) = flagging._doubts("place", [Near("b", one.traits, (), match)], {"b": "Rex"})
    for told in (doubt.sentence, joining.sentence(match), explaining.summary(match, "place", "auto")):
        assert f"{scoring.percent(match.probability)} likely" in told
