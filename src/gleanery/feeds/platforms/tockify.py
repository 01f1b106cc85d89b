"""Tockify: embedded or linked calendars."""

from __future__ import annotations

import re

from gleanery.feeds.addresses import is_on, path_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

HOST = "tockify.com"
MOST = 5
NO_CALENDARS = frozenset(str.split("api browser i tkf2 app assets pricing login signup help privacy terms blog about"))

_EMBEDDED = re.compile(r"data-tockify-calendar\s*=\s*[\"']?([A-Za-z0-9._-]{1,80})")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")
_FILE = re.compile(r"/api/feeds/ics/([A-Za-z0-9._-]{1,80})")


def signs(markup: Markup) -> tuple[Sign, ...]:
    linked = (url for url in (*markup.frames, *(link.href for link in markup.links)) if is_on(url, HOST))
    names = dict.fromkeys([*_EMBEDDED.findall(markup.html), *filter(None, map(_name, linked))])
    return tuple(Sign(url=f"https://{HOST}/api/feeds/ics/{name}", title=name) for name in names)[:MOST]


def _name(url: str) -> str:
    if found := _FILE.fullmatch(path_of(url)):
        return found[1]
    first = path_of(url).strip("/").partition("/")[0]
    return first if _NAME.fullmatch(first) and first.lower() not in NO_CALENDARS else ""


TOCKIFY = Platform(
    name="tockify",
    label="Tockify",
    shown_by="`data-tockify-calendar`, a frame or link to tockify.com",
    feed_at="`/api/feeds/ics/NAME`",
    accept=ACCEPT,
    hosts=(HOST,),
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
