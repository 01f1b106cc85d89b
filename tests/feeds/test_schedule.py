"""Intervals between readings of a feed."""

from __future__ import annotations

from datetime import timedelta

from gleanery.feeds.reading import schedule


def test_the_interval_comes_from_the_feed_or_source_and_is_at_least_an_hour() -> None:
    assert schedule.until_next_reading(None, 24) == timedelta(hours=24)
    assert schedule.until_next_reading(timedelta(hours=6), 24) == timedelta(hours=6)
    assert schedule.until_next_reading(timedelta(minutes=15), 24) == timedelta(hours=1)
    assert schedule.until_next_reading(timedelta(days=400), 24) == timedelta(days=30)
    assert schedule.until_next_reading(None, 8760) == timedelta(hours=8760)


def test_pauses_grow_with_failures_and_respect_the_site() -> None:
    rests = [schedule.after_failure(count) for count in range(1, 6)]
    assert rests == [timedelta(hours=1), timedelta(hours=4), *[timedelta(days=days) for days in (1, 7, 7)]]
    assert schedule.after_failure(1, 7200.0) == timedelta(hours=2)
    assert schedule.after_failure(1, 1e9) == timedelta(days=30)
