"""LiveWhale, used by universities: one calendar file for all events."""

from __future__ import annotations

import re

from gleanery.feeds.addresses import at_root, each_once, is_same_site, path_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

FILE = "/live/ical/events"
MOST = 3

_MADE = re.compile(r"/(?:livewhale|live)/(?:resource|theme|plugins|scripts|styles|core)\b", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    links = [link for link in each_once(markup.links) if is_same_site(link.href, markup.url)]
    files = [link for link in links if path_of(link.href).startswith(FILE)]
    if files:
        return tuple(Sign(url=link.href, title=link.text) for link in files)[:MOST]
    own = (*markup.scripts, *(link.href for link in links if "stylesheet" in link.rel.lower()))
    made = "livewhale" in markup.generator.lower() or (
        "livewhale" in markup.html.lower() and any(_MADE.match(path_of(url)) for url in own)
    )
    return (Sign(url=at_root(markup.url, FILE), guess=True),) if made else ()


LIVEWHALE = Platform(
    name="livewhale",
    label="LiveWhale",
    shown_by="a link to `/live/ical/events`, scripts of LiveWhale on a page that names it",
    feed_at="`/live/ical/events`",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
