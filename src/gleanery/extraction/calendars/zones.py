"""Time zones by name: IANA, Windows, or defined in the calendar file. Pure."""

from __future__ import annotations

from datetime import tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar
from babel.core import get_global
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from gleanery.extraction.calendars.components import CalendarHeader
from gleanery.extraction.calendars.plain_text import unescaped

LONGEST_NAME = 200
UTC_NAMES = frozenset({"UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "Zulu", "UCT", "Etc/UCT"})
_WINDOWS = {name.casefold(): zone for name, zone in WINDOWS_TO_OLSON.items()}
_OWN = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)


class Zones:
    """Time zones of one calendar, by the names that it uses."""

    def __init__(self, header: CalendarHeader) -> None:
        self._header = header
        self._found: dict[str, tzinfo | None] = {}
        self.default = self.named(unescaped(header.zone))

    def named(self, name: str) -> tzinfo | None:
        name = name.strip('" ')[:LONGEST_NAME]
        if name not in self._found:
            self._found[name] = named_zone(name) or _by_rules(self._header.zones.get(name))
        return self._found[name]


@lru_cache(maxsize=512)
def named_zone(name: str) -> tzinfo | None:
    """Return a zone by name, also with a prefix: /citadel.org/20260101_1/Europe/Berlin."""
    if not name:
        return None
    if zone := _WINDOWS.get(name.casefold()):
        return ZoneInfo(zone)
    parts = name.strip("/").replace(" ", "_").split("/")
    wanted = [name, "/".join(parts), *("/".join(parts[-count:]) for count in (3, 2) if len(parts) > count)]
    return next(filter(None, map(_iana, wanted)), None)


def country_of(zone: tzinfo | None) -> str:
    """Return the only country that uses the zone, or "". It is a hint for parsing, not a fact about an event."""
    name = str(getattr(zone, "key", ""))
    return str(get_global("zone_territories").get(get_global("zone_aliases").get(name, name), "")).replace("001", "")


def _iana(name: str) -> tzinfo | None:
    try:
        return ZoneInfo("UTC" if name in UTC_NAMES else name)
    except (ValueError, OSError, KeyError):
        return None


def _by_rules(lines: list[str] | None) -> tzinfo | None:
    if not lines:
        return None
    text = "\r\n".join(["BEGIN:VTIMEZONE", *lines, "END:VTIMEZONE", ""])
    try:
        zone = icalendar.Timezone.from_ical(text)
        return zone.to_tz() if isinstance(zone, icalendar.Timezone) else None
    except _OWN:
        return None
