"""What belongs to another thing, or is elsewhere under its name, and what is one though it is written otherwise."""

from __future__ import annotations

import unicodedata

import pytest

from gleanery.resolution.matches.abbreviations import written_out
from gleanery.resolution.matches.hours import compare_hours, days, hours
from gleanery.resolution.matches.scoring import AUTO, REVIEW
from gleanery.resolution.matches.spelling import name as spelled
from gleanery.resolution.matches.streets import named_house
from gleanery.resolution.matches.within import is_within
from tests.matching.judged import Fields, levels, likely

CHURCH: Fields = {"name": "Northgate Baptist Church", "address": "High St", "locality": "Lowestoft", "country": "GB"}
DESK: Fields = {
    "provider_name": "Kalmar Red Cross",
    "locality": "Kalmar",
    "address": "Norra vägen 2",
    "phone": "0480 555 120",
    "country": "SE",
}


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("St Cuthbert's Church Hall", "St Cuthbert's Church"),
        ("Beckfield Park Playground", "Beckfield Park"),
        ("Windmill Hill City Farm Café", "Windmill Hill City Farm"),
    ],
)
def test_what_a_house_or_a_park_has_is_not_the_house(part: str, whole: str) -> None:
    assert is_within(spelled(part), spelled(whole))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Olive Garden", "Olive Garden Italian Restaurant"),
        ("Orpheum Theatre", "The Orpheum Theater Galesburg"),
        ("Pinewood Disc Golf", "Pinewood Disc Golf Course"),
        ("Rosalind Park", "Rosalind Park and Gardens"),
        ("Les Amis de l’orgue de St Flour", "Association des Amis de l'Orgue de Saint-Flour"),
    ],
)
def test_a_further_word_for_what_it_is_makes_no_part_of_it(one: str, other: str) -> None:
    assert not is_within(spelled(one), spelled(other))


def test_what_an_address_names_is_the_house_that_it_is_in() -> None:
    fridge = {"name": "Community Fridge – Northgate", "address": "Northgate Baptist Church, High St"}
    assert levels("place", CHURCH, CHURCH | fridge)["sort"] == "within"
    assert likely("place", CHURCH, CHURCH | fridge) < REVIEW


def test_a_house_that_tells_its_own_name_in_its_address_is_in_no_other() -> None:
    assert "within" not in levels("place", CHURCH, CHURCH | {"address": "Northgate Baptist Church, High St"}).values()
    assert named_house("High Street, 12") == ""
    assert named_house("High St") == ""


@pytest.mark.parametrize("kind", ["organization", "service"])
@pytest.mark.parametrize(
    ("here", "there", "level"),
    [
        ("Co. Kilkenny", "Co. Waterford", "other"),
        ("Co. Waterford", "County Waterford", None),
        ("QLD", "Queensland", None),
        ("Sachsen", "Saxony", None),
        ("Софийска област", "", None),
    ],
)
def test_two_towns_of_one_name_are_told_apart_by_their_regions(
    kind: str, here: str, there: str, level: str | None
) -> None:
    club = {"name": "Dungarvan Sports Club", "locality": "Dungarvan", "country": "IE"}
    found = levels(kind, club | {"region": here}, club | {"region": there})
    assert found.get("region") == level


@pytest.mark.parametrize("kind", ["organization", "service"])
def test_of_two_dungarvans_each_has_its_club(kind: str) -> None:
    club = {"name": "Dungarvan Sports Club", "locality": "Dungarvan", "country": "IE"}
    assert likely(kind, club, club) >= REVIEW
    assert likely(kind, club | {"region": "Co. Kilkenny"}, club | {"region": "Co. Waterford"}) < REVIEW


@pytest.mark.parametrize(
    ("town", "other"), [("ქუთაისი", "Kutaisi"), ("전주시", "Jeonju-si"), ("أسوان", "Aswan"), ("उज्जैन", "Ujjain")]
)
def test_a_town_is_known_in_letters_of_which_some_write_no_vowels(town: str, other: str) -> None:
    fair: Fields = {"name": "Flower Festival", "start": "2026-05-02T12:00+04:00"}
    assert levels("event", fair | {"name": town, "locality": town}, fair | {"locality": other})["town"] == "same"


def test_letters_that_nobody_can_spell_out_say_nothing_against_a_street_or_a_town() -> None:
    one = {"name": "נווה שאנן", "address": "רחוב התיכון 18", "locality": "כרמיאל"}
    found = levels("place", one, {"name": "Neve Sha'anan Centre", "address": "7 HaTikhon St", "locality": "Haifa"})
    assert not {"town", "address"} & found.keys()


