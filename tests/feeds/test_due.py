"""When feeds are asked again: pure rules."""

from __future__ import annotations

from datetime import timedelta

from gleanery.feeds.reading import due


def test_a_feed_says_how_often_else_its_source_does_and_never_more_than_once_an_hour() -> None:
    assert due.next_look(None, 24) == timedelta(hours=24)
    assert due.next_look(timedelta(hours=6), 24) == timedelta(hours=6)
    assert due.next_look(timedelta(minutes=15), 24) == timedelta(hours=1)
    assert due.next_look(timedelta(days=400), 24) == timedelta(days=30)
    assert due.next_look(None, 8760) == timedelta(hours=8760)


def test_failures_rest_longer_and_longer_and_as_long_as_the_site_asks() -> None:
    rests = [due.after_failure(count) for count in range(1, 6)]
    assert rests == [timedelta(hours=1), timedelta(hours=4), *[timedelta(days=days) for days in (1, 7, 7)]]
    assert due.after_failure(1, 7200.0) == timedelta(hours=2)
    assert due.after_failure(1, 1e9) == timedelta(days=30)
