"""Splitting of postal addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.values.addresses import find_address, split_address


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("Пловдив 4000, ул. „Шест чинара“ № 15, ет. 2", "BG", ("", "ул. „Шест чинара“ № 15, ет. 2", "4000", "Пловдив")),
        ("Зала „Мелнишка“, бул. „Витоша“ 5, 1000 София", "BG", ("Зала „Мелнишка“", "бул. „Витоша“ 5", "1000", "София")),
        (
            "Haus am Kai, Speicherstraße 44, 88999 Lindenhafen",
            "DE",
            ("Haus am Kai", "Speicherstraße 44", "88999", "Lindenhafen"),
        ),
        ("9 bis, rue des Tanneurs\n12999 Saint-Aubrac", "FR", ("", "9 bis, rue des Tanneurs", "12999", "Saint-Aubrac")),
        ("C/ de la Acequia, 2, 46999 Villarroda", "ES", ("", "C/ de la Acequia, 2", "46999", "Villarroda")),
        ("Beck Road, Ambleford AF9 9ZZ", "GB", ("", "Beck Road", "AF9 9ZZ", "Ambleford")),
        ("1 Main Street, Springfield, IL 62704", "US", ("", "1 Main Street", "62704", "Springfield")),
    ],
)
def test_addresses_are_split(text: str, country: str, expected: tuple[str, str, str, str]) -> None:
    found = split_address(text, country)
    assert found is not None
    assert (found.venue, found.street, found.postal_code, found.locality) == expected


@pytest.mark.parametrize(
    "text", ["гр. Бургас (точният адрес не се обявява)", "у дома", "Con Remedios y la rondalla del barrio"]
)
def test_text_without_an_address_gives_none(text: str) -> None:
    assert find_address(text, "BG") is None


@given(st.text(max_size=100), st.sampled_from(["BG", "US", ""]))
def test_splitting_never_fails_on_any_text(text: str, country: str) -> None:
    split_address(text, country)
    find_address(text, country)
