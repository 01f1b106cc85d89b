"""Time zones that an admin may choose for the site."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


@cache
def choices() -> list[tuple[str, str]]:
    """UTC and the zones of places, such as Europe/Sofia; not their old or technical names."""
    named = (zone for zone in available_timezones() if zone.partition("/")[0] in CONTINENTS)
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *sorted(named))]


CONTINENTS = frozenset(
    {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)
