"""Phone numbers of several countries, and obfuscated e-mail addresses."""

from __future__ import annotations

from itertools import product

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.values.emails import find_emails
from gleanery.extraction.values.phones import e164, find_phones


@pytest.mark.parametrize(
    ("text", "country", "numbers"),
    [
        ("тел. 0888 123 456 (от 10 до 16 ч.)", "BG", ["+359888123456"]),
        ("тел.: 06 777/21-34, вътр. 15", "BG", ["+35967772134"]),
        ("0301/5 00 45, 0878 000 451", "BG", ["+35930150045", "+359878000451"]),
        ("Telefon (07599) 55 01-30 Fax: (07599) 55 01-39", "DE", ["+497599550130"]),
        ("+49 (0) 30 1234567", "DE", ["+49301234567"]),
        ("05.65.00.12.48", "FR", ["+33565001248"]),
        ("96 000 81 15, de 9 a 21 h", "ES", ["+34960008115"]),
        ("09.11.2026 14:22, от 10 000 до 50 000 лв., 2011–2026", "BG", []),
        ("IBAN DE00 0000 0000 0000 0000 00", "DE", []),
        ("Registered charity no. 0999123", "GB", []),
    ],
)
def test_phones_are_found_and_other_numbers_are_not(text: str, country: str, numbers: list[str]) -> None:
    assert [phone.e164 for phone in find_phones(text, country)] == numbers


def test_a_number_without_a_country_is_rejected() -> None:
    assert e164("0888 123 456", "") == ""
    assert e164("+359 888 123 456", "") == "+359888123456"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("kultura [at] gornarositsa [dot] bg", "kultura@gornarositsa.bg"),
        ("desk AT newcomers-varna DOT bg", "desk@newcomers-varna.bg"),
        ("ilinca (at) lantern.example.eu", "ilinca@lantern.example.eu"),
        ("Write to A.B@c-d.co.uk.", "a.b@c-d.co.uk"),
    ],
)
def test_hidden_addresses_are_revealed(text: str, address: str) -> None:
    assert [email.address for email in find_emails(text)] == [address]


@given(st.text(max_size=80), st.sampled_from(["BG", "DE", "", "XX"]))
def test_reading_numbers_never_fails_on_any_text(text: str, country: str) -> None:
    find_phones(text, country)
    find_emails(text)
    assert e164(text, country) == "" or e164(text, country).startswith("+")


def test_e164_numbers_are_read_like_the_library_does() -> None:
    for code, length, first in product(phonenumbers.COUNTRY_CODE_TO_REGION_CODE, range(4, 13), "0189"):
        digits = f"+{code}{first}{'23456789012345'[: length - 1]}"
        assert e164(digits, "BG") == _by_the_library(digits)


def _by_the_library(digits: str) -> str:
    try:
        number = phonenumbers.parse(digits, "BG")
    except phonenumbers.NumberParseException:
        return ""
    is_possible = phonenumbers.is_possible_number_with_reason(number) == phonenumbers.ValidationResult.IS_POSSIBLE
    few = not 6 <= len(digits) - 1 <= 15
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if is_possible and not few else ""
