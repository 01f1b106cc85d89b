"""Typical pairs that must be right whatever the weights: venues, funders, organisers."""

from __future__ import annotations

from typing import Any

from gleanery.matching.facts import facts
from gleanery.matching.keys import keys, wanted
from gleanery.matching.scoring import AUTO, REVIEW, Match, compare

Fields = dict[str, Any]


def match(kind: str, one: Fields, other: Fields) -> Match:
    return compare(facts(kind, one), facts(kind, other))


def flagged(kind: str, one: Fields, other: Fields) -> bool:
    """Return True if the two share a key and a person would be asked."""
    here, there = facts(kind, one), facts(kind, other)
    return bool(wanted(here) & keys(there)) and compare(here, there).probability >= REVIEW


def test_the_rex_is_flagged() -> None:
    one = {
        "name": "The Rex Jazz Bar",
        "address": "194 Queen St W",
        "locality": "Toronto",
        "region": "ON",
        "country": "CA",
    }
    other = {**one, "name": "Rex Hotel Jazz & Blues Bar", "address": "194 Queen Street West"}
    assert flagged("place", one, other)


def test_the_rex_is_flagged_with_only_town_and_phone() -> None:
    one = {"name": "The Rex Jazz Bar", "locality": "Toronto", "phone": "+1 416-598-2475", "country": "CA"}
    assert flagged("place", one, {**one, "name": "Rex Hotel Jazz & Blues Bar", "phone": "(416) 598 2475"})


def test_st_and_saint_match() -> None:
    one = {"name": "St. Mary's Church Hall", "locality": "York", "address": "12 Castle Rd"}
    assert flagged("place", one, {"name": "Saint Mary’s Church Hall", "locality": "York", "address": "Castle Road 12"})


def test_the_order_of_words_does_not_matter() -> None:
    one = {"name": "National Palace of Culture", "locality": "Sofia", "address": "pl. Bulgaria 1"}
    assert flagged(
        "place", one, {"name": "Palace of Culture, National", "locality": "Sofia", "address": "1 Bulgaria Sq."}
    )


def test_a_subtitle_may_be_dropped() -> None:
    one = {
        "name": "Winter Tales: an evening of stories for the long nights",
        "start": "2027-01-14T19:30",
        "locality": "Leeds",
    }
    one |= {"venue_name": "Holbeck Theatre"}
    assert flagged("event", one, {**one, "name": "Winter Tales", "start": "2027-01-14T19:30:00+00:00"})


def test_a_presenter_may_be_added() -> None:
    one = {"name": "Nabucco", "start": "2027-06-02T20:00", "venue_name": "Ancient Theatre", "locality": "Plovdiv"}
    assert flagged("event", one, {**one, "name": "Opera Plovdiv presents: Nabucco"})


def test_a_typo_does_not_prevent_a_match() -> None:
    one = {"name": "Krasnoselska Community Library", "locality": "Varna", "address": "Tsar Simeon 14", "country": "BG"}
    assert flagged("place", one, {**one, "name": "Krasnosleska Comunity Library"})


def test_cyrillic_and_latin_spellings_match() -> None:
    one = {"name": "Център Стара Загора", "locality": "Стара Загора", "country": "BG", "phone": "+359 42 600 100"}
    assert flagged(
        "organization",
        one,
        {"name": "Tsentar Stara Zagora", "locality": "Stara Zagora", "country": "BG", "phone": "042 600100"},
    )
    assert flagged(
        "place",
        {**one, "address": "бул. Руски 44", "phone": ""},
        {"name": "Tsentar Stara Zagora", "address": "Ruski Blvd 44", "locality": "Stara Zagora"},
    )


def test_a_translated_name_is_found_through_other_fields() -> None:
    one = {
        "name": "Фондация „Америка за България“",
        "locality": "София",
        "url": "https://us4bg.example/bg",
        "phone": "+359 2 806 3800",
    }
    other = {
        "name": "America for Bulgaria Foundation",
        "locality": "Sofia",
        "url": "https://us4bg.example",
        "phone": "02 806 38 00",
        "country": "BG",
    }
    assert flagged("organization", {**one, "country": "BG"}, other)


def test_a_translated_name_alone_is_not_flagged() -> None:
    one = {"name": "Фондация „Граждани за планината“", "country": "BG"}
    assert not flagged("organization", one, {"name": "Citizens for the Mountain Foundation", "country": "BG"})


