"""Fields agree by what they mean: streets, hours, phones, sites and amounts as different sources write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.resolution.matches.abbreviations import written_out
from gleanery.resolution.matches.hours import hours
from gleanery.resolution.matches.keys import keys, wanted
from gleanery.resolution.matches.lexicon import section
from gleanery.resolution.matches.scoring import REVIEW, score
from gleanery.resolution.matches.training import LADDERS, Judged, fit
from gleanery.resolution.matches.traits import traits
from gleanery.resolution.matches.weights import weights
from tests.matching.test_names import levels, named


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("РИМ Благоевград", "Регионален исторически музей Благоевград"),
        ("БЧК – Плевен", "Български червен кръст – Плевен"),
        ("VHS Aalen", "Volkshochschule Aalen"),
        ("SDH Lhotka", "Sbor dobrovolných hasičů Lhotka"),
        ("Harbour Mus. & Gall.", "Harbour Museum & Gallery"),
        ("библ. „Искра“", "Библиотека „Искра“"),
    ],
)
def test_a_short_form_says_what_it_is_short_for(short: str, whole: str) -> None:
    assert named(short, whole, "organization") in ("same", "close", "meaning")


def test_a_short_form_is_known_through_a_translation() -> None:
    assert named("РИМ Благоевград", "Blagoevgrad Regional History Museum", "organization") in ("same", "meaning")


def test_a_word_that_is_spelled_like_a_short_form_stays_a_word() -> None:
    for text in ("Рим и Атина", "Rock im Park", "Г. Кочев", "St. Brigid's", "IT за всички", "THE RIM"):
        assert written_out(text) == text


@given(st.text(max_size=60))
def test_nothing_that_is_written_is_lost_but_short_forms(text: str) -> None:
    """Whatever the text: digits, for one, are all there and in their order."""
    assert [each for each in written_out(text) if each.isdigit()] == [each for each in text if each.isdigit()]


def test_every_short_form_has_one_line_and_no_form_is_its_own_meaning() -> None:
    for name in ("cut", "capitals"):
        pairs = [line.split(" = ") for line in section("abbreviations.txt", name)]
        assert len({short for short, _ in pairs}) == len(pairs)
        assert all(short.casefold() != whole.casefold() for short, whole in pairs)


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("Piața Sfatului nr. 17", "P-TA SFATULUI NR. 17", "same"),
        ("náměstí Republiky 5", "Republic Square 5", "same"),
        ("Market Square 4", "4 Mkt Sq", "same"),
        ("14 rue des Cordeliers", "14, rue des Cordeliers – 49100 Angers", "same"),
        ("High Street 12", "Town Hall – 12 High Street", "same"),
        ("ул. Борова 12 - 14", "ул. „Борова“ 13", "same"),
        ("North Street 5", "South Street 5", "number"),
    ],
)
def test_an_address_is_one_however_it_is_written(one: str, other: str, level: str) -> None:
    assert levels("place", {"name": "A", "address": one}, {"name": "B", "address": other})["address"] == level


def test_a_street_of_that_name_in_another_town_tells_nothing() -> None:
    here = {"name": "Optik Adler", "address": "Bahnhofstraße", "locality": "Aalen"}
    there = {**here, "locality": "Kiel", "address": "Bahnhofstraße 4"}
    assert "address" not in levels("place", here, there)
    assert levels("place", here, {**there, "locality": "Aalen"})["address"] == "street"


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("Tuesdays 6 pm", "1080 tuesday"),
        ("6–7.30 pm", "1080 1170"),
        ("9-5pm", "540 1020"),
        ("11am – 12 pm", "660 720"),
        ("Mon–Fri 8.30 am–5 pm", "510 1020 monday tuesday wednesday thursday friday"),
        ("вт. 18:00–19:30", "1080 1170 tuesday"),
        ("24/7", ""),
        ("24 hours", ""),
        ("00:00–24:00", ""),
    ],
)
def test_hours_are_the_same_by_either_clock_and_round_the_clock_is_none_in_particular(text: str, minutes: str) -> None:
    assert hours(text) == minutes


def test_the_first_of_several_phones_is_the_phone() -> None:
    several = traits("place", {"name": "A", "phone": "81 555 24 80, 81 555 24 81", "country": "PL"})
    assert several.phone == traits("place", {"name": "A", "phone": "+48 81 555 24 80", "country": "PL"}).phone


def test_two_mailboxes_of_one_host_are_no_site_but_a_mailbox_tells_the_site_of_another() -> None:
    one, other = {"name": "A", "email": "a@posta.example"}, {"name": "B", "email": "b@posta.example"}
    assert levels("organization", one, other).get("site") is None
    assert levels("organization", one, other)["email"] == "site"
    assert levels("organization", one, {"name": "B", "url": "https://posta.example"})["site"] == "same"


def test_other_pages_of_one_site_are_not_one_site_of_their_own() -> None:
    silistra = {"name": "Red Cross", "url": "https://redcross.example/offices/silistra"}
    shumen = {"name": "Red Cross", "url": "https://redcross.example/offices/shumen"}
    assert levels("organization", silistra, shumen)["site"] == "apart"
    assert levels("organization", silistra, {**shumen, "name": "Червен кръст"})["site"] == "pages"
    assert levels("organization", silistra, {**shumen, "url": "https://redcross.example"})["site"] == "same"


def test_money_of_another_country_speaks_against_it_but_not_where_the_rate_is_fixed() -> None:
    fund = {"name": "A", "amount_max": 5000, "currency": "EUR"}
    assert levels("funding", fund, {**fund, "currency": "AUD"})["amount"] == "currency"
    assert levels("funding", fund, {**fund, "currency": "BGN", "amount_max": 9779})["amount"] != "currency"


def test_who_is_behind_a_service_may_be_told_as_its_legal_name() -> None:
    one = {"name": "Грижа вкъщи", "provider_name": "Сдружение „Пристан“"}
    assert levels("service", one, {"name": "Домашен помощник", "legal_name": "СНЦ ПРИСТАН"})["run_by"] == "desk"
    assert levels("service", one, {"name": "Грижа вкъщи", "legal_name": "СНЦ ПРИСТАН"})["run_by"] == "same"


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("Ресторант към хотел „Стража“", "Хотел „Стража“"),
        ("Salon de thé du Musée Bessonnier", "Musée Bessonnier"),
        ("Library of Brinkley University", "Brinkley University"),
    ],
)
def test_what_is_told_as_part_of_a_thing_is_not_that_thing(part: str, whole: str) -> None:
    assert levels("place", {"name": part}, {"name": whole})["sort"] == "within"


def test_a_saint_is_called_with_or_without_the_church() -> None:
    assert levels("place", {"name": "Church of St. Nicholas"}, {"name": "St. Nicholas"}).get("sort") != "within"


def test_what_says_more_keeps_the_more_points_and_what_no_pair_has_follows() -> None:
    against = [Judged({"name": "same", "phone": "same"}, same=False)] * 50
    found = fit([*against, *[Judged({"name": "same", "phone": "other"}, same=True)] * 50], weights("place"))
    for field, ladder in LADDERS:
        points = [found.points[field, level] for level in ladder if (field, level) in found.points]
        assert points == sorted(points, reverse=True), field
    assert found.points["phone", "same"] < weights("place").points["phone", "same"]


def test_a_hotel_and_its_restaurant_stay_apart_though_they_share_address_and_phone() -> None:
    there = {"address": "бул. „Русе“ 4", "locality": "Плевен", "phone": "064 890 200", "country": "BG"}
    hotel = traits("place", {"name": "Хотел „Стража“", **there})
    assert score(hotel, traits("place", {"name": "Ресторант към хотел „Стража“", **there})).probability < REVIEW


def test_codes_with_letters_tell_the_street_and_those_of_digits_the_town() -> None:
    def code(one: str, other: str) -> str:
        return levels("place", {"name": "Shop", "postal_code": one}, {"name": "Shop", "postal_code": other}).get(
            "postal_code", ""
        )

    assert code("LS21 1AA", "ls211aa") == code("60614-1234", "60614") == "same"
    assert code("LS21 1AA", "LS21 1AZ") == "near"
    assert code("010011", "010019") == code("1000-001", "1000-099") == "near"
    assert code("LS21 1AA", "LS21") == ""
    assert code("LS21 1AA", "BD23 1DN") == "other"


def test_a_town_in_brackets_is_no_other_name_of_an_organisation() -> None:
    hospice, aged = {"name": "Wakefield Hospice"}, {"name": "Help the Aged (Wakefield)"}
    assert levels("organization", hospice, aged)["name"] == "other"
    assert levels("organization", {"name": "Odeon"}, {"name": "Rex (Odeon)"})["name"] == "same"


def test_umlauts_may_be_written_out() -> None:
    muller, mueller = (traits("place", {"name": name, "locality": "München"}) for name in ("Café Müller", "Mueller"))
    assert keys(muller) & wanted(mueller)


def test_initials_are_known_in_both_alphabets() -> None:
    assert levels("organization", {"name": "UNICEF Bulgaria"}, {"name": "УНИЦЕФ България"})["name"] == "same"


def test_two_that_share_nothing_but_the_name_of_their_town_are_not_one_owner() -> None:
    one = {"name": "Deutschlandstipendium", "funder_name": "HTWK Leipzig", "locality": "Leipzig"}
    assert levels("funding", one, one | {"funder_name": "Universität Leipzig"})["run_by"] == "other"
    assert levels("funding", one, one | {"funder_name": "HTWK"})["run_by"] == "same"


def test_a_word_of_several_meanings_makes_no_further_sort_of_thing() -> None:
    assert levels("place", {"name": "Shipley Food Bank"}, {"name": "Shipley Foodbank"})["sort"] == "same"
    assert levels("place", {"name": "Hotel Rila"}, {"name": "Hotel Restaurant Rila"})["sort"] != "same"
