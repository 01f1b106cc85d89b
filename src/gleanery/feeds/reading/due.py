"""When a feed is asked again, and when it is given up. Pure."""

from __future__ import annotations

from datetime import timedelta

SHORTEST = timedelta(hours=1)  # whatever a feed says of itself
LONGEST = timedelta(days=30)
# After the 1st, 2nd, 3rd, 4th and every later failure in a row.
BACK_OFF = (timedelta(hours=1), timedelta(hours=4), timedelta(days=1), timedelta(days=7))
MOST_FAILURES = 6  # about two weeks
AFRESH = timedelta(days=30)  # an answer that never changes still has new dates coming into reach


def next_look(ttl: timedelta | None, frequency_hours: int) -> timedelta:
    """As the feed asks, else as often as its source is looked at."""
    return min(max(ttl or timedelta(hours=frequency_hours), SHORTEST), max(LONGEST, timedelta(hours=frequency_hours)))


def after_failure(failures: int, retry_after: float = 0.0) -> timedelta:
    """`failures` counts this one; the site may ask for a longer rest."""
    rest = BACK_OFF[min(failures, len(BACK_OFF)) - 1]
    return min(max(rest, timedelta(seconds=retry_after)), LONGEST)
