"""Known platforms, one module each. If several recognise an address, the first in the tuple gets it."""

from __future__ import annotations

from collections.abc import Iterator

from gleanery.feeds.platform import Markup, Platform, Sign
from gleanery.feeds.platforms.civicplus import CIVICPLUS
from gleanery.feeds.platforms.eventbrite import EVENTBRITE
from gleanery.feeds.platforms.gancio import GANCIO
from gleanery.feeds.platforms.google_calendar import GOOGLE_CALENDAR
from gleanery.feeds.platforms.growthzone import GROWTHZONE
from gleanery.feeds.platforms.icalendar import ICALENDAR
from gleanery.feeds.platforms.legistar import LEGISTAR
from gleanery.feeds.platforms.libcal import LIBCAL
from gleanery.feeds.platforms.livewhale import LIVEWHALE
from gleanery.feeds.platforms.localist import LOCALIST
from gleanery.feeds.platforms.meetup import MEETUP
from gleanery.feeds.platforms.membershipworks import MEMBERSHIPWORKS
from gleanery.feeds.platforms.mobilizon import MOBILIZON
from gleanery.feeds.platforms.modern_events_calendar import MODERN_EVENTS_CALENDAR
from gleanery.feeds.platforms.squarespace import SQUARESPACE
from gleanery.feeds.platforms.syndication import SYNDICATION
from gleanery.feeds.platforms.the_events_calendar import THE_EVENTS_CALENDAR
from gleanery.feeds.platforms.tockify import TOCKIFY

# Most detailed first, general formats last.
PLATFORMS: tuple[Platform, ...] = (
    THE_EVENTS_CALENDAR,
    LOCALIST,
    SQUARESPACE,
    LEGISTAR,
    GANCIO,
    MEETUP,
    GOOGLE_CALENDAR,
    CIVICPLUS,
    TOCKIFY,
    LIBCAL,
    GROWTHZONE,
    MODERN_EVENTS_CALENDAR,
    LIVEWHALE,
    MOBILIZON,
    MEMBERSHIPWORKS,
    EVENTBRITE,
    ICALENDAR,
    SYNDICATION,
)
BY_NAME = {platform.name: platform for platform in PLATFORMS}


def shown_on(markup: Markup) -> Iterator[tuple[Platform, Sign]]:
    """Yield the feeds shown on a page, each address once."""
    seen: set[str] = set()
    for platform in PLATFORMS:
        for sign in platform.signs(markup):
            if sign.url not in seen:
                seen.add(sign.url)
                yield platform, sign
