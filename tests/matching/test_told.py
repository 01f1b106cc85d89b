"""What descriptions, opening hours, hosts and halls tell of two records, and that no door passes over any of it."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches.keys import keys
from gleanery.resolution.matches.scoring import REVIEW, score
from gleanery.resolution.matches.sentences import sentence, side
from gleanery.resolution.matches.sheet import make
from gleanery.resolution.matches.traits import READ, traits
from tests.matching.test_names import levels, named

EVERYTHING: dict[str, Any] = {
    "name": "Night shelter “Harbour” for women (St. Anne)",
    "legal_name": "Harbour Charity",
    "description": "Beds and soup for whoever has no home",
    "address": "12 High Street",
    "locality": "Leeds",
    "region": "Yorkshire",
    "postal_code": "LS1 4AB",
    "country": "GB",
    "lat": 53.8,
    "lon": -1.55,
    "phone": "0113 496 0140",
    "email": "desk@harbour.example",
    "url": "https://harbour.example/beds",
    "official_id": "1042557",
    "venue_name": "Harbour Hall",
    "organizer_name": "Harbour Friends",
    "funder_name": "Harbour Trust",
    "provider_name": "Harbour Aid",
    "start": "2027-03-12T19:00",
    "end": "2027-03-13",
    "deadline": "2027-02-11",
    "year": 2026,
    "amount_min": 100,
    "amount_max": 600,
    "currency": "GBP",
    "founding_date": "1982",
    "opening_hours": "Mon–Fri 9–12",
    "eligibility": "Refugees",
}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_file_are_compared_by_all_that_records_are_compared_by(kind: str) -> None:
    assert set(READ) == EVERYTHING.keys()
    known = {field: value for field, value in EVERYTHING.items() if field in KINDS[kind].fields}
    (made,) = make(kind, [known])
    assert made.traits == traits(kind, known)
    for field in known.keys() - {"lat", "lon", "name"}:
        assert traits(kind, {**known, field: None}) != made.traits, f"{field} is read and tells nothing"


def test_other_days_are_other_hours_though_the_clock_says_the_same() -> None:
    course = {"name": "English for beginners", "opening_hours": "Mon and Wed 10-12"}
    assert levels("service", course, {**course, "opening_hours": "вт. и чт. 10–12 ч."})["hours"] == "other"
    assert levels("service", course, {**course, "opening_hours": "lundi, mercredi 10h-12h"})["hours"] == "same"
    assert levels("service", course, {**course, "opening_hours": "Mo–Fr 10:00–12:00"})["hours"] == "same"


def test_another_host_of_one_site_is_not_one_site_of_their_own() -> None:
    union = {"name": "Red Cross", "url": "https://www.redcross.example"}
    assert levels("organization", union, {"name": "Red Cross Ruse", "url": "ruse.redcross.example"})["site"] == "apart"
    assert levels("organization", union, {"name": "Red Cross", "url": "http://redcross.example/"})["site"] == "same"


def test_names_in_two_languages_at_one_hour_are_nothing_unless_something_tells_where() -> None:
    opera = {"name": "Набуко", "start": "2026-10-30T19:00", "venue_name": "Опера Русе"}
    sisters = {"name": "The Halloran Sisters and Kerrigan Doyle", "start": "2026-10-30T19:00", "locality": "Cluj"}
    assert levels("event", opera, sisters)["name"] == "unplaced"
    assert score(traits("event", opera), traits("event", sisters)).probability < REVIEW
    assert levels("event", {**opera, "locality": "Клуж"}, {**sisters, "locality": "Клуж"})["name"] == "foreign"


def test_numbers_of_two_registers_do_not_contradict_each_other() -> None:
    exchange = {"name": "Digital Tales", "official_id": "YEX-20417"}
    assert levels("opportunity", exchange, {**exchange, "official_id": "YEX-20501"})["official_id"] == "other"
    assert "official_id" not in levels("opportunity", exchange, {**exchange, "official_id": "PV-2026/0311"})
    club = {"name": "Sailing club", "official_id": "103255978"}
    assert levels("organization", club, {**club, "official_id": "103255979"})["official_id"] == "other"
    assert "official_id" not in levels("organization", club, {**club, "official_id": "VR 204"})


def test_calls_for_other_people_are_other_calls_and_that_both_are_for_the_same_tells_little() -> None:
    women = {"name": "Mobility grants", "eligibility": "Women"}
    assert levels("funding", women, {**women, "eligibility": "Männer"})["whom"] == "other"
    assert "whom" not in levels("funding", women, women)


def test_a_venue_may_be_called_as_who_runs_it() -> None:
    play = {"name": "Wolvenmeisje", "start": "2026-10-17T15:00", "organizer_name": "Kopergietery"}
    hall, house = {**play, "venue_name": "Grote zaal"}, {**play, "venue_name": "Kopergietery"}
    assert levels("event", hall, house)["venue"] == "alike"


def test_words_that_may_mean_several_things_meet_their_translation_in_one_town() -> None:
    here, there = ({"name": name, "locality": "Sofia"} for name in ("Bulgarian Red Cross", "Български Червен кръст"))
    assert keys(traits("organization", here)) & keys(traits("organization", there))


def test_what_both_descriptions_tell_speaks_for_it_and_what_neither_shares_against() -> None:
    one = {"name": "Marienambulanz", "description": "Medizinische Versorgung für Menschen ohne Versicherung"}
    same = {"name": "Free doctor", "description": "Medical clinic for people without insurance"}
    other = {"name": "Free evening", "description": "Tango, wine and olives under the old bridge"}
    assert levels("service", one, same)["about"] in ("some", "much")
    assert levels("service", one, other)["about"] == "none"
    assert "about" not in levels("service", {"name": "A"}, {"name": "B"})


def test_a_volunteer_is_shown_what_is_told_of_both_or_of_one_beside_the_name_of_the_other() -> None:
    one = side("service", {"name": "Marienambulanz", "description": "Ärzte für Menschen ohne Versicherung"})
    other = side("service", {"name": "Clinic for the uninsured"})
    said = sentence("about", "little", one, other)
    assert said.endswith("in common: Ärzte für Menschen ohne Versicherung and “Clinic for the uninsured”.")


def test_a_former_name_in_the_description_is_found_in_the_other_name() -> None:
    now = {"name": "Blue Valley Food Bank", "description": "Formerly Interfaith Pantry of Blue Valley"}
    assert levels("organization", now, {"name": "Interfaith Pantry"})["about"] == "some"


def test_what_names_have_in_common_is_not_counted_again_for_descriptions() -> None:
    one = {"name": "Kingfisher", "description": "Kingfisher"}
    assert "about" not in levels("place", one, {"name": "Kingfisher"})


def test_the_one_text_that_a_site_has_for_everything_tells_nothing_of_things_with_other_names() -> None:
    text = "The town's stage for jazz, theatre and cabaret since 1921"
    stage = {"start": "2027-04-01T19:00", "venue_name": "The Rex", "locality": "Sofia", "description": text}
    assert levels("event", {**stage, "name": "Romeo and Juliet"}, {**stage, "name": "Kabarett"})["about"] == "also"
    assert (
        levels("event", {**stage, "name": "Romeo & Juliet"}, {**stage, "name": "Romeo and Juliet"})["about"] == "most"
    )


def test_parts_of_a_series_that_are_described_alike_stay_apart() -> None:
    part = {"name": "Film, part 1", "start": "2027-04-01", "venue_name": "The Rex", "locality": "Sofia"}
    part["description"] = "Silent classics with live piano, chosen by the archive"
    other = {**part, "name": "Film, part 2", "start": "2027-04-01T12:00"}
    assert score(traits("event", part), traits("event", other)).probability < REVIEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Stereolux (salle Maxi)", "Stereolux - Salle Micro"),
        ("Филхармония – голяма зала", "Филхармония, камерна зала"),
        ("Forum Muzyki – Sala Czerwona", "Forum of Music, Room 2"),
    ],
)
def test_two_halls_of_one_house_stay_apart(one: str, other: str) -> None:
    house = {"address": "4 boulevard Bureau", "locality": "Nantes", "phone": "+33 2 40 43 20 43"}
    here, there = (traits("place", {"name": text, **house}) for text in (one, other))
    assert score(here, there).probability < REVIEW


@pytest.mark.parametrize(
    ("one", "other"),
    [("Stereolux (salle Maxi)", "Stereolux – Salle Maxi"), ("Филхармония, зала 1", "Филхармония – Зала № 1")],
)
def test_one_hall_is_one_however_it_is_set_off(one: str, other: str) -> None:
    assert "contrast" not in levels("place", {"name": one}, {"name": other})


def test_a_code_that_differs_is_another_number_though_others_agree() -> None:
    one = {"name": "Deutsch A1.1 – Integrationskurs Modul 1"}
    assert levels("service", one, {"name": "Deutsch B1.1 – Integrationskurs Modul 5"})["number"] == "other"
    assert levels("service", one, {"name": "Integrationskurs A1.1"})["number"] == "same"


def test_a_number_may_be_written_as_a_word() -> None:
    assert named("AMAP des Trois Ponts", "A.M.A.P. Les 3 Ponts", "organization") in ("same", "close", "meaning")


def test_what_follows_the_town_of_a_name_is_not_what_it_is_part_of() -> None:
    one, other = {"name": "Opéra de Nantes - Théâtre Graslin"}, {"name": "Théâtre Graslin"}
    assert levels("place", one, other)["sort"] != "within"


def test_whoever_is_told_by_initials_may_be_whoever_has_them_before_whom_they_are_known_of() -> None:
    call = {"name": "Humanisons les soins", "funder_name": "FDF"}  # known of Danish scouts
    for funder in ("Fondation de France", "FDF", "Frivilligt Drenge- og Pigeforbund"):
        assert levels("funding", call, {**call, "funder_name": funder})["run_by"] in ("same", "alike")


def test_people_are_told_apart_by_age_though_they_have_something_else_in_common() -> None:
    children = {"name": "Дневен център за деца с увреждания „Усмивка“"}
    adults = {"name": "Дневен център за пълнолетни с увреждания „Усмивка“"}
    assert levels("service", children, adults)["contrast"] == "other"
    assert levels("service", children, adults)["whom"] == "other"


def test_outlets_of_one_town_stay_apart_though_nobody_else_has_the_name() -> None:
    bagel = {"name": "Bridgetown Bagel Company", "locality": "Portland", "country": "US", "url": "bagel.example"}
    one = {**bagel, "address": "1110 Glisan St", "postal_code": "97209", "phone": "(503) 227-8810"}
    other = {**bagel, "address": "3416 Hawthorne Blvd", "postal_code": "97214", "phone": "(503) 232-8810"}
    assert score(traits("place", one), traits("place", other)).probability < REVIEW


def test_the_front_page_of_a_shared_host_is_nobodys_but_a_host_under_it_is() -> None:
    one, other = {"name": "A", "url": "https://www.facebook.com/"}, {"name": "B", "url": "https://facebook.com"}
    assert "site" not in levels("organization", one, other)
    choir = {"name": "A", "url": "https://choir.wordpress.com"}
    assert levels("organization", choir, {"name": "B", "url": "http://choir.wordpress.com/"})["site"] == "page"
    assert "site" not in levels("organization", choir, {"name": "B", "url": "https://band.wordpress.com"})
