"""CivicPlus (CivicEngage), used by towns and counties: a calendar file per category, and RSS with dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gleanery.feeds.addresses import at_root, each_once, is_same_site, path_of, query_of, unchanged
from gleanery.feeds.answers import calendars, syndication
from gleanery.feeds.answers.syndication import read_syndication
from gleanery.feeds.platform import Answer, AnswerContent, Link, Markup, Platform, Sign

CALENDAR_MODULE = "58"
FILES = "/common/modules/icalendar/icalendar.aspx"
ALL = "/RSSFeed.aspx?ModID=58&CID=All-calendar.xml"
MOST = 40

_MARK = re.compile(r"civicplus|civicengage", re.IGNORECASE)


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return linked calendar files, else linked RSS, else a guess for pages with a calendar."""
    links = [link for link in each_once(markup.links) if is_same_site(link.href, markup.url)]
    syndicated = [link for link in links if _is_rss(link)]
    files = {link.href: link.text for link in links if _is_file(link)}
    if files:
        covers = tuple(link.href for link in syndicated)
        return tuple(Sign(url=url, title=title, covers=covers) for url, title in files.items())[:MOST]
    if syndicated:
        whole = [link for link in syndicated if "all-" in query_of(link.href).get("cid", "").lower()]
        return tuple(Sign(url=link.href, title=link.text) for link in whole or syndicated)[:MOST]
    if any(path_of(link.href).lower().endswith("/calendar.aspx") for link in links) and any(_marks(markup)):
        return (Sign(url=at_root(markup.url, "/") + ALL[1:], guess=True),)
    return ()


def _is_file(link: Link) -> bool:
    asked = query_of(link.href)
    return path_of(link.href).lower() == FILES and asked.get("feed") == "calendar" and asked.get("catid", "").isdigit()


def _is_rss(link: Link) -> bool:
    return path_of(link.href).lower().endswith("/rssfeed.aspx") and query_of(link.href).get("modid") == CALENDAR_MODULE


def _marks(markup: Markup) -> Iterator[bool]:
    yield _MARK.search(markup.generator) is not None
    yield _MARK.search(markup.html) is not None


def read(answer: Answer) -> AnswerContent:
    if answer.text.lstrip("\ufeff \t\r\n").startswith("<"):
        return read_syndication(answer, "civicplus")
    return calendars.read_calendar(answer)


CIVICPLUS = Platform(
    name="civicplus",
    label="CivicPlus",
    shown_by="links to `iCalendar.aspx`, `RSSFeed.aspx?ModID=58` or, on a page that names CivicPlus, `Calendar.aspx`",
    feed_at="`/common/modules/iCalendar/iCalendar.aspx?catID=N&feed=calendar`, `/RSSFeed.aspx?ModID=58`",
    accept=f"{calendars.ACCEPT}, {syndication.ACCEPT}",
    signs=signs,
    address=unchanged,
    read=read,
)