def test_the_front_page_is_one_with_and_without_www_and_scheme() -> None:
    one = {"name": "Il Mantello", "url": "www.ilmantello.example"}
    assert levels("service", one, one | {"url": "https://ilmantello.example/"})["site"] == "same"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Freeman St Market Hall", "freeman street market hall"),
        ("Vincent's, Hartstonge St", "vincent s hartstonge street"),
        ("St Mary's", "saint mary s"),
        ("Church of St John", "church of saint john"),
        ("St Flour", "saint flour"),
    ],
)
def test_st_is_a_street_behind_its_name_and_a_saint_before(text: str, written: str) -> None:
    assert spelled(text) == written


def test_a_short_form_of_one_language_is_none_in_a_name_of_another() -> None:
    assert "futebol" not in written_out("West Wind CBF: energy grants for village halls and community buildings")


def test_one_that_tells_of_a_street_in_which_it_was_has_moved() -> None:
    cafe = {"name": "Café Zeitlos", "locality": "Hameln"}
    moved = {
        "address": "Rosengasse 7",
        "description": "Begegnungsort; früher Osterstraße 31, seit Mai in der Rosengasse.",
    }
    assert "address" not in levels("place", cafe | moved, cafe | {"address": "Osterstraße 31"})


def test_what_two_have_in_common_that_one_desk_offers_counts_less_where_they_are_called_differently() -> None:
    found = levels("service", DESK | {"name": "Språkcafé"}, DESK | {"name": "Läxhjälp"})
    assert (found["address"], found["phone"]) == ("desk", "desk")
    assert likely("service", DESK | {"name": "Språkcafé"}, DESK | {"name": "Läxhjälp"}) < REVIEW
    hours = DESK | {"opening_hours": "tisdag 17-19"}
    assert likely("service", hours | {"name": "Språkcafé"}, hours | {"name": "Läxhjälp"}) < REVIEW
    assert levels("service", DESK | {"name": "Läxhjälp"}, DESK | {"name": "Läxhjälp!"})["phone"] == "same"


@pytest.mark.parametrize(
    ("one", "other", "rest"),
    [
        ("Winscales Wind Farm Fund", "Whinfell Wind Farm Fund", "word"),
        ("Grants for schools", "Grants for museums", "swap"),
        ("Project Grants", "Project Fund", None),
    ],
)
def test_names_of_one_form_with_another_word_in_one_place_are_two(one: str, other: str, rest: str | None) -> None:
    found = levels("funding", {"name": one}, {"name": other}).get("rest")
    assert found == rest if rest else found not in ("word", "swap")


def test_names_with_little_in_common_are_not_set_apart_once_more() -> None:
    one = {"name": "Fargo Prairie Women in Trades Scholarship"}
    found = levels("funding", one, {"name": "Women in Trades Scholarship, sponsored by Dakota Lumber"})
    assert found["name"] == "some"
    assert "rest" not in found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jazz concert: Trio Petrov", "Rock concert: Northern Lights"),
        ("Концерт на Теодосий Спасов", "Концерт на Графа"),
        ("Workshop: watercolours", "Workshop: bread baking"),
        ("Film screening: Amelie", "Film screening: The Godfather"),
        ("Lecture on bees", "Lecture on Roman coins"),
    ],
)
@pytest.mark.parametrize("start", ["2027-03-05T19:00", "2027-03-05T20:00", "2027-03-05"])
def test_two_events_of_one_sort_at_one_venue_are_two(one: str, other: str, start: str) -> None:
    event = {"venue_name": "Club Terminal 1", "locality": "Sofia", "country": "BG"}
    assert (
        likely("event", event | {"name": one, "start": "2027-03-05T19:00"}, event | {"name": other, "start": start})
        < REVIEW
    )


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("BG16PV-2025-007", "BG16-PV-2025-007", "same"),
        ("BN 118804421RR0001", "118804421 RR 0001", "same"),
        ("KA210-SCH-2025", "KA210-YOU-2025", "other"),
        ("KA210SCH-2025-001", "KA210-YOU-2025-001", "other"),
    ],
)
def test_a_number_is_one_however_its_letters_are_set_off(one: str, other: str, level: str) -> None:
    call = {"name": "Solidarity projects"}
    assert levels("funding", call | {"official_id": one}, call | {"official_id": other})["official_id"] == level


def test_two_parts_in_two_languages_are_no_two_parts() -> None:
    found = levels("funding", {"name": "Projekti solidarnosti – 2. rok"}, {"name": "Solidarity Projects – Round 2"})
    assert found.get("rest") != "parts"


def test_a_deadline_that_was_extended_within_a_month_is_told_by_both_days() -> None:
    call = {"name": "Зелено дворче", "funder_name": "Жива поляна"}
    moved = {"deadline": "2025-04-25", "description": "Срокът се удължава от 10 на 25 април."}
    assert "deadline" not in levels("funding", call | moved, call | {"deadline": "2025-04-10"})


