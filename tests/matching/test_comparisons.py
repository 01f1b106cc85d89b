"""Declarations of matching are consistent: levels, points, sentences, adjustments, lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gleanery.matching.lists
from gleanery.matching.adjustments import ADJUSTMENTS
from gleanery.matching.comparison import EVERY, Comparison
from gleanery.matching.comparisons import COMPARISONS
from gleanery.matching.facts import facts
from gleanery.matching.pair import Pair
from gleanery.matching.rarity import Rarity, rarity
from gleanery.matching.scoring import AUTO, REVIEW, compare, levels_of
from gleanery.matching.weights import weights

LISTS = sorted(Path(gleanery.matching.lists.__file__).parent.glob("*.txt"))
FIELDS = {
    "name": st.sampled_from(["The Rex", "Rex Hotel", "Rex – Food Court", "School 5", "Училище 5", "Chess Club", ""]),
    "locality": st.sampled_from(["Toronto", "Leeds", ""]),
    "address": st.sampled_from(["194 Queen St W", "12 Queen Street", "High Street", ""]),
    "phone": st.sampled_from(["+1 416-598-2475", "+1 416 598 9999", ""]),
    "url": st.sampled_from(["https://rex.example", "https://rex.example/jam", ""]),
    "start": st.sampled_from(["2027-03-02T20:00", "2027-03-02", "2027-03-09T20:00", ""]),
    "venue_name": st.sampled_from(["The Rex", "Town Hall", ""]),
    "lat": st.sampled_from([43.65, 43.66, ""]),
    "lon": st.just(-79.38),
    "description": st.sampled_from(
        ["Five rare words about jazz music tonight", "Quite another story about knitting wool", ""]
    ),
}
RECORDS = st.fixed_dictionaries(FIELDS)


@pytest.mark.parametrize("kind", EVERY)
def test_weights_name_only_declared_levels(kind: str) -> None:
    declared = {(each.field, level.name) for each in COMPARISONS if kind in each.kinds for level in each.levels}
    assert {(field, level) for field, levels in weights(kind).points.items() for level in levels} <= declared


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda each: each.field)
def test_a_better_level_never_has_fewer_points(comparison: Comparison, kind: str) -> None:
    if kind in comparison.kinds and comparison.is_ranked:
        given = weights(kind).points.get(comparison.field, {})
        points = [given[level.name] for level in comparison.levels if level.name in given]
        assert points == sorted(points, reverse=True)


@given(st.sampled_from(EVERY), RECORDS, RECORDS)
def test_the_order_of_the_two_records_does_not_matter(
    kind: str, one: dict[str, object], other: dict[str, object]
) -> None:
    here, there = facts(kind, one), facts(kind, other)
    assert compare(here, there).probability == compare(there, here).probability


@given(st.sampled_from(EVERY), RECORDS, RECORDS)
def test_every_point_has_a_sentence_and_a_veto_prevents_an_automatic_merge(
    kind: str, one: dict[str, object], other: dict[str, object]
) -> None:
    match = compare(facts(kind, one), facts(kind, other))
    assert all(each.sentence.endswith(".") and "{" not in each.sentence for each in match.points)
    assert not match.vetoes or match.probability < AUTO


@pytest.mark.parametrize("adjustment", ADJUSTMENTS, ids=lambda each: each.name)
def test_an_adjustment_lowers_the_sum_of_its_example(adjustment: object) -> None:
    change = next(each for each in ADJUSTMENTS if each is adjustment)
    kind = change.kinds[-1]
    pair = Pair(*(facts(kind, each) for each in change.example), Rarity())
    levels = levels_of(pair)
    points = dict.fromkeys(levels, 9.0)
    assert change.points(pair, levels, points, 9.0) < 9.0


@pytest.mark.parametrize("path", LISTS, ids=lambda each: each.stem)
def test_a_list_states_its_origin_and_has_one_entry_per_line(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "Origin:" in text
    assert "Licence:" in text
    entries = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(line.strip() for line in entries)
    assert len(set(entries)) == len(entries)


def test_common_words_are_less_rare() -> None:
    rows = [facts("place", {"name": f"{word} Coffee"}) for word in ("Costa",) * 30 + ("Zanzibar", "Milagro")]
    known = rarity(rows)
    assert known.of("coffee") < known.of("costa") < known.of("zanzibar")
    assert known.count_of_name("costa coffee") == 30


def test_boilerplate_of_a_source_does_not_count() -> None:
    footer = "Subscribe with your library card for further offers every week"
    rows = [facts("event", {"name": f"Talk {n}", "description": f"{footer} {n * 'x'}yz"}) for n in range(5, 25)]
    others = [facts("event", {"name": f"Walk {n}", "description": f"path{n * 'x'} hill{n * 'y'}"}) for n in range(400)]
    known = rarity([*rows, *others], ["portal"] * len(rows))
    pair = Pair(rows[0], rows[1], known, ("portal", "portal"))
    assert "description" not in levels_of(pair)
    assert levels_of(Pair(rows[0], rows[1], known))["description"] == "much"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Food Court, Ross Park Mall", "Ross Park Mall"),
        ("Tesla - Ross Park Mall", "Ross Park Mall"),
        ("Tennis Courts @ McKinley Park", "McKinley Park"),
        ("Ross Park Mall Parking", "Ross Park Mall"),
    ],
)
def test_a_shop_in_a_mall_is_never_merged_with_the_mall_automatically(one: str, other: str) -> None:
    where = {"lat": 40.5389691, "lon": -80.0077114, "phone": "+1 412 369 4400", "address": "1000 Ross Park Mall Dr"}
    match = compare(facts("place", {**where, "name": one}), facts("place", {**where, "name": other}))
    assert "part" in match.vetoes
    assert match.probability < AUTO


def test_branches_of_a_chain_are_different() -> None:
    here, there = (
        {"name": "Boots", "lat": lat, "lon": -3.19, "address": at}
        for lat, at in ((55.95, "40 North Bridge"), (55.961, "48 Shandwick Place"))
    )
    assert compare(facts("place", here), facts("place", there)).probability < REVIEW


def test_long_descriptions_that_share_common_words_do_not_match() -> None:
    exchange = "Come and practise your English with friendly people over a drink, everybody welcome, free entry tonight"
    shoes = (
        "Learn to make leather shoes with our master, everybody welcome, bring friendly people and your tools tonight"
    )
    one = {"name": "Language exchange", "start": "2027-03-02T19:00", "locality": "Novato", "description": exchange}
    other = {**one, "name": "Shoe making course", "description": shoes}
    assert compare(facts("event", one), facts("event", other)).probability < REVIEW


def test_events_with_the_same_name_in_two_towns_are_different() -> None:
    one = {"name": "Storytime", "start": "2027-03-02T10:00", "venue_name": "Petaluma Library", "locality": "Petaluma"}
    other = {**one, "venue_name": "Sonoma Library", "locality": "Sonoma"}
    assert compare(facts("event", one), facts("event", other)).probability < REVIEW


def test_the_same_title_start_and_town_need_a_person() -> None:
    one = {"name": "Redwood Nights Storytelling", "start": "2027-03-02T18:30", "locality": "Novato"}
    assert REVIEW <= compare(facts("event", one), facts("event", one)).probability < AUTO
