"""Cells are read as a whole as people write them; more than one date or amount stays unchanged."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.errors import Invalid
from gleanery.kinds import DAY, LATITUDE, LONGITUDE, MOMENT
from gleanery.resolution.importing.cells import standard_spelling, sum_of
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.records.values import value_of

DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))


def fields(kind: str, **cells: Any) -> dict[str, Any]:
    return Columns(kind).read({"name": "X", **cells}).fields


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("17/11/2026", "2026-11-17"),
        ("11/17/2026", "2026-11-17"),
        ("17-11-2026", "2026-11-17"),
        ("2026/11/17", "2026-11-17"),
        ("2026/11/17 7pm", "2026-11-17T19:00"),
        ("17.11.26", "2026-11-17"),
        ("05/17/26", "2026-05-17"),
        ("17.11.2026 г.", "2026-11-17"),
        ("17.05.2026 7pm", "2026-05-17T19:00"),
        ("17/05/2026 19:00", "2026-05-17T19:00"),
        ("17/05/2026 19:00:00", "2026-05-17T19:00"),
        ("17.05.2026, 9:05", "2026-05-17T09:05"),
        ("11/17/2026 7:30 PM", "2026-11-17T19:30"),
        ("17 Nov 2026", "2026-11-17"),
        ("17-Nov-2026", "2026-11-17"),
        ("17th of November 2026", "2026-11-17"),
        ("17 November 2026 19:30", "2026-11-17T19:30"),
        ("November 17, 2026", "2026-11-17"),
        ("Tuesday, November 17, 2026", "2026-11-17"),
        ("Nov 17, 2026 7pm", "2026-11-17T19:00"),
        ("17 ноември 2026", "2026-11-17"),
        ("17 ноември 2026 г., 19:00 ч.", "2026-11-17T19:00"),
        ("17. November 2026 um 19 Uhr", "2026-11-17T19:00"),
        ("17.05.2026 19:00 CET", "2026-05-17T19:00+01:00"),
        ("46343", "2026-11-17"),
        ("46343.5", "2026-11-17T12:00"),
        (46343, "2026-11-17"),
        (46343.75, "2026-11-17T18:00"),
    ],
)
def test_a_moment_may_be_written_as_people_do(cell: str | float, moment: str) -> None:
    assert standard_spelling(cell, MOMENT) == moment
    assert value_of("event", "start", moment) == moment
    assert standard_spelling(cell, DAY) == moment[:10]


@pytest.mark.parametrize(
    "cell",
    [
        "TBC",
        "2026",
        2026,
        "12345",
        "99999",
        True,
        "May 2026",
        "17.11.",
        "31.02.2026",
        "12-14 May 2026",
        "12.05.2026 - 14.05.2026",
        "17.05.2026 19:00-21:00",
        "4, 11 and 18 December 2026",
        "every Tuesday from 17.05.2026",
        "17.05.2026 in the old hall",
        "17.05.2026 or 18.05.2026",
        "before 17 May 2026",
        "17.05.2026 19:00 21:00",
    ],
)
def test_what_is_not_one_moment_stays_as_it_is_and_is_reported(cell: Any) -> None:
    assert standard_spelling(cell, MOMENT) == cell
    with pytest.raises(Invalid):
        value_of("event", "start", standard_spelling(cell, MOMENT))


@pytest.mark.parametrize("cell", ["2026-11-17", "2026-11-17T19:00", "2026-11-17T19:00:00+02:00", "2026-11-17 19:00:00"])
def test_a_moment_in_our_spelling_is_left_alone(cell: str) -> None:
    assert standard_spelling(cell, MOMENT) == cell


@pytest.mark.parametrize(
    ("cell", "day"),
    [("1984", "1984"), (1984, 1984), ("01.05.1878", "1878-05-01"), ("17.11.85", "1985-11-17"),
     ("1998-05-01 00:00:00", "1998-05-01")],
)  # fmt: skip
def test_a_day_may_lie_long_ago_and_a_year_stays_a_year(cell: str | int, day: str | int) -> None:
    assert standard_spelling(cell, DAY) == day


@pytest.mark.parametrize(
    ("country", "day"),
    [("", "2026-07-06"), ("GB", "2026-07-06"), ("US", "2026-06-07"), ("USA", "2026-06-07"), ("PH", "2026-06-07")],
)
def test_where_both_may_be_the_month_the_day_is_first_except_where_it_is_not(country: str, day: str) -> None:
    assert fields("event", start="06/07/2026", country=country)["start"] == day
    assert fields("event", start="06.07.2026", country=country)["start"] == "2026-07-06"


@given(DAYS)
def test_every_day_written_with_dots_or_its_month_in_words_reads_back(day: date) -> None:
    for written in (f"{day:%d.%m.%Y}", f"{day.day}.{day.month}.{day.year}", f"{day:%Y/%m/%d}", f"{day:%d.%m.%Y} г."):
        assert standard_spelling(written, MOMENT) == day.isoformat()
    for written in (f"{day.day} {day:%B %Y}", f"{day:%d %b %Y}", f"{day:%B} {day.day}, {day.year}"):
        assert standard_spelling(written, MOMENT) == day.isoformat()


@given(DAYS.filter(lambda day: day.day > 12))
def test_every_day_after_the_twelfth_reads_back_in_either_order_wherever_it_is_from(day: date) -> None:
    for country in ("", "US", "BG"):
        assert standard_spelling(f"{day:%d/%m/%Y}", MOMENT, country=country) == day.isoformat()
        assert standard_spelling(f"{day:%m/%d/%Y}", MOMENT, country=country) == day.isoformat()


@given(st.dates(date(1990, 1, 1), date(2100, 12, 31)), st.integers(1, 24 * 60 - 1))
def test_every_day_as_spreadsheets_count_them_reads_back(day: date, minute: int) -> None:
    serial = (day - date(1899, 12, 30)).days
    assert standard_spelling(str(serial), MOMENT) == day.isoformat()
    clock = f"{timedelta(minutes=minute)}"[:-3]
    assert standard_spelling(serial + minute / (24 * 60), MOMENT) == f"{day}T{clock:0>5}"


@given(st.one_of(st.text(max_size=80), st.from_regex(r"[0-9./: -]{1,20}", fullmatch=True), st.integers(), st.floats()))
def test_no_cell_makes_the_reader_fail(cell: Any) -> None:
    for kind in ("event", "funding", "organization"):
        fields(kind, start=cell, founding_date=cell, amount_max=cell, amount_min=cell)


@pytest.mark.parametrize(
    ("cell", "amount", "currency"),
    [
        ("£5,000", 5000, "GBP"),
        ("€5000", 5000, "EUR"),
        ("$5,000.00", 5000, "USD"),
        ("5000 EUR", 5000, "EUR"),
        ("5 000 лв.", 5000, "BGN"),
        ("5.000,00", 5000, None),
        ("5 000,00", 5000, None),
        ("5 000,50", 5000.5, None),
        ("5k", 5000, None),
        ("£5k", 5000, "GBP"),
        ("1.5m", 1_500_000, None),
        ("5000", 5000, None),
        ("12,5", 12.5, None),
    ],
)
@pytest.mark.parametrize("field", ["amount_min", "amount_max"])
def test_a_sum_may_be_written_as_people_do_and_tells_its_currency(
    field: str, cell: str, amount: float, currency: str | None
) -> None:
    told = fields("funding", **{field: cell})
    assert value_of("funding", field, told[field]) == amount
    assert told.get("currency") == currency


@pytest.mark.parametrize(
    ("cell", "least", "most"),
    [
        ("£1,000 - £5,000", 1000, 5000),
        ("1,000–5,000", 1000, 5000),
        ("up to 5k", None, 5000),
        ("max. 5000", None, 5000),
        ("до 5000 лв.", None, 5000),
        ("from £500", 500, None),
    ],
)
def test_a_column_takes_the_end_of_a_sum_that_it_asks_for(cell: str, least: int | None, most: int | None) -> None:
    for field, end in (("amount_min", least), ("amount_max", most)):
        assert (found[0] if (found := sum_of(cell, field)) else None) == end


@pytest.mark.parametrize(
    "cell", ["varies", "£5,000 per year", "grants of up to 5k", "C$5000", "£5,000 or €6,000", "5000 000", "", "£"]
)
def test_what_is_not_one_sum_stays_as_it_is(cell: str) -> None:
    assert sum_of(cell, "amount_max") is None


def test_what_the_row_says_of_its_currency_holds() -> None:
    assert fields("funding", amount_max="£5,000", currency="EUR")["currency"] == "EUR"
    assert "currency" not in fields("funding", amount_min="£1,000", amount_max="€5,000")
    assert "currency" not in fields("funding", amount_max="$5,000", country="Canada")
    assert fields("funding", amount_max="US$5,000", country="Canada")["currency"] == "USD"


def test_years_and_positions_are_no_sums() -> None:
    assert fields("funding", year="2k", amount_max="7")["year"] == "2k"
    assert standard_spelling("5k", LATITUDE) == "5k"
    assert (standard_spelling("42,69", LATITUDE), standard_spelling("23.320", LONGITUDE)) == ("42.69", "23.320")


def test_what_may_be_of_any_order_or_is_a_span_of_hours_is_no_moment() -> None:
    for cell in ("12-10-05", "2026-05-17 10:00-12:00", "2026-05-17 19:00-21:00"):
        with pytest.raises(Invalid):
            value_of("event", "start", standard_spelling(cell, MOMENT))


def test_a_spreadsheet_s_short_year_and_its_rounded_midnight_are_read() -> None:
    assert standard_spelling("17-Nov-26", MOMENT) == "2026-11-17"
    assert standard_spelling("45000.99999", MOMENT) == "2023-03-16"
