"""When a page is visited again, and why (pure)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

FRUITLESS = timedelta(days=90)  # after so long without a find a page is visited rarely
RARELY = timedelta(days=30)
LONGEST = timedelta(days=14)  # for unchanged pages, unless the domain itself is visited less often


class NextVisit(NamedTuple):
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHistory:
    """Facts about a page after a visit; `unchanged` counts consecutive visits without a change."""

    looked_at: datetime
    first_fetched_at: datetime
    yielded_at: datetime | None
    unchanged: int
    gone: bool


def next_visit(past: PageHistory, frequency_hours: int) -> NextVisit:
    """Return when a page is due, counted from the start of the crawl so that the next crawl skips no late page."""
    often = timedelta(hours=frequency_hours)
    if past.gone:
        return NextVisit(past.looked_at + max(RARELY, often), "It was not found; it may come back.")
    if is_fruitless(past):
        return NextVisit(past.looked_at + max(RARELY, often), "Nothing was found on it in 90 days.")
    if past.unchanged > 1:
        wait = max(often, min(LONGEST, often * 2 ** min(past.unchanged - 1, 20)))
        return NextVisit(past.looked_at + wait, f"It did not change {past.unchanged} times in a row.")
    return NextVisit(past.looked_at + often, f"Its domain is crawled every {frequency_hours} hours.")


def is_fruitless(past: PageHistory) -> bool:
    """Return True if the page is known for 90 days and yielded nothing in that time."""
    since = past.looked_at - FRUITLESS
    return past.first_fetched_at < since and (past.yielded_at is None or past.yielded_at < since)
