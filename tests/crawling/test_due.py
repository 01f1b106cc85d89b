"""When a page is visited again, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.crawling.schedule.due import LONGEST, RARELY, PageHistory, next_visit

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def past(
    *, unchanged: int = 0, known_days: int = 10, yielded_days: int | None = None, gone: bool = False
) -> PageHistory:
    return PageHistory(
        looked_at=NOW,
        first_fetched_at=NOW - timedelta(days=known_days),
        yielded_at=None if yielded_days is None else NOW - timedelta(days=yielded_days),
        unchanged=unchanged,
        gone=gone,
    )


def hours(**facts: object) -> float:
    return (next_visit(past(**facts), 24).at - NOW).total_seconds() / 3600  # type: ignore[arg-type]


def test_a_page_is_visited_as_often_as_its_domain():
    assert next_visit(past(), 6) == (NOW + timedelta(hours=6), "Its domain is crawled every 6 hours.")


@pytest.mark.parametrize(("unchanged", "expected"), [(0, 24), (1, 24), (2, 48), (3, 96), (4, 192), (5, 336), (50, 336)])
def test_a_page_that_does_not_change_is_visited_less_and_less(unchanged: int, expected: int):
    assert hours(unchanged=unchanged) == expected


def test_a_page_that_yielded_nothing_in_ninety_days_is_visited_rarely():
    assert hours(known_days=91) == RARELY.days * 24
    assert hours(known_days=200, yielded_days=91) == RARELY.days * 24
    assert hours(known_days=200, yielded_days=89) == 24
    assert hours(known_days=89) == 24
    assert "90 days" in next_visit(past(known_days=91), 24).reason


def test_a_page_that_was_not_found_is_tried_again_later():
    assert hours(gone=True) == RARELY.days * 24


@given(st.integers(0, 10_000), st.integers(1, 8760), st.integers(0, 400), st.booleans())
def test_no_page_is_forgotten_or_visited_more_often_than_its_domain(unchanged: int, every: int, known: int, gone: bool):
    due = next_visit(past(unchanged=unchanged, known_days=known, gone=gone), every)
    often = timedelta(hours=every)
    assert often <= due.at - NOW <= max(often, LONGEST, RARELY)
    assert due.reason.endswith(".")
