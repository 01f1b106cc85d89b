"""Normal form: spellings of one name become equal, different names stay different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.matching import normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("St. Mary's Church", "SAINT MARY'S CHURCH"),
        ("St Mary’s Church", "Saint Mary's  church"),
        ("Св. Климент Охридски", "Свети Климент Охридски"),
        ("Music & Arts", "Music and Arts"),
        ("Café Zoé", "CAFE ZOE"),
        ("Łódź Ørsted Straße", "lodz orsted strasse"),
        ("Jazz - Night!", "Jazz Night"),
        ("“Jazz” (Night)", "jazz night"),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ", "Full Width"),
        ("Театър 199", "театър １９９"),
        ("٢٠٢٧ festival", "2027 Festival"),
        ("Изкуството на ХХ век", "Изкуството на XX век"),
        ("Блок А1", "Блок A1"),
        ("Рок ІІІ", "Рок III"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien"),
    ],
)
def test_spellings_of_one_name_are_equal(one: str, other: str) -> None:
    assert normal.name(one) == normal.name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Мой град", "Мои град"), ("Зала 1", "Зала 2"), ("Театър", "Театри"), ("Spring concert", "Autumn concert")],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert normal.name(one) != normal.name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Helping Hands Ltd.", "Helping Hands"),
        ("Helping Hands, Limited", "HELPING HANDS LTD"),
        ("Hilfe e.V.", "Hilfe"),
        ("Слънце ЕООД", "„Слънце“ ООД"),
        ("ЕТ Иванов", "Иванов"),
        ("ACME S.A.", "Acme SA"),
    ],
)
def test_legal_forms_of_organisations_do_not_count(one: str, other: str) -> None:
    assert normal.bare_name(one) == normal.bare_name(other)


def test_an_organisation_whose_name_is_a_legal_form_keeps_it() -> None:
    assert normal.bare_name("AG") == "ag"


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("12 Main St", "12"),
        ("Main Street 12, floor 3", "12"),
        ("ул. „Дунавска пристан“ 7", "7"),
        ("бул. „Придунавски“ 31, вх. Б", "31"),
        ("118 bis avenue Jean-Moulin", "118"),
        ("ул. 19 февруари 5А", "5a"),
        ("Market square", ""),
        ("", ""),
    ],
)
def test_the_house_number_is_found_on_either_side_of_the_street(address: str, number: str) -> None:
    assert normal.house_number(address) == number


def test_street_abbreviations_are_written_out() -> None:
    assert normal.address("12 Main St.") == normal.address("12 Main Street")
    assert normal.address("ул. Раковски № 5") == normal.address("улица Раковски 5")


@given(st.text())
def test_the_normal_form_is_stable(text: str) -> None:
    once = normal.name(text)
    assert normal.name(text.upper().lower()) == normal.name(text.upper().lower())
    assert "  " not in once
    assert once == once.strip()
