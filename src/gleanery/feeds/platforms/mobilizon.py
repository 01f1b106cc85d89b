"""Mobilizon: calendars of the groups of an instance."""

from __future__ import annotations

import re

from gleanery.feeds.addresses import at_root, is_same_site, path_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

MOST = 5

_GROUP = re.compile(r"/(?:[a-z]{2}(?:-[A-Z]{2})?/)?(@[A-Za-z0-9_.-]{1,80})(?:/.*)?")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return the group of the page, else linked groups."""
    if not markup.generator.lower().startswith("mobilizon"):
        return ()
    own = _group(markup.url)
    linked = (_group(link.href) for link in markup.links if is_same_site(link.href, markup.url))
    groups = [own] if own else list(dict.fromkeys(filter(None, linked)))
    return tuple(Sign(url=at_root(markup.url, f"/{group}/feed/ics"), title=group) for group in groups)[:MOST]


def _group(url: str) -> str:
    found = _GROUP.fullmatch(path_of(url))
    return found[1] if found else ""


MOBILIZON = Platform(
    name="mobilizon",
    label="Mobilizon",
    shown_by="generator Mobilizon and a group (`/@GROUP`)",
    feed_at="`/@GROUP/feed/ics`",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
