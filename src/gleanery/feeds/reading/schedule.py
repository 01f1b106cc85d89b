"""Intervals between readings, and limits on failures. Pure."""

from __future__ import annotations

from datetime import timedelta

SHORTEST = timedelta(hours=1)  # even if the feed asks for less
LONGEST = timedelta(days=30)
# After the 1st, 2nd, 3rd, 4th and every later failure in a row.
BACK_OFF = (timedelta(hours=1), timedelta(hours=4), timedelta(days=1), timedelta(days=7))
MOST_FAILURES = 6  # about two weeks
REREAD_AFTER = timedelta(days=30)  # unchanged answers still have new dates within the horizon


def until_next_reading(ttl: timedelta | None, frequency_hours: int) -> timedelta:
    """Return the interval that the feed asks for, else that of its source."""
    return min(max(ttl or timedelta(hours=frequency_hours), SHORTEST), max(LONGEST, timedelta(hours=frequency_hours)))


def after_failure(failures: int, retry_after: float = 0.0) -> timedelta:
    """Return the pause after a failure. `failures` includes this one; the site may ask for more."""
    rest = BACK_OFF[min(failures, len(BACK_OFF)) - 1]
    return min(max(rest, timedelta(seconds=retry_after)), LONGEST)
