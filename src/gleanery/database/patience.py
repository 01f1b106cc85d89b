"""How long to wait before the next try, while the database is away."""

from __future__ import annotations

SHORTEST, LONGEST = 0.25, 30.0


def pause_after(failures: int) -> float:
    """Doubled with each failure in a row."""
    return min(LONGEST, SHORTEST * 2.0 ** min(failures, 10))
