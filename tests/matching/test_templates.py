"""Names of one template: the calls of every town, numbered groups, branches, a house and the café in it."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

import pytest

from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import FEWEST_USUAL, corpus
from gleanery.resolution.matches.dedupe import Found, dedupe
from gleanery.resolution.matches.scoring import AUTO, REVIEW, score
from gleanery.resolution.matches.sheet import File
from gleanery.resolution.matches.traits import Traits, traits
from tests.matching.judged import Fields, levels, likely

WARDS: Fields = {"name": "London Ward Members' Small Grants", "funder_name": "London City Council", "country": "GB"}
WARDS |= {"amount_max": 2000, "currency": "GBP", "description": "Funding for groups of residents and their projects"}


def in_glasgow(**more: Any) -> Fields:
    return {key: str(value).replace("London", "Glasgow") for key, value in WARDS.items()} | more


@pytest.mark.parametrize("more", [{}, {"locality": "Glasgow"}, {"funder_name": "Glasgow CC"}])
def test_the_same_call_of_two_towns_is_two_calls(more: Fields) -> None:
    assert levels("funding", WARDS, in_glasgow(**more))["rest"] == "own"
    assert likely("funding", WARDS, in_glasgow(**more)) < REVIEW


def test_a_town_or_an_owner_that_only_one_name_has_is_no_other_name() -> None:
    plain = WARDS | {"name": "Ward Members' Small Grants", "locality": "London"}
    assert levels("funding", WARDS, plain)["name"] == "same"
    assert likely("funding", WARDS, plain) >= REVIEW


def test_what_one_name_tells_and_the_other_record_tells_elsewhere_is_no_difference() -> None:
    one = {"name": "Rila Library Sofia", "address": "Vazov Street 3", "locality": "Sofia"}
    assert levels("place", one, one | {"name": "Rila Library, Vazov Street"}).get("rest") != "own"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"name": "Munich Volunteers Hearth", "locality": "Munich"}, {"locality": "München"}),
        (
            {"name": "Jazz Festival Munich", "locality": "Munich"},
            {"name": "Jazz Festival Kapana", "venue_name": "Kapana"},
        ),
    ],
)
def test_one_town_in_two_spellings_and_a_town_beside_a_venue_are_not_two(one: Fields, other: Fields) -> None:
    told = {"name": one["name"].replace("Munich", "München")} | other
    assert levels("event", one, told).get("rest") != "own"


def test_two_branches_behind_two_offers_of_one_name_are_two() -> None:
    one = {"name": "Ateliers de français", "provider_name": "Secours populaire, comité de Nantes", "locality": "Nantes"}
    other = {"name": "Ateliers de français", "provider_name": "Secours populaire, comité de Rennes"}
    assert levels("service", one, other)["run_by"] == "peer"
    assert levels("service", one, one)["run_by"] == "same"
    assert likely("service", one, other) < likely("service", one, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Хотел „Ален мак“", "Механа „Ален мак“"),
        ("Arcola Theatre", "Arcola Bar"),
        ("Hotel Sveti Nikola", "Restaurant Sveti Nikola"),
    ],
)
def test_a_house_and_the_table_in_it_stay_apart_though_all_else_agrees(one: str, other: str) -> None:
    there = {"address": "Svoboda 33", "locality": "Troyan", "phone": "+359 670 41 62 10", "country": "BG"}
    assert levels("place", there | {"name": one}, there | {"name": other})["sort"] == "inner"
    assert likely("place", there | {"name": one}, there | {"name": other}) < REVIEW


def test_a_cafe_may_be_called_without_saying_so() -> None:
    there = {"address": "Shipka 7", "locality": "Sofia"}
    assert likely("place", there | {"name": "Spindle"}, there | {"name": "Spindle Café"}) >= REVIEW


def test_a_school_and_its_board_at_one_desk_stay_apart() -> None:
    school = {"name": "СУ „Св. Патриарх Евтимий“", "address": "бул. Източен 22", "locality": "Пловдив"}
    school |= {"phone": "+359 32 266 280", "country": "BG", "postal_code": "4000"}
    board = school | {"name": "Училищно настоятелство към СУ „Св. Патриарх Евтимий“"}
    assert likely("organization", school, board) < REVIEW


def test_numbered_groups_are_not_one_however_rare_their_names_are() -> None:
    rows = [traits("organization", {"name": f"Club {number}", "locality": "Bath"}) for number in range(120)]
    one = {"name": "8th Bristol Scout Group", "locality": "Bristol"}
    here, there = (traits("organization", each) for each in (one, one | {"name": "18th Bristol Scout Group"}))
    among = corpus([*rows, here, there])
    assert compare(here, there, among).levels.get("telling") not in ("sole", "sole_in_town")
    assert score(here, there, among).probability < REVIEW


def test_a_place_of_that_name_in_another_town_is_another() -> None:
    church = {"name": "Храм „Свети пророк Илия“", "country": "BG"}
    assert likely("place", church | {"locality": "София"}, church | {"locality": "Велико Търново"}) < REVIEW


def described(many: int, text: str) -> list[Traits]:
    return [traits("service", {"name": f"Advice {number}", "description": text}) for number in range(many)]


def test_what_very_many_say_of_themselves_tells_nothing_of_two() -> None:
    text = "Volunteers repair bicycles every Thursday"
    one, other = (traits("service", {"name": name, "description": text + "."}) for name in ("Spokes", "Chain Gang"))
    few, many = (corpus([*described(count, text), one, other]) for count in (1, FEWEST_USUAL + 5))
    assert compare(one, other._replace(about=one.about + " more"), few).levels["about"] == "most"
    assert compare(one, other._replace(about=one.about + " more"), many).levels["about"] == "also"


def found(kind: str, *rows: Fields) -> Found:
    return dedupe(kind, [File("rows.jsonl", io.BytesIO("\n".join(map(json.dumps, rows)).encode()))], today=date.min)


def test_who_runs_a_thing_may_be_told_in_any_of_the_three_columns() -> None:
    one = {"name": "Kitchen Helper", "locality": "Leeds", "provider_name": "Hearth", "deadline": "2027-03-17"}
    other = {"name": "Kitchen helper", "locality": "Leeds", "organizer_name": "Hearth", "deadline": "2027-03-17"}
    (pair,) = found("opportunity", one, other).pairs
    assert {each["field"]: each["level"] for each in json.loads(pair.points)}["run_by"] == "same"
    assert pair.probability >= AUTO


def test_an_empty_cell_is_not_filled_from_another_column() -> None:
    rows = [{"name": "Open Stage", "start": "2027-03-12", "organizer_name": "", "funder_name": each} for each in "aa"]
    (pair,) = found("event", *rows).pairs
    assert "run_by" not in {each["field"] for each in json.loads(pair.points)}


def test_the_kinds_own_column_goes_before_the_other_two() -> None:
    rows = [
        {"name": "Open Stage", "start": "2027-03-12", "organizer_name": "Hearth", "funder_name": each} for each in "ab"
    ]
    answer = found("event", *rows)
    (pair,) = answer.pairs
    assert {each["field"]: each["level"] for each in json.loads(pair.points)}["run_by"] == "same"
    assert "funder_name" in answer.report.unknown_columns