def test_outlets_of_a_chain_with_other_house_numbers_stay_apart() -> None:
    one = {"name": "Costa Coffee", "address": "12 High Street", "locality": "Bath", "url": "https://costa.example"}
    assert not flagged("place", one, {**one, "address": "97 High Street"})
    assert not flagged("place", one, {**one, "address": "5 Westgate Street"})


def test_two_venues_in_one_building_with_one_phone_stay_apart() -> None:
    one = {"name": "Studio 5 Gallery", "address": "1 Bulgaria Square", "locality": "Sofia", "phone": "+359 2 916 6300"}
    assert not flagged("place", one, {**one, "name": "Lumiere Cinema"})


def test_a_hotel_and_its_restaurant_stay_apart() -> None:
    one = {"name": "Hotel Rila", "address": "Kaloyan 6", "locality": "Sofia", "phone": "+359 2 937 7100"}
    assert match("place", one, {**one, "name": "Restaurant Panorama", "phone": "+359 2 937 7177"}).probability < REVIEW
    assert match("place", one, {**one, "name": "Restaurant Rila"}).probability < AUTO
    assert not flagged("place", one, {**one, "name": "Restaurant Panorama"})


def test_branch_offices_stay_apart() -> None:
    one = {
        "name": "Bulgarian Red Cross",
        "locality": "Varna",
        "url": "https://redcross.example",
        "address": "Bratya Shkorpil 3",
    }
    other = {**one, "locality": "Burgas", "address": "Vazrazhdane 9"}
    assert not flagged("organization", one, other)
    assert not flagged("place", {**one, "name": "Citizens Advice Leeds"}, {**other, "name": "Citizens Advice Bradford"})


def test_two_events_at_one_venue_on_one_day_stay_apart_unless_their_names_agree() -> None:
    one = {"name": "Chess Club", "start": "2027-03-12T17:00", "venue_name": "Central Library", "locality": "Varna"}
    assert not flagged("event", one, {**one, "name": "Story Time for Toddlers", "start": "2027-03-12T10:00"})
    assert not flagged("event", one, {**one, "name": "Knitting Circle"})
    assert flagged("event", one, {**one, "name": "The Chess Club meets", "start": "2027-03-12T17:00:00+02:00"})


def test_two_classes_in_one_hall_do_not_match_by_the_word_class() -> None:
    yoga = {"name": "Yoga class", "start": "2026-12-01T10:00", "venue_name": "Town Hall", "locality": "Leeds"}
    assert not flagged("event", yoga, {**yoga, "name": "Spanish class"})
    driver = {"name": "Volunteer driver", "organizer_name": "Meals on Wheels", "locality": "Leeds"}
    driver |= {"deadline": "2026-12-31"}
    assert not flagged("opportunity", driver, {**driver, "name": "Volunteer cook"})
    assert flagged("opportunity", driver, {**driver, "name": "Driver (volunteer)"})


def test_events_on_overlapping_days_are_flagged() -> None:
    one = {
        "name": "Kapana Fest",
        "start": "2027-06-04",
        "end": "2027-06-06",
        "locality": "Plovdiv",
        "venue_name": "Kapana",
    }
    assert flagged("event", one, {**one, "start": "2027-06-05", "end": ""})


def test_starts_just_before_and_after_midnight_match() -> None:
    one = {
        "name": "DJ Balkan All Nighter",
        "start": "2027-05-01T23:30",
        "venue_name": "Club Mixtape 5",
        "locality": "Sofia",
        "country": "BG",
    }
    assert flagged("event", one, {**one, "start": "2027-05-02T00:30"})


def test_doors_time_and_start_time_match() -> None:
    one = {"name": "Lady Danville live", "start": "2027-05-01T19:00", "venue_name": "The Garage", "locality": "Glasgow"}
    assert flagged("event", one, {**one, "name": "Lady Danville", "start": "2027-05-01T20:00"})


def test_the_dates_of_a_weekly_series_are_not_each_others_duplicates() -> None:
    one = {"name": "Tuesday Jazz Jam", "start": "2027-03-02T20:00", "venue_name": "The Rex", "locality": "Toronto"}
    one |= {
        "organizer_name": "The Rex",
        "address": "194 Queen St W",
        "url": "https://therex.example/jam",
        "phone": "4165982475",
    }
    assert not flagged("event", one, {**one, "start": "2027-03-09T20:00"})


