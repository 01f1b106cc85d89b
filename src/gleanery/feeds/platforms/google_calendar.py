"""Google Calendar: embedded or linked calendars have a public file. Holiday calendars are ignored."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, quote, unquote

from gleanery.feeds.addresses import is_on, path_of, split, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

HOST = "calendar.google.com"
MOST = 20

_EMBEDDED = re.compile(r"(?:https?:)?//(?:calendar|www)\.google\.com/calendar/[^\s\"'<>\\]{1,4000}", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z0-9._%+-]{1,150}@[A-Za-z0-9.-]{3,100}")
_FILE = re.compile(r"/calendar/ical/([^/]{3,300})/public/(?:basic|full)\.ics")
_NOBODYS = re.compile(r"#|%23|@holiday\.calendar\.google\.com$", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    ids = dict.fromkeys(each for url in _addresses(markup) for each in _ids(url))
    return tuple(Sign(url=f"https://{HOST}/calendar/ical/{quote(each)}/public/basic.ics", title=each) for each in ids)[
        :MOST
    ]


def _addresses(markup: Markup) -> Iterator[str]:
    """Yield calendar addresses from the whole page, since frames may be loaded late."""
    for found in _EMBEDDED.findall(markup.html):
        url = html.unescape(found)
        yield f"https:{url}" if url.startswith("//") else url
    yield from (url for url in (*markup.frames, *(link.href for link in markup.links)) if is_on(url, HOST))


def _ids(url: str) -> Iterator[str]:
    parts = split(url)
    if parts is None:
        return
    values = [value for name, value in parse_qsl(parts.query) if name in ("src", "cid")]
    if found := _FILE.fullmatch(path_of(url)):
        values.append(unquote(found[1]))
    for value in values:
        known = value if "@" in value else _decoded(value)
        if _ID.fullmatch(known) and not _NOBODYS.search(known):
            yield known


def _decoded(value: str) -> str:
    """Decode a calendar id in base64, often without padding."""
    try:
        return base64.urlsafe_b64decode(value.encode() + b"=" * (-len(value) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


GOOGLE_CALENDAR = Platform(
    name="google_calendar",
    label="Google Calendar",
    shown_by="an embedded calendar (`src=`), a link to add one (`cid=`), a link to its file",
    feed_at="`/calendar/ical/ID/public/basic.ics`",
    accept=ACCEPT,
    hosts=(HOST,),
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
