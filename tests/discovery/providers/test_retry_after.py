"""Retry-After in all its forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery.providers.retry_after import LONGEST, requested_wait

from .vendors import NAMES, failure, says_json


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("-5", 0.0),
        ("-1e300", 0.0),
        ("99999999999999999999", LONGEST),
        ("9" * 400, LONGEST),
        ("inf", LONGEST),
        ("nan", None),
        ("", None),
        ("soon", None),
        ("1;2", None),
    ],
)
def test_seconds(text: str, seconds: float | None):
    assert requested_wait({"Retry-After": text}) == seconds


def test_a_date_is_seconds_from_now():
    moment = datetime.now(UTC) + timedelta(seconds=30)
    assert 27 < (requested_wait({"Retry-After": format_datetime(moment, usegmt=True)}) or 0) <= 30


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 -0000", 0.0),
        ("Wed, 21 Oct 2015 07:28:00", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST),
        ("Fri, 31 Dec 9999 23:59:59 -2300", LONGEST),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999 07:28:00 GMT", None),
        ("Wed, 21 Oct", None),
    ],
)
def test_dates_long_past_far_ahead_or_impossible(text: str, seconds: float | None):
    assert requested_wait({"Retry-After": text}) == seconds


def test_milliseconds_take_precedence():
    assert requested_wait({"retry-after-ms": "250", "Retry-After": "9"}) == 0.25
    assert requested_wait({"retry-after-ms": "soon", "Retry-After": "9"}) == 9.0
    assert requested_wait({}) is None


@given(st.text())
def test_any_text_is_a_bounded_number_or_nothing(text: str):
    seconds = requested_wait({"Retry-After": text, "retry-after-ms": text})
    assert seconds is None or 0.0 <= seconds <= LONGEST


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("text", "seconds"), [("7", 7.0), ("-3", 0.0), ("1e9", LONGEST), ("never", None)])
def test_a_failure_of_any_vendor_has_it(name: str, text: str, seconds: float | None):
    assert failure(name, says_json({}, 429, f"Retry-After: {text}")).retry_after == seconds
