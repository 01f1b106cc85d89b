"""Modern Events Calendar, a WordPress plugin: one calendar file for the whole site."""

from __future__ import annotations

import re

from gleanery.feeds.addresses import absolute, each_once, is_same_site, query_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

FLAG = "mec-ical-feed"
_PLUGIN = re.compile(r"((?:https?:)?//[^\s\"'<>()]{1,300}?)/wp-content/plugins/modern-events-calendar(?:-lite)?/")


def signs(markup: Markup) -> tuple[Sign, ...]:
    for link in each_once(markup.links):
        if query_of(link.href).get(FLAG) == "1" and is_same_site(link.href, markup.url):
            return (Sign(url=link.href, title=link.text),)
    if found := _PLUGIN.search(markup.html):
        home = absolute(markup.url, found[1])
        if is_same_site(home, markup.url):
            return (Sign(url=f"{home.rstrip('/')}/?{FLAG}=1", guess=True),)
    return ()


MODERN_EVENTS_CALENDAR = Platform(
    name="modern_events_calendar",
    label="Modern Events Calendar (WordPress)",
    shown_by="a link with `mec-ical-feed=1`, files of the plugin",
    feed_at="`/?mec-ical-feed=1`",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
