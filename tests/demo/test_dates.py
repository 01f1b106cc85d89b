"""Dates in the sample web are relative, and formatted as usual in each language."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.demo.dates import WEEKDAYS, anchored, in_sofia, render

SUNDAY = date(2026, 11, 15)


@pytest.mark.parametrize(
    ("token", "english", "bulgarian"),
    [
        ("{{day}}", "15 November 2026", "15 ноември 2026 г."),
        ("{{day+21}}", "6 December 2026", "6 декември 2026 г."),
        ("{{day-1|short}}", "14 November", "14 ноември"),
        ("{{sat|full}}", "Saturday, 21 November 2026", "събота, 21 ноември 2026 г."),
        ("{{sun|weekday}}", "Sunday", "неделя"),
        ("{{sat+2w|dots}}", "05.12.2026", "05.12.2026 г."),
        ("{{fri+3w+1|iso}}", "2026-12-12", "2026-12-12"),
        ("{{day+35+1y|year}}", "2027", "2027"),
        ("{{day+1|american}}", "November 16, 2026", "ноември 16, 2026"),
        ("{{day|slashes}}", "15/11/2026", "15/11/2026"),
        ("{{day|month}}", "November 2026", "ноември 2026"),
        ("{{day|basic}}T190000", "20261115T190000", "20261115T190000"),
        ("{{sat+2w|at 20:00}}", "2026-12-05T20:00:00+02:00", "2026-12-05T20:00:00+02:00"),
        ("{{sat+2w|utc 20:00}}", "2026-12-05T18:00:00Z", "2026-12-05T18:00:00Z"),
    ],
)
def test_a_date_is_written_in_the_language_of_its_page(token: str, english: str, bulgarian: str) -> None:
    assert render(token, SUNDAY, "en") == english
    assert render(token, SUNDAY, "bg") == bulgarian


def test_unknown_tokens_stay_for_the_site_tests_to_find() -> None:
    assert render("{{tomorrow}} {{ day }}", SUNDAY) == "{{tomorrow}} {{ day }}"


def test_an_unknown_form_is_an_error() -> None:
    with pytest.raises(KeyError):
        render("{{day|roman}}", SUNDAY)


def test_a_leap_day_moves_to_the_28th_of_other_years() -> None:
    assert render("{{day+1y|iso}}", date(2028, 2, 29)) == "2029-02-28"


@given(st.dates(date(2020, 1, 1), date(2100, 1, 1)), st.sampled_from(WEEKDAYS))
def test_a_weekday_is_the_first_on_or_after_the_day(day: date, weekday: str) -> None:
    found = anchored(weekday, day)
    assert found.weekday() == WEEKDAYS.index(weekday)
    assert timedelta(0) <= found - day < timedelta(days=7)


@pytest.mark.parametrize(
    ("day", "hours"),
    [("2026-03-28", 2), ("2026-03-29", 3), ("2026-10-24", 3), ("2026-10-25", 2), ("2027-03-28", 3), ("2027-10-31", 2)],
)
def test_sofia_keeps_summer_time(day: str, hours: int) -> None:
    assert in_sofia(date.fromisoformat(day), time(12)).utcoffset() == timedelta(hours=hours)
