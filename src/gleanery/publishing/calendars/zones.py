"""Time zones as calendar files carry them: a VTIMEZONE for each that their events name."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Timezone

from gleanery.extraction.values.countries import country_code, zone_of

YEARS_BACK, YEARS_AHEAD = 5, 6


def zones_of(countries: Iterable[str]) -> list[ZoneInfo]:
    """Return the clocks of countries that have one for all, each once."""
    found = {zone.key: zone for each in countries if each and (zone := zone_of(country_code(each))) is not None}
    return [found[key] for key in sorted(found)]


@lru_cache(maxsize=256)
def vtimezone(zone: ZoneInfo, year: int) -> Timezone:
    """Return its rules for the years around this one."""
    first, last = date(year - YEARS_BACK, 1, 1), date(year + YEARS_AHEAD, 1, 1)
    return Timezone.from_tzinfo(zone, zone.key, first_date=first, last_date=last)
