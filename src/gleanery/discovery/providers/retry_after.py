"""Reads how long a provider asks us to wait."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 366 * 86_400.0  # limit for absurd headers


def requested_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait, 0 for a past time, None if the headers say nothing usable."""
    for seconds in (
        scaled(headers.get("retry-after-ms"), 1000),
        scaled(headers.get("Retry-After"), 1),
        until(headers.get("Retry-After")),
    ):
        if seconds is not None:
            return min(max(seconds, 0.0), LONGEST)
    return None


def scaled(text: str | None, units: int) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return None if math.isnan(number) else number / units


def until(text: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
        return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError, IndexError):
        return None
