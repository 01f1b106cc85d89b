"""Meetup: calendars of linked groups. Pages that link many groups are directories and ignored."""

from __future__ import annotations

from gleanery.feeds.addresses import is_on, path_of, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

HOST = "meetup.com"
MOST_OWN = 3
LANGUAGE = len("en-AU")
NO_GROUPS = frozenset(
    str.split(
        "about account api apps articles blog calendar cities create dashboard events feedback find groups help home "
        "how-it-works jobs lp login logout lp media members meetup-pro messages mobile press privacy pro register "
        "search settings signup start subscription success terms topics your-events login-with apps-and-services i e"
    )
)


def signs(markup: Markup) -> tuple[Sign, ...]:
    groups = dict.fromkeys(filter(None, (_group(link.href) for link in markup.links if is_on(link.href, HOST))))
    if len(groups) > MOST_OWN:
        return ()
    return tuple(Sign(url=f"https://www.{HOST}/{group}/events/ical/", title=group) for group in groups)


def _group(url: str) -> str:
    """Return the group name from a path, after an optional language (/de-DE/...)."""
    parts = [part for part in path_of(url).split("/") if part]
    if parts and len(parts[0]) == LANGUAGE and parts[0][2] == "-" and parts[0].replace("-", "").isalpha():
        parts.pop(0)
    group = parts[0] if parts else ""
    known = group.replace("-", "").replace("_", "")
    return group if known.isascii() and known.isalnum() and group.lower() not in NO_GROUPS else ""


MEETUP = Platform(
    name="meetup",
    label="Meetup",
    shown_by="links to at most three groups at meetup.com",
    feed_at="`/GROUP/events/ical/`",
    accept=ACCEPT,
    hosts=(HOST,),
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
