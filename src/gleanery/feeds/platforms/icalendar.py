"""Linked calendars: rel=alternate, subscriptions, or files. Files of single events are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gleanery.feeds.addresses import absolute, each_once, path_of, query_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Link, Markup, Platform, Sign

MOST = 10
MOST_FILES = 5  # per page; more are files of single events

_ONE_EVENT = re.compile(r"\b(?:add|save|export)\b|добави|hinzufügen|speichern|ajouter|añadir|aggiungi", re.IGNORECASE)
_SUBSCRIBED = re.compile(r"(?:webcals?|https?)://", re.IGNORECASE)
_FLAGS = ("ical", "outlook-ical")


def signs(markup: Markup) -> tuple[Sign, ...]:
    found = {sign.url: sign for sign in _offered(markup)}
    files = {link.href: Sign(url=link.href, title=link.text) for link in each_once(markup.links) if _is_file(link)}
    if len(files) <= MOST_FILES:
        found = files | found
    return tuple(found.values())[:MOST]


def _offered(markup: Markup) -> Iterator[Sign]:
    """Yield calendars linked as alternate or offered for subscription."""
    for link in markup.links:
        title = link.text
        if "alternate" in link.rel.lower().split() and link.type.lower().startswith("text/calendar"):
            url = absolute(markup.url, link.href)
        elif link.href.lower().startswith(("webcal:", "webcals:")):
            url = absolute(link.href, "")
        else:
            # Subscription with Google Calendar: ...?cid=webcal://here.example/calendar.ics
            inner = query_of(link.href).get("cid", "")
            url = absolute(inner, "") if _SUBSCRIBED.match(inner) else ""
            title = ""
        if url:
            yield Sign(url=url, title=title)


def _is_file(link: Link) -> bool:
    flags = query_of(link.href)
    named = path_of(link.href).lower().endswith((".ics", ".ical")) or any(flags.get(name) == "1" for name in _FLAGS)
    return named and not _ONE_EVENT.search(link.text)


ICALENDAR = Platform(
    name="icalendar",
    label="iCalendar",
    shown_by="a link to a calendar: rel=alternate, webcal:, .ics, ?ical=1",
    feed_at="as linked",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
