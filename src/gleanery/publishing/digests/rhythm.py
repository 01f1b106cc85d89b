"""Rhythms of e-mails: when the next is due, and how long before a deadline they remind. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

HOUR = 6  # UTC: early in the morning in Europe
THURSDAY = 3  # before the weekend, with a day to plan it


class Rhythm(NamedTuple):
    weekday: int | None  # None is every day
    reminds_days_before: int


RHYTHMS: Final[dict[str, Rhythm]] = {
    "daily": Rhythm(None, 7),
    "weekly": Rhythm(THURSDAY, 10),
}


def next_due(rhythm: str, after: datetime) -> datetime:
    """Return the next morning on which e-mails of this rhythm go out."""
    after = after.astimezone(UTC)
    due = after.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    while due <= after or RHYTHMS[rhythm].weekday not in (None, due.weekday()):
        due += timedelta(days=1)
    return due


def reminded(rhythm: str, since: datetime, until: datetime) -> tuple[date, date]:
    """Return the deadlines of which the e-mail of this window reminds: after the first day, up to the last.

    The windows of a subscription meet, so these days do: it is reminded of each deadline once.
    """
    ahead = timedelta(days=RHYTHMS[rhythm].reminds_days_before)
    return since.astimezone(UTC).date() + ahead, until.astimezone(UTC).date() + ahead
