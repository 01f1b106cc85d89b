"""Sums of money: separators, currencies, spans and bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.values.amounts import currency_of, find_amounts


@pytest.mark.parametrize(
    ("text", "least", "most", "currency"),
    [
        ("от 10 000 до 50 000 лв.", 10000, 50000, "BGN"),
        ("до 1 000 € за вход", None, 1000, "EUR"),
        ("between £500 and £2,500", 500, 2500, "GBP"),
        ("£27,400–£29,100", 27400, 29100, "GBP"),
        ("zwischen 1.500,00 EUR und 5.000,50 EUR", 1500, 5000.5, "EUR"),
        ("între 3.000 și 15.000 lei", 3000, 15000, "RON"),
        ("£2.4 million", 2400000, 2400000, "GBP"),
        ("$5k to $10k", 5000, 10000, "USD"),
        ("3 mil euros", 3000, 3000, "EUR"),
        ("bis zu 5.000,- €", None, 5000, "EUR"),
    ],
)
def test_sums_are_read_with_their_bounds(text: str, least: float | None, most: float, currency: str) -> None:
    found = find_amounts(text)[0]
    assert (found.least, found.most, found.currency) == (least, most, currency)


def test_a_plain_number_is_a_sum_only_with_a_known_currency() -> None:
    assert find_amounts("2 500") == []
    assert find_amounts("2 500", currency="EUR")[0].most == 2500


def test_text_with_two_currencies_has_no_currency() -> None:
    assert currency_of("Сумите са в евро.") == "EUR"
    assert currency_of("5 лв. или 3 евро") == ""


@given(st.text(alphabet="0123456789., €£лв.доto–k", max_size=80))
def test_reading_sums_never_fails_on_any_text(text: str) -> None:
    for amount in find_amounts(text):
        assert amount.currency
