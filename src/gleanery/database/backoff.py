"""Pauses between tries while the database is unavailable."""

from __future__ import annotations

SHORTEST, LONGEST = 0.25, 30.0


def pause_after(failures: int) -> float:
    """Return the pause in seconds, doubled with each failure in a row."""
    return min(LONGEST, SHORTEST * 2.0 ** min(failures, 10))