@pytest.mark.parametrize("text", ["Highlights include pasties.", "Well maintained, with a Victorian front."])
def test_a_word_that_begins_like_a_street_tells_of_no_street(text: str) -> None:
    shop: Fields = {"name": "Greggs", "locality": "Leeds", "country": "GB", "url": "https://greggs.example"}
    there = shop | {"address": "3 Mill Lane", "description": text}
    for street in ("12 High Street", "12 Main Street", "12 Victoria Road"):
        assert levels("place", shop | {"address": street}, there)["address"] == "other"


@pytest.mark.parametrize(
    ("name", "here", "there"),
    [
        ("Oxford House", "London", "Oxford"),
        ("Plymouth Brethren", "Leeds", "Plymouth"),
        ("Boston Pizza", "Chicago", "Boston"),
    ],
)
def test_a_town_that_both_are_called_after_says_not_where_they_are(name: str, here: str, there: str) -> None:
    one = {"name": name, "url": "https://one.example"}
    assert levels("organization", one | {"locality": here}, one | {"locality": there})["town"] == "away"


def test_a_short_form_is_written_out_though_the_patron_has_its_initials() -> None:
    assert written_out("ДГ „Дора Габе“") != "ДГ „Дора Габе“"


@pytest.mark.parametrize(
    ("one", "other", "address"),
    [
        ("Northgate Community Church", "Northgate Church", "Northgate Church, High St"),
        ("Lowestoft Central Library", "Lowestoft Library", "The Library, Clapham Road"),
        ("Wigan Central Library", "Wigan Library", "Library Street, Wigan"),
    ],
)
def test_a_house_with_a_fuller_name_than_its_address_is_not_within_itself(one: str, other: str, address: str) -> None:
    house = {"address": address, "phone": "01942 555 100", "locality": "Wigan"}
    assert levels("place", house | {"name": one}, house | {"name": other}).get("sort") != "within"


@pytest.mark.parametrize(
    ("one", "other"), [("إربد", "Irbid"), ("פתח תקווה", "Petah Tikva"), ("南京西路", "Nanjing West Road")]
)
def test_what_nobody_is_sure_how_to_spell_is_not_another_town_or_street(one: str, other: str) -> None:
    found = levels(
        "organization",
        {"name": "A", "locality": one, "address": f"{one} 5"},
        {"name": "B", "locality": other, "address": f"{other} 5"},
    )
    assert found.get("town") in (None, "same")
    assert found.get("address") in (None, "same")


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("8:00-10:00 am", "8:00-10:00 pm", "other"),
        ("Mon 09:00-11:00", "Mon 21:00-23:00", "other"),
        ("Thu 1-3", "Thu 13:00-15:00", "same"),
    ],
)
def test_only_hours_that_nobody_keeps_in_the_night_may_be_in_the_afternoon(one: str, other: str, level: str) -> None:
    assert compare_hours(hours(one), hours(other)) == level


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Every 1st Saturday", ["saturday"]),
        ("ma 10-12, do 14-16", ["monday", "thursday"]),
        ("ma-to 10-16", ["monday", "tuesday", "wednesday", "thursday"]),
        ("Pazartesi ve Salı", ["monday"]),
        ("9-5, on 24 December", []),
    ],
)
def test_a_day_cut_short_is_one_only_where_a_day_may_stand(text: str, found: list[str]) -> None:
    assert days(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [("St Anne's Women's Hostel", "St Anne's Youth Hostel"), ("Leeds Sewing Circle", "Leeds Knitting Circle")],
)
def test_what_has_another_word_in_its_name_is_never_merged_unasked(one: str, other: str) -> None:
    house = {"address": "4 Mill Lane", "locality": "Leeds", "phone": "0113 496 0000", "url": "https://stannes.example"}
    assert likely("place", house | {"name": one}, house | {"name": other}) < AUTO


def test_another_street_with_the_same_number_is_never_merged_unasked() -> None:
    shop = {"name": "Starbucks", "locality": "Leeds", "url": "https://starbucks.example"}
    assert likely("place", shop | {"address": "5 Oak Avenue"}, shop | {"address": "5 Mill Lane"}) < AUTO


@pytest.mark.parametrize(
    ("here", "there"), [("England", "Norfolk"), ("Munster", "Co. Waterford"), ("DC", "District of Columbia")]
)
def test_a_region_within_the_other_is_no_other_region(here: str, there: str) -> None:
    club = {"name": "Diss Rugby Club", "locality": "Diss"}
    assert "region" not in levels("organization", club | {"region": here}, club | {"region": there})


def test_letters_are_one_however_they_are_put_together() -> None:
    assert spelled(unicodedata.normalize("NFD", "전주시 도서관")) == spelled("전주시 도서관")
    assert spelled("ᲗᲑᲘᲚᲘᲡᲘ") == spelled("თბილისი")
