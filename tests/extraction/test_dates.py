"""Dates in free text: European notations, missing years, times, day and month never swapped."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.extraction.values.dates import Reader, find_dates, iso
from gleanery.extraction.values.opening_hours import find_hours
from gleanery.extraction.values.times import find_times

TODAY = date(2026, 11, 15)
BULGARIAN = Reader(TODAY, "bg", "BG")


@pytest.mark.parametrize(
    ("text", "start", "end", "time"),
    [
        ("до 31.03.2027", "2027-03-31", "", ""),
        ("12–14 декември 2026", "2026-12-12", "2026-12-14", ""),
        ("Sat 5 Dec, 7pm", "2026-12-05", "", "19:00"),
        ("30 януари 2027 г., 17:00 ч.", "2027-01-30", "", "17:00"),
        ("до 16:30 часа на 26.02.2027 г.", "2027-02-26", "", "16:30"),
        ("1er mars 2027 à 12 h", "2027-03-01", "", "12:00"),
        ("19 februarie 2027, ora 16:00", "2027-02-19", "", "16:00"),
        ("del 3 al 6 de diciembre de 2026", "2026-12-03", "2026-12-06", ""),
        ("1. April 2027 bis 31. Oktober 2027", "2027-04-01", "2027-10-31", ""),
        ("28.12.2026 – 3.01.2027", "2026-12-28", "2027-01-03", ""),
        ("January 20, 2027, 11:00 a.m.", "2027-01-20", "", "11:00"),
        ("1.12, вторник", "2026-12-01", "", ""),
    ],
)
def test_dates_are_read_in_common_notations(text: str, start: str, end: str, time: str) -> None:
    found = find_dates(text, BULGARIAN)[0]
    assert (found.start.isoformat(), found.end.isoformat() if found.end else "") == (start, end)
    assert (found.times.start.isoformat("minutes") if found.times else "") == time


def test_the_days_of_a_list_share_their_time() -> None:
    found = find_dates("4, 11 и 18 декември 2026 г. от 19 ч.", BULGARIAN)
    assert [(each.start.day, each.times.start.hour if each.times else None) for each in found] == [
        (4, 19),
        (11, 19),
        (18, 19),
    ]


@pytest.mark.parametrize("text", ["от 14 до 30 дни", "10 000 лв.", "версия 1.2.3", "mi-mai 2027", "31.02.2027", "9:30"])
def test_text_without_a_date_gives_none(text: str) -> None:
    assert find_dates(text, BULGARIAN) == []


def test_an_ambiguous_date_is_skipped() -> None:
    assert find_dates("03/04/2027", Reader(TODAY, "en", "")) == []
    assert find_dates("03/04/2027", Reader(TODAY, "en", "GB"))[0].start == date(2027, 4, 3)
    assert find_dates("03/04/2027", Reader(TODAY, "en", "US"))[0].start == date(2027, 3, 4)


@given(
    st.dates(date(2000, 1, 1), date(2099, 12, 31)),
    st.sampled_from(
        [
            "{0.day}.{0.month}.{0.year}",
            "{0.day:02}.{0.month:02}.{0.year}",
            "{0.day}/{0.month}/{0.year}",
            "{0.day}-{0.month}-{0.year}",
        ]
    ),
)
def test_day_and_month_are_never_swapped_in_europe(day: date, form: str) -> None:
    assert [each.start for each in find_dates(f"срок: {form.format(day)} г.", BULGARIAN)] == [day]


def test_a_missing_year_is_the_next_one_or_the_recent_past() -> None:
    assert find_dates("16 януари", BULGARIAN)[0].start == date(2027, 1, 16)
    assert find_dates("24 ноември", BULGARIAN)[0].start == date(2026, 11, 24)
    assert find_dates("1 октомври", BULGARIAN)[0].start == date(2026, 10, 1)


def test_a_time_gets_the_offset_of_its_country_on_that_day() -> None:
    time = find_times("18:00")[0].start
    assert iso(date(2026, 12, 1), time, country="BG") == "2026-12-01T18:00:00+02:00"
    assert iso(date(2027, 7, 1), time, country="BG") == "2027-07-01T18:00:00+03:00"
    assert iso(date(2027, 7, 1), time) == "2027-07-01T18:00:00"
    assert iso(date(2027, 7, 1), None, country="BG") == "2027-07-01"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("Работим от понеделник до петък, 8.00–17.30 часа. През август не.", "от понеделник до петък, 8.00–17.30 часа"),
        ("Mon–Thu 10:00–16:00 (last visitor 15:30)", "Mon–Thu 10:00–16:00 (last visitor 15:30)"),
        ("събота, 5 декември 2026 г.", ""),
    ],
)
def test_opening_hours_are_the_text_with_days_and_times(text: str, hours: str) -> None:
    assert find_hours(text) == hours


@given(st.text(alphabet="0123456789.:/–-, apmчhдекJanотдо", max_size=80))
def test_reading_dates_never_fails_on_any_text(text: str) -> None:
    find_dates(text, BULGARIAN)
    find_hours(text)
