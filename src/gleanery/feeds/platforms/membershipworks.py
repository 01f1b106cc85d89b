"""MembershipWorks: calendars of organisations embedded by number."""

from __future__ import annotations

import re

from gleanery.feeds.addresses import is_on, unchanged
from gleanery.feeds.answers.calendars import ACCEPT, read_calendar
from gleanery.feeds.platform import Markup, Platform, Sign

HOST = "api.membershipworks.com"
OWN = "membershipworks.com"

_LINKED = re.compile(r"api\.membershipworks\.com/v2/events\?[^\s\"'<>]{0,200}?\borg=([0-9]{1,9})\b")
_EMBEDDED = re.compile(r"<[a-z]+\s[^<>]{0,300}?\bid=[\"']?SFctr\b[^<>]{0,300}?\bdata-org=[\"']?([0-9]{1,9})\b")


def signs(markup: Markup) -> tuple[Sign, ...]:
    numbers = _LINKED.findall(markup.html)
    if any(is_on(script, OWN) for script in markup.scripts):
        numbers += _EMBEDDED.findall(markup.html)
    url = f"https://{HOST}/v2/events?_op=ics&org="
    return tuple(Sign(url=f"{url}{number}") for number in dict.fromkeys(numbers))[:1]


MEMBERSHIPWORKS = Platform(
    name="membershipworks",
    label="MembershipWorks",
    shown_by="its script with the number of an organisation (`data-org`), a link to its calendar",
    feed_at="`/v2/events?_op=ics&org=N`",
    accept=ACCEPT,
    hosts=(HOST,),
    signs=signs,
    address=unchanged,
    read=read_calendar,
)