def test_the_same_title_at_two_venues_in_one_night_is_two_events() -> None:
    one = {
        "name": "New Year's Eve Party",
        "start": "2027-12-31T21:00",
        "venue_name": "Hotel Marinela",
        "locality": "Sofia",
    }
    assert not flagged("event", one, {**one, "venue_name": "Club Terminal 1"})
    assert not flagged(
        "event", {**one, "address": "Cherni Vrah 100"}, {**one, "venue_name": "Studio 5", "address": "Bulgaria 1"}
    )


def test_calls_of_different_years_stay_apart() -> None:
    one = {"name": "Creative Communities Grant", "funder_name": "National Culture Fund", "deadline": "2027-03-31"}
    one |= {"url": "https://ncf.example/creative", "amount_max": 10000, "currency": "EUR"}
    assert not flagged("funding", one, {**one, "deadline": "2028-03-31"})
    assert not flagged("funding", {**one, "deadline": "", "year": 2027}, {**one, "deadline": "", "year": 2028})


def test_two_programmes_of_one_funder_with_similar_names_stay_apart() -> None:
    one = {"name": "Small Grants for Libraries", "funder_name": "Open Books Fund", "url": "https://openbooks.example"}
    assert not flagged("funding", one, {**one, "name": "Small Grants for Schools"})
    two = {**one, "name": "Youth Mobility Programme", "deadline": "2027-05-01"}
    assert not flagged("funding", two, {**two, "name": "Youth Exchange Programme"})


# Everything that is shared within one building or organisation.
SHARED: Fields = {
    "address": "ul. Tsar Simeon 12",
    "locality": "Varna",
    "postal_code": "9000",
    "country": "BG",
    "lat": 43.204,
    "lon": 27.91,
    "phone": "052 612 345",
    "email": "office@dom.example",
    "url": "https://dom.example",
}


def test_two_clubs_at_one_desk_are_not_merged_automatically() -> None:
    one = {**SHARED, "name": "Rotary Club Varna"}
    assert match("organization", one, {**one, "name": "Lions Club Varna"}).probability < AUTO
    assert match("organization", one, {**one, "name": "Rotary Varna Club"}).probability >= AUTO


def test_a_university_and_its_press_are_not_merged_automatically() -> None:
    one = {**SHARED, "name": "Technical University"}
    assert match("organization", one, {**one, "name": "Technical University Press"}).probability < AUTO


def test_a_hotel_and_its_restaurant_stay_apart_even_with_the_same_contact() -> None:
    one = {**SHARED, "name": "Hotel Bristol"}
    assert not flagged("place", one, {**one, "name": "Restaurant Bristol"})
    assert not flagged("place", one, {**one, "name": "Luna Café"})


def test_events_with_different_names_stay_apart_even_with_the_same_contact() -> None:
    one = {**SHARED, "name": "Knitting Circle", "start": "2027-03-12T17:00", "venue_name": "Chitalishte Probuda"}
    one |= {"organizer_name": "Chitalishte Probuda"}
    assert not flagged("event", one, {**one, "name": "Chess Club"})
    assert not flagged("event", {**one, "name": "English course A1"}, {**one, "name": "English course B1"})


def test_two_services_at_one_desk_stay_apart() -> None:
    one = {**SHARED, "name": "Soup kitchen", "provider_name": "Caritas", "opening_hours": "Mo-Fr 09:00-17:00"}
    assert not flagged("service", one, {**one, "name": "Legal advice"})


def test_two_phases_of_one_fund_stay_apart() -> None:
    one = {"name": "Innovation Fund: Phase 1", "funder_name": "Hope Foundation", "deadline": "2027-09-30"}
    one |= {"amount_max": 10000, "currency": "EUR", "email": "grants@hope.example", "url": "https://hope.example"}
    assert not flagged("funding", one, {**one, "name": "Innovation Fund: Phase 2"})


def test_a_building_and_something_named_after_it_are_never_merged_automatically() -> None:
    house = {"name": "The Chandlery", "address": "31 Sandgate", "locality": "Newcastle", "phone": "+44 191 498 0900"}
    parish = {"name": "St. Brigid's", "address": "99 Woolwich St.", "locality": "Guelph", "phone": "+1 519 555 0140"}
    for kind, whole, part in (
        ("place", house, "The Sail Loft at The Chandlery"),
        ("organization", parish, "St. Brigid's Drop-in Dinner"),
    ):
        assert flagged(kind, whole, {**whole, "name": part})
        assert match(kind, whole, {**whole, "name": part}).probability < AUTO
        assert match(kind, whole, whole).probability >= AUTO
