"""LibCal by Springshare, used by libraries: numbered calendars with a file each."""

from __future__ import annotations

import html
import re

from gleanery.feeds.addresses import absolute, at_root, is_on, is_same_site, path_of, query_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

OWN = "libcal.com"
FILE = "/ical_subscribe.php"
PATHS = ("/calendar", "/embed_calendar.php", "/api_events.php", "/rss.php", "/widget", "/ajax/calendar", "/cal")
MOST = 10

_WRITTEN = re.compile(r"[^\s\"'<>]{0,300}/ical_subscribe\.php\?[^\s\"'<>]{1,300}")
_NUMBERS = re.compile(r"[0-9]{1,9}")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return calendar files on the page, else files of calendars shown by number."""
    written = (absolute(markup.url, html.unescape(each)) for each in _WRITTEN.findall(markup.html))
    files = dict.fromkeys(url for url in written if _is_libcal(url, markup) and "cid" in query_of(url))
    if not files:
        addresses = (*markup.frames, *markup.scripts, *(link.href for link in markup.links), markup.url)
        files = dict.fromkeys(file for url in addresses if _is_libcal(url, markup) for file in _files(url))
    return tuple(Sign(url=url) for url in files)[:MOST]


def _is_libcal(url: str, markup: Markup) -> bool:
    """Return True for hosts of LibCal, or the same host on a page that names Springshare."""
    return is_on(url, OWN) or (is_same_site(url, markup.url) and "springshare" in markup.html.lower())


def _files(url: str) -> list[str]:
    if not path_of(url).startswith(PATHS):
        return []
    numbers = _NUMBERS.findall(query_of(url).get("cid", "").partition("-")[0])
    return [f"{at_root(url, FILE)}?src=p&cid={number}" for number in numbers[:MOST]]


LIBCAL = Platform(
    name="libcal",
    label="LibCal",
    shown_by="`ical_subscribe.php`, or a calendar with its number (`cid=`) at libcal.com or on a page of Springshare",
    feed_at="`/ical_subscribe.php?src=p&cid=N`",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
