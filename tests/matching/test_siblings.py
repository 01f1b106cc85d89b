"""Things that are alike because they belong together: strands of a funder, parts of a festival, towns of one name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.resolution.matches import lexicon
from gleanery.resolution.matches.ages import ages, are_apart
from gleanery.resolution.matches.aliases import in_description
from gleanery.resolution.matches.blocks import Blocks, fingerprints
from gleanery.resolution.matches.pairing import paired
from gleanery.resolution.matches.scoring import REVIEW
from gleanery.resolution.matches.streets import split_address
from gleanery.resolution.matches.traits import official_id, town, traits
from tests.matching.judged import Fields, levels, likely

CALL: Fields = {"funder_name": "Fern Trust", "deadline": "2026-02-13", "amount_max": 4500, "currency": "GBP"}
NIGHT: Fields = {"start": "2026-05-16T19:00+02:00", "country": "DE"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nature Grants for Schools", "Nature Grants for Museums"),
        ("Fern Trust: nature grant for schools", "Nature Grants for Museums"),
        ("Warm Rooms Fund – round 3", "Warm Rooms Fund – round 4"),
        ("Green Paths: Cycling", "Green Paths: Footbridges"),
    ],
)
def test_two_strands_of_one_funder_are_two_though_they_close_on_one_day_and_give_as_much(one: str, other: str) -> None:
    found = levels("funding", CALL | {"name": one}, CALL | {"name": other})
    assert (found["deadline"], found["amount"]) == ("also", "also")
    assert likely("funding", CALL | {"name": one}, CALL | {"name": other}) < REVIEW


def test_one_strand_is_still_one_however_it_is_told() -> None:
    one = CALL | {"name": "Nature Grants for Schools 2026"}
    other = CALL | {"name": "Fern Trust: nature grant for schools", "amount_max": None, "currency": ""}
    assert likely("funding", one, other) >= REVIEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ville de Nantes", "Mairie de Brest"),
        ("Община Банско", "Общинска администрация Трявна"),
        ("Kent Community Foundation", "Devon Community Foundation"),
    ],
)
def test_two_of_one_sort_behind_one_call_make_two_of_it(one: str, other: str) -> None:
    call = {"name": "Prix du bénévolat" if "Ville" in one else "Спорт за всички", "year": 2026}
    assert levels("funding", call | {"funder_name": one}, call | {"funder_name": other})["run_by"] == "peer"
    assert likely("funding", call | {"funder_name": one}, call | {"funder_name": other}) < REVIEW


def test_initials_of_an_owner_and_a_foundation_in_two_languages_are_no_peers() -> None:
    for one, other in (
        ("LK Uelzen", "Landkreis Uelzen"),
        ("Bürgerstiftung Kassel", "Community Foundation Kassel"),
    ):
        found = levels(
            "funding", {"name": "Dorffonds", "funder_name": one}, {"name": "Dorffonds", "funder_name": other}
        )
        assert found.get("run_by") != "peer", (one, other)


def test_one_title_in_two_towns_at_one_hour_is_two_events() -> None:
    here = NIGHT | {"name": "Lange Nacht der Chöre", "locality": "Bremen", "venue_name": "Stadtkirche"}
    there = here | {"locality": "Gotha"}
    found = levels("event", here, there)
    assert found["town"] == "away"
    assert "venue" not in found, "many towns have a church of that name"
    assert likely("event", here, there) < REVIEW


def test_a_suburb_is_no_other_town_where_the_spot_is_one() -> None:
    here = NIGHT | {"name": "Lange Nacht der Chöre", "locality": "Bremen", "lat": 53.11, "lon": 8.75}
    assert levels("event", here, here | {"locality": "Burglesum"})["town"] == "other"


def test_a_library_that_is_called_after_its_town_is_not_the_one_of_the_next() -> None:
    one = NIGHT | {"name": "Vorlesen", "venue_name": "Stadtbücherei Ahaus", "locality": "Ahaus"}
    assert (
        levels("event", one, NIGHT | {"name": "Vorlesen", "venue_name": "Stadtbücherei Vreden", "locality": "Vreden"})[
            "venue"
        ]
        == "other"
    )


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ({"locality": "Springfield", "region": "MO"}, {"locality": "Springfield", "region": "Illinois"}, "away"),
        ({"locality": "Springfield", "region": "MO"}, {"locality": "Springfield", "region": "Missouri"}, "same"),
        ({"locality": "Upper Slaughter"}, {"locality": "Lower Slaughter"}, "away"),
        ({"locality": "København N"}, {"locality": "Copenhagen"}, "same"),
        ({"locality": "Kaltern an der Weinstraße"}, {"locality": "Caldaro"}, "same"),
        ({"locality": "서울"}, {"locality": "Seoul"}, "same"),
        ({"locality": "Frankfurt am Main"}, {"locality": "Frankfurt an der Oder"}, "away"),
        ({"locality": "Newtown", "region": "Wellington"}, {"locality": "Wellington"}, None),
        ({"locality": "Biel/Bienne"}, {"locality": "Biel"}, "same"),
        ({"locality": "ქუთაისი"}, {"locality": "Kutaisi"}, "same"),
        ({"locality": "松江市"}, {"locality": "Matsue"}, None),  # who knows how that sounds
    ],
)
def test_a_town_is_one_by_all_its_names_and_two_where_only_the_name_is_one(
    one: Fields, other: Fields, level: str | None
) -> None:
    assert levels("place", {"name": "A", **one}, {"name": "B", **other}).get("town") == level


def test_every_town_stands_in_its_file_as_towns_are_read() -> None:
    listed = {name for pair in lexicon._towns().items() for name in pair}
    assert {name for name in listed if town(name) != name} == set()


def test_the_opening_of_an_exhibition_is_not_the_exhibition() -> None:
    shown = {"name": "Webkunst der Rhön", "start": "2026-03-04", "end": "2026-04-19", "venue_name": "Rhönmuseum"}
    opening = {"name": "Eröffnung: Webkunst der Rhön", "start": "2026-03-04T18:00", "end": "2026-03-04T20:00"}
    opening |= {"venue_name": "Rhönmuseum"}
    assert levels("event", shown, opening)["time"] == "inside"
    assert likely("event", shown, opening) < likely("event", shown, shown | {"name": "Webkunst aus der Rhön"})


def test_a_ball_that_ends_in_the_morning_does_not_last_for_days() -> None:
    ball = {"name": "Ball", "start": "2026-02-07T20:00", "end": "2026-02-08T04:00"}
    assert (
        levels("event", ball, {"name": "Ball", "start": "2026-02-07T20:00", "end": "2026-02-07T23:59"})["time"]
        == "start"
    )


def test_midnight_is_one_night_where_only_one_tells_its_zone() -> None:
    one = {"name": "Pasterka", "start": "2026-12-24T23:30:00+01:00", "country": "PL"}
    assert levels("event", one, {"name": "Midnight Mass", "start": "2026-12-25T00:00"})["time"] == "night"


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("event", "Handwerkstage: Körbe flechten", "Handwerkstage: Messer schmieden"),
        ("opportunity", "Camp leader – day camp", "Camp leader – overnight camp"),
        ("organization", "Polisportiva Fiore – Sezione Pallavolo", "Polisportiva Fiore – Sezione Ciclismo"),
    ],
)
def test_two_parts_under_one_headline_are_two(kind: str, one: str, other: str) -> None:
    assert levels(kind, {"name": one}, {"name": other})["rest"] == "parts"


@pytest.mark.parametrize(
    ("one", "other"), [("Ukulele in a Day", "Ukuleel in a Day"), ("Wandern am Meer", "Wnadern am Meer")]
)
def test_a_slip_puts_no_word_in_the_place_of_another(one: str, other: str) -> None:
    assert levels("event", {"name": one}, {"name": other}).get("rest") != "swap"


def test_the_morning_shift_is_not_the_afternoon_shift_though_it_stands_in_brackets() -> None:
    one, other = {"name": "Food Sort (morning shift)"}, {"name": "Food Sort (afternoon shift)"}
    assert levels("opportunity", one, other)["contrast"] == "other"


def test_modules_in_brackets_are_two_and_an_old_name_in_brackets_is_a_name() -> None:
    one, other = CALL | {"name": "Creation Fund (music)"}, CALL | {"name": "Creation Fund (literature)"}
    assert levels("funding", one, other)["rest"] == "parts"
    assert likely("funding", one, other) < REVIEW
    loans = {"name": "Sugarhouse Repair Loans", "funder_name": "Green Mountain Cooperative"}
    renamed = loans | {"name": "Maple Recovery Loans (formerly Sugarhouse Repair Loans)"}
    assert levels("funding", loans, renamed)["name"] == "same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Participatívny rozpočet mesta Prievidza", "Participatívny rozpočet Prievidza – výzva"),
        ("Green Schools competition", "Green Schools call"),
    ],
)
def test_what_any_call_is_called_is_put_for_nothing(one: str, other: str) -> None:
    assert levels("funding", {"name": one}, {"name": other}).get("rest") != "swap"


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("3-36 mesi", (3, 36)),
        ("3–6 anni", (36, 72)),
        ("10 мес. – 3 г.", (10, 36)),
        ("Personen ab 27 Jahren", (324, 1440)),
        ("Personen unter 27 Jahren", (0, 324)),
        ("Stay & Play (0-12 months)", (0, 12)),
        ("от 7 до 12 години", (84, 144)),
        ("13-19", (156, 228)),
        ("workshop, ages 8–11 (apply by form)", (96, 132)),
        ("60+", (720, 1440)),
        ("Конкурс 2025 г.", None),
        ("10 Jahre Erfahrung", None),
        ("18+, with a parent from 12 years", None),
        ("", None),
    ],
)
def test_ages_are_read_as_people_write_them(told: str, found: tuple[int, int] | None) -> None:
    assert ages(told) == found


@given(st.text(max_size=80))
def test_whatever_is_written_ages_are_a_range_or_none(text: str) -> None:
    found = ages(text)
    assert found is None or 0 <= found[0] < found[1]


def test_groups_for_other_ages_are_for_other_people_and_neighbouring_ages_are_apart() -> None:
    group = {"name": "Stay & Play", "locality": "Swansea", "provider_name": "Swansea Council"}
    assert (
        levels("service", group | {"eligibility": "0-12 months"}, group | {"eligibility": "1-3 years"})["whom"]
        == "other"
    )
    assert are_apart((0, 12), (12, 36))
    assert not are_apart((0, 24), (12, 36))


@pytest.mark.parametrize(
    ("told", "alias"),
    [
        ("Formerly the Crestline Fieldhouse, seats 9,000.", "crestline fieldhouse"),
        ("Reopened as Abbey Swim after refurbishment in 2023.", "abbey swim"),
        ('Conocido como "La Era", campo de césped.', "era"),
        ("Ehemals Gasthof Krone.", "gasthof krone"),
        ("We formerly met on Tuesdays.", ""),
        ("", ""),
    ],
)
def test_a_description_tells_what_something_was_called(told: str, alias: str) -> None:
    assert in_description(told) == alias


def test_what_was_renamed_is_asked_about_and_so_is_what_has_moved() -> None:
    hall = {"address": "400 South Meridian Street", "locality": "Indianapolis", "country": "US"}
    new = hall | {"name": "Hartwell Arena", "description": "Formerly the Crestline Fieldhouse, seats 9,000."}
    assert likely("place", hall | {"name": "Crestline Fieldhouse"}, new) >= REVIEW
    cafe = {"name": "Café Kompass", "locality": "Hamburg", "url": "https://cafe-kompass.example"}
    moved = cafe | {"address": "Wexstraße 20", "description": "Umgezogen im Frühjahr vom Schulterblatt 71."}
    assert "address" not in levels("place", cafe | {"address": "Schulterblatt 71"}, moved)


@pytest.mark.parametrize(
    ("told", "street", "house"),
    [
        ("Scout Hut, Otley Rd", "otley", ""),
        ("11 Oktomvri 8", "11 oktomvri", "8"),
        ("ул. 11 Октомври 8", "11 oktomvri", "8"),
        ("24 May Street", "may", "24"),
    ],
)
def test_a_street_is_found_behind_a_house_and_may_be_called_after_a_day(told: str, street: str, house: str) -> None:
    assert split_address(told)[:2] == (street, house)


def test_a_number_of_two_parts_is_compared_as_a_whole_and_a_court_behind_it_is_no_part_of_it() -> None:
    assert official_id("KA210-SCH-2025") != official_id("KA210-YOU-2025")
    assert official_id("VR 48110") == official_id("VR48110 Stendal")


@pytest.mark.parametrize(
    ("part", "told", "house"),
    [
        ("Galleries", "Art gallery that opened in 2018 inside the Town Hall.", "Kirkcudbright Town Hall"),
        ("Ottilienbad", "Hallenbad mit Sauna im Congress Centrum.", "Congress Centrum Suhl"),
        ("Кафе „Под часовника“", "Кафене на партера на Младежкия дом.", "Младежки дом"),
    ],
)
def test_what_is_described_as_within_a_house_is_not_the_house(part: str, told: str, house: str) -> None:
    here = {"address": "Hauptstraße 7", "country": "DE", "lat": 50.6095, "lon": 10.6921}
    one, other = here | {"name": part, "description": told}, here | {"name": house}
    assert levels("place", one, other)["sort"] == "within"
    assert levels("place", other, one)["sort"] == "within"
    assert likely("place", one, other) < REVIEW


def test_a_gazebo_is_not_the_park_that_it_is_called_after() -> None:
    park = {"name": "Washington Park", "locality": "Dubuque", "lat": 42.5022, "lon": -90.6692}
    assert levels("place", park, park | {"name": "Washington Park Gazebo"})["sort"] == "within"
    assert levels("place", park | {"name": "Odeon"}, park | {"name": "Odeon Cinema"})["sort"] != "within"


@pytest.mark.parametrize(
    "told",
    [
        "Moved from February 28 because of snow.",
        "Der Abend vom 28. Februar wird auf den 7. März verlegt.",
        "Отложен от 28 февруари заради снега.",
    ],
)
def test_what_is_put_off_is_not_told_apart_by_its_day(told: str) -> None:
    swap = {"name": "Missoula Seed Swap", "venue_name": "Orchard Homes Lodge", "locality": "Missoula"}
    one, other = swap | {"start": "2026-02-28"}, swap | {"start": "2026-03-07", "description": told}
    assert "time" not in levels("event", one, other)
    assert likely("event", one, other) >= REVIEW
    assert likely("event", one, other | {"start": "2026-03-21", "description": "Every other week."}) < REVIEW


def test_an_extended_deadline_that_tells_the_old_one_is_no_other_call() -> None:
    one = CALL | {"name": "Zukunftsdorf", "deadline": "2026-02-13"}
    other = one | {"deadline": "2026-04-10", "description": "Verlängert: statt 13. Februar nun bis 10. April."}
    assert "deadline" not in levels("funding", one, other)


@pytest.mark.parametrize(
    ("kind", "one", "more"),
    [
        (
            "event",
            NIGHT | {"name": "Orchard Seed Swap", "locality": "Gotha", "venue_name": "Stadthof"},
            {"start": "2026-06-20T19:00+02:00", "description": "Postponed from 16 May because of the storm."},
        ),
        (
            "place",
            {
                "name": "Café Kompass",
                "address": "Schulterblatt 71",
                "locality": "Hamburg",
                "url": "https://kompass.example",
            },
            {"address": "Wexstraße 20", "description": "Umgezogen im Frühjahr vom Schulterblatt 71."},
        ),
        (
            "funding",
            CALL | {"name": "Zukunftsdorf Ideen"},
            {"deadline": "2026-04-10", "description": "Verlängert: statt 13. Februar nun bis 10. April."},
        ),
    ],
)
def test_what_was_moved_is_found_in_a_table_too(kind: str, one: Fields, more: Fields) -> None:
    rows, blocks = [traits(kind, one), traits(kind, one | more)], Blocks()
    for row in rows:
        blocks.add(row, fingerprints(row))
    assert [hit.match.probability >= REVIEW for hit in paired(rows, blocks.neighbours(), ["", ""]).hits] == [True]
