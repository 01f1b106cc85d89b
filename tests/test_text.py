"""Cleaning of incoming text."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gleanery.text import DEEPEST, MOST_MARKS, clean_json, clean_text

TRICKS = "\x00\x07\x1b\x85\xa0\xad\u0301\u0344\u034f\u061c\u0958\u115f\u1680\u180e\u200b\u200c\u200d\u200e\u2028\u202e"
TRICKS += "\u2066\u2800\u2adc\u3164\ud800\udfff\ufe00\ufe0e\ufe0f\ufeff\uffff\U000e0041\U000e0101\U0001f468 \n\r\taеا"

# Every code point, surrogates too, and beside it text that is nothing but trouble.
anything = st.text(st.characters(exclude_categories=[])) | st.text(TRICKS)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | anything,
    lambda inner: st.lists(inner) | st.dictionaries(anything, inner),
)


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("", ""),
        ("Open call 2026", "Open call 2026"),
        ("  Open\t call \n 2026 ", "Open call 2026"),
        ("10\u00a0000\u202f€", "10 000 €"),
        ("nul\x00 bell\x07 escape\x1b[31m", "nul bell escape[31m"),
        ("half\ud83d pair\ude00", "half pair"),
        ("Cafe\u0301", "Café"),
        ("и\u0306", "й"),
        ("cut\u200b\u00ad\ufeffting", "cutting"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("\u2068isolated\u2069 \u200fright", "isolated right"),
        ("\u3164\u115f\u2800", ""),
        ("flag\U000e0067\U000e0062\U000e007f", "flag"),
        ("pay\u200dpal", "paypal"),
        ("Фонда\u200cция", "Фондация"),
    ],
)
def test_deceptive_and_unstorable_characters_are_removed(given_text, cleaned):
    assert clean_text(given_text) == cleaned


@pytest.mark.parametrize(
    "honest",
    [
        "Фондация „Отворено общество“ – София",
        "می\u200cخواهم",  # Persian: the non-joiner is part of the spelling
        "क्\u200dष",  # Hindi: the joiner chooses the shape
        "👨\u200d👩\u200d👧 ❤\ufe0f",  # one family, one red heart
        "שָׁלוֹם עֲלֵיכֶם",
        "ὦ ξεῖν’",
        "한국어 日本語 ไทย",
    ],
)
def test_correct_spelling_in_other_scripts_is_kept(honest):
    assert clean_text(unicodedata.normalize("NFC", honest)) == unicodedata.normalize("NFC", honest)


def test_multiline_text_keeps_its_lines():
    assert clean_text(" a  b \r\n\r\n\r\n\n c\u2028d\n", multiline=True) == "a b\n\nc\nd"
    assert clean_text(" a  b \r\n\r\n\r\n\n c\u2028d\n") == "a b c d"


@pytest.mark.parametrize(
    ("limit", "cut"),
    [(0, ""), (1, "…"), (5, "Open…"), (6, "Open…"), (7, "Open c…"), (9, "Open call"), (99, "Open call")],
)
def test_long_text_ends_with_an_ellipsis_within_the_limit(limit, cut):
    assert clean_text("Open call", limit=limit) == cut


def test_a_cut_never_separates_a_letter_from_its_marks():
    assert clean_text("xq\u0323\u0307y.", limit=4) == "x…"
    assert clean_text("ab👨\u200d👩\u200d👧cd", limit=5) == "ab…"


@pytest.mark.parametrize("limit", range(2, 30))
def test_an_endless_joined_sequence_is_cut(limit):
    cut = clean_text("👨\u200d" * 20 + "👧", limit=limit)
    assert clean_text(cut) == cut
    assert len(cut) <= limit


@pytest.mark.timeout(30)  # it takes minutes when they are normalised as they come
def test_stacked_marks_are_limited_in_linear_time():
    thinned = clean_text("a" + "\u0315\u0300" * 400_000)
    assert len(thinned) <= MOST_MARKS + 1


@given(anything, st.booleans())
def test_cleaning_is_idempotent(text, multiline):
    once = clean_text(text, multiline=multiline)
    assert clean_text(once, multiline=multiline) == once


@given(anything, st.integers(0, 12), st.booleans())
def test_a_limit_holds_and_cut_text_is_clean(text, limit, multiline):
    cut = clean_text(text, limit=limit, multiline=multiline)
    assert len(cut) <= limit
    assert clean_text(cut, multiline=multiline) == cut


@given(anything)
def test_clean_text_is_utf8_in_nfc_without_control_characters(text):
    cleaned = clean_text(text)
    assert cleaned.encode().decode() == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} for each in cleaned)
    assert cleaned == " ".join(cleaned.split())


@given(st.text(TRICKS))
def test_composed_and_decomposed_spellings_become_equal(text):
    visible = clean_text(text)
    assert clean_text(unicodedata.normalize("NFD", visible)) == visible


def test_all_texts_and_keys_in_a_json_value_are_cleaned():
    dirty = {"na\x00me": [" Open\u200b  call ", {"x": ("y\ud800", None, True, 3, 0.5)}], "lines": "a\r\nb"}
    assert clean_json(dirty) == {"name": ["Open call", {"x": ["y", None, True, 3, 0.5]}], "lines": "a\nb"}


def test_the_first_of_equal_keys_is_kept():
    assert clean_json({"name": 1, "na\x00me": 2}) == {"name": 1}


def test_numbers_that_json_cannot_hold_become_null():
    assert clean_json([float("nan"), float("inf"), -float("inf"), 10**5000]) == [None] * 4
    assert clean_json([1e308, 2**63, -(10**100), 0.1]) == [1e308, 2**63, -(10**100), 0.1]


def test_a_huge_float_keeps_its_exact_value_in_jsonb():
    assert (
        json.dumps(clean_json([1e23, 1e22, 2.0**52]))
        == "[99999999999999991611392, 10000000000000000000000, 4503599627370496.0]"
    )


def test_very_deep_values_are_cut_off():
    deep: list[object] = []
    for _ in range(sys.getrecursionlimit() * 2):
        deep = [deep]
    assert json.dumps(clean_json(deep)) == "[" * DEEPEST + "null" + "]" * DEEPEST


@pytest.mark.parametrize("alien", [b"bytes", {1: "x"}, [object()], {None: 1}])
def test_values_that_are_not_json_raise_an_error(alien):
    with pytest.raises(TypeError):
        clean_json(alien)


@given(any_json)
def test_clean_json_is_strict_json_and_clean(value):
    cleaned = clean_json(value)
    assert json.loads(json.dumps(cleaned, allow_nan=False)) == cleaned
    assert clean_json(cleaned) == cleaned


@pytest.mark.database
@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=anything, value=any_json)
@example(text="a\x00\ud800", value={"\x00": ["\ud800", 1e23, 5e-324, float("nan"), 2**1023, -0.0]})
def test_postgresql_returns_cleaned_text_unchanged(text, value):
    from django.db import connection  # noqa: PLC0415  the other tests here need no Django

    line, lines, payload = clean_text(text), clean_text(text, multiline=True), clean_json(value)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text, %s::text, %s::jsonb::text", [line, lines, json.dumps(payload)])
        stored_line, stored_lines, stored_payload = cursor.fetchone()
    assert (stored_line, stored_lines) == (line, lines)
    assert json.loads(stored_payload) == payload
