"""What names repeat of other fields: who runs it, the year, the amount, and that a call is open for longer."""

from __future__ import annotations

import pytest

from gleanery.resolution.matches.scoring import AUTO, REVIEW
from gleanery.resolution.matches.traits import traits
from tests.matching.judged import Fields, levels, likely

DESK: Fields = {"address": "130 Patrick Street", "locality": "Cork", "country": "IE", "phone": "021 705 9196"}
DESK |= {"provider_name": "Roundabout Youth"}
CALL: Fields = {"name": "Growing Gardens Fund", "funder_name": "Lowther Trust", "amount_max": 5000, "currency": "GBP"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Roundabout Youth: Supported Lodgings", "School Uniform Exchange (Roundabout Youth)"),
        ("Supported Lodgings – Roundabout Youth", "Roundabout Youth School Uniform Exchange"),
        ("Supported Lodgings by “Roundabout Youth”", "School Uniform Exchange, “Roundabout Youth”"),
    ],
)
def test_two_services_are_not_one_for_naming_the_same_provider(one: str, other: str) -> None:
    assert levels("service", DESK | {"name": one}, DESK | {"name": other})["name"] == "other"
    assert likely("service", DESK | {"name": one}, DESK | {"name": other}) < AUTO


@pytest.mark.parametrize("name", ["Roundabout Youth: Supported Lodgings", "Supported Lodgings (Roundabout Youth)"])
def test_a_provider_that_only_one_name_tells_makes_no_other_service(name: str) -> None:
    assert likely("service", DESK | {"name": "Supported Lodgings"}, DESK | {"name": name}) >= REVIEW


def test_a_service_that_is_called_as_its_provider_is_still_known_by_that_name() -> None:
    found = levels("service", DESK | {"name": "Roundabout Youth"}, DESK | {"name": "Roundabout Youth Service"})
    assert found["name"] in ("same", "close", "part")


@pytest.mark.parametrize(
    "added",
    [" – deadline extended", " | up to 5 000 GBP", " (grants up to £5,000)", " – удължен срок", " – bis zu 5.000 €"],
)
def test_what_an_announcement_adds_is_no_part_of_the_name_of_a_call(added: str) -> None:
    assert traits("funding", CALL | {"name": CALL["name"] + added}).name == traits("funding", CALL).name


def test_a_call_that_is_called_by_its_amount_keeps_its_name() -> None:
    assert traits("funding", {"name": "£1,000"}).name


def test_the_year_in_the_name_of_a_call_is_its_year() -> None:
    this_year = CALL | {"deadline": "2025-05-12"}
    assert levels("funding", CALL | {"name": "Growing Gardens Fund 2024"}, this_year)["year"] == "other"
    assert levels("funding", CALL | {"name": "Growing Gardens Fund 2025"}, this_year)["year"] == "same"
    assert "year" not in levels("funding", CALL | {"name": "Growing Gardens Fund 2025/26"}, CALL)


def test_a_call_of_next_year_may_close_this_autumn() -> None:
    assert "year" not in levels("funding", CALL | {"name": "Growing Gardens 2026"}, CALL | {"deadline": "2025-11-30"})
    assert levels("funding", CALL | {"name": "Gardens 2026"}, CALL | {"deadline": "2025-03-31"})["year"] == "other"


def test_a_programme_that_is_called_after_a_year_has_calls_of_other_years() -> None:
    horizon = {"name": "Horizon 2020: SME Instrument", "funder_name": "European Commission"}
    told = horizon | {"deadline": "2018-02-08", "year": 2018}
    assert levels("funding", horizon, told).get("year") != "other"


def test_what_closes_years_before_the_year_in_its_name_is_not_of_that_year() -> None:
    vision = CALL | {"name": "Vision 2030 Gardens Fund", "deadline": "2026-05-01"}
    assert levels("funding", vision, CALL | {"year": 2026})["year"] == "same"


def test_calls_that_differ_by_the_sum_in_their_names_are_two() -> None:
    award = {"name": "Youth Sport Grants up to €1000", "funder_name": "Lowther Trust"}
    found = levels("funding", award, award | {"name": "Youth Sport Grants up to €50000"})
    assert (found["name"], found["amount"]) == ("same", "other")


def test_a_title_is_still_one_where_the_house_is_called_after_it() -> None:
    opera = {"name": "“Ombretta”", "start": "2027-03-12T19:00", "venue_name": "Ombretta House"}
    assert levels("event", opera, opera | {"name": "The captive king: “Ombretta”"})["name"] in ("title", "part")


def test_what_begins_in_one_year_is_not_what_was_to_be_applied_for_in_the_next() -> None:
    desk = {"name": "Festival ticket desk", "organizer_name": "Sofia Film Fest"}
    assert levels("opportunity", desk | {"deadline": "2025-02-20"}, desk | {"start": "2024-03-13"})["year"] == "other"


def test_an_amount_that_is_only_near_is_another_unless_it_was_changed_into_other_money() -> None:
    assert levels("funding", CALL, CALL | {"amount_max": 5113})["amount"] == "other"
    lev = CALL | {"amount_max": 10_000, "currency": "BGN"}
    assert levels("funding", lev, CALL | {"amount_max": 5000, "currency": "EUR"})["amount"] in ("same", "rare")


def test_two_town_councils_that_describe_their_calls_alike_have_two_calls() -> None:
    told = {"name": "Grants for medical students", "description": "Future doctors who will work in the municipality"}
    two = levels("funding", told | {"funder_name": "Pleven Council"}, told | {"funder_name": "Samokov Council"})
    assert (two["run_by"], two["about"]) == ("peer", "also")


def test_two_calls_of_one_rare_name_are_shown_to_somebody_though_nothing_else_is_known() -> None:
    name = {"name": "Lowther Valley Community Arts Fund"}
    assert REVIEW <= likely("funding", name, name) < AUTO
