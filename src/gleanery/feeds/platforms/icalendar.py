"""Calendars that a page links: as its alternate, to subscribe to, or as files. One event's own file is no feed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gleanery.feeds.addresses import absolute, each_once, path_of, query_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, calendar_reading
from gleanery.feeds.platform import Link, Markup, Platform, Sign

MOST = 10
MOST_FILES = 5  # of a page: who links more links the files of single events

_ONE_EVENT = re.compile(r"\b(?:add|save|export)\b|добави|hinzufügen|speichern|ajouter|añadir|aggiungi", re.IGNORECASE)
_SUBSCRIBED = re.compile(r"(?:webcals?|https?)://", re.IGNORECASE)
_FLAGS = ("ical", "outlook-ical")


def signs(markup: Markup) -> tuple[Sign, ...]:
    told = {sign.url: sign for sign in _told(markup)}
    files = {link.href: Sign(url=link.href, title=link.text) for link in each_once(markup.links) if _is_file(link)}
    if len(files) <= MOST_FILES:
        told = files | told
    return tuple(told.values())[:MOST]


def _told(markup: Markup) -> Iterator[Sign]:
    """Calendars that the page itself calls its own, or offers to subscribe to."""
    for link in markup.links:
        title = link.text
        if "alternate" in link.rel.lower().split() and link.type.lower().startswith("text/calendar"):
            url = absolute(markup.url, link.href)
        elif link.href.lower().startswith(("webcal:", "webcals:")):
            url = absolute(link.href, "")
        else:
            # To subscribe with Google Calendar: ...?cid=webcal://here.example/calendar.ics
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
    read=calendar_reading,
)
