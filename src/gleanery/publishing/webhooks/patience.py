"""When a failed delivery is tried again, and when a receiver is given up. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 300, 600))
GIVEN_UP_AFTER = timedelta(days=3)


def pause_after(failures: int) -> timedelta:
    """The last pause repeats."""
    return PAUSES[min(failures, len(PAUSES)) - 1]


def is_hopeless(failing_since: datetime, now: datetime) -> bool:
    return now - failing_since >= GIVEN_UP_AFTER
