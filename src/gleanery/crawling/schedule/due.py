"""When a page is looked at again, and why. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

FRUITLESS = timedelta(days=90)  # so long may a page give nothing before it is looked at rarely
RARELY = timedelta(days=30)
LONGEST = timedelta(days=14)  # for pages that do not change, unless the domain itself is looked at less often


class Due(NamedTuple):
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is known of a page after a visit. `unchanged` counts the visits in a row that found nothing new."""

    looked_at: datetime
    first_fetched_at: datetime
    yielded_at: datetime | None
    unchanged: int
    gone: bool


def next_look(past: Past, frequency_hours: int) -> Due:
    """Counted from the beginning of the crawl: a page that was late in one crawl is not left out of the next."""
    often = timedelta(hours=frequency_hours)
    if past.gone:
        return Due(past.looked_at + max(RARELY, often), "It was not there; it may come back.")
    if is_fruitless(past):
        return Due(past.looked_at + max(RARELY, often), "Nothing was found on it in 90 days.")
    if past.unchanged > 1:
        wait = max(often, min(LONGEST, often * 2 ** min(past.unchanged - 1, 20)))
        return Due(past.looked_at + wait, f"It did not change {past.unchanged} times in a row.")
    return Due(past.looked_at + often, f"Its domain is looked at every {frequency_hours} hours.")


def is_fruitless(past: Past) -> bool:
    """Known for 90 days, and nothing came of it in all that time."""
    since = past.looked_at - FRUITLESS
    return past.first_fetched_at < since and (past.yielded_at is None or past.yielded_at < since)
