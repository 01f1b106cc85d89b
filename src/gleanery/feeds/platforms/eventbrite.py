"""Eventbrite: the page of an event, or of who holds it, tells events as schema.org has them."""

from __future__ import annotations

import re

from gleanery.extraction.structured.json_ld import from_json_ld
from gleanery.extraction.structured.page import Page
from gleanery.feeds.addresses import at_root, host_of, path_of, unchanged
from gleanery.feeds.answers.calendars import source_of
from gleanery.feeds.platform import Answer, Markup, NotThisPlatform, Platform, Reading, Sign

MOST = 10
HOSTS = tuple(
    f"eventbrite.{end}"
    for end in str.split(
        "com at be ca ch cl co co.nz co.uk com.ar com.au com.br com.mx com.pe de dk es fi fr hk ie it nl pt se sg"
    )
)

_PAGE = re.compile(r"/[eo]/[A-Za-z0-9%._-]{1,300}")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Organisers before single events, since their pages tell all that is coming."""
    urls = dict.fromkeys(
        at_root(link.href, path_of(link.href).rstrip("/"))
        for link in markup.links
        if host_of(link.href).removeprefix("www.") in HOSTS and _PAGE.fullmatch(path_of(link.href).rstrip("/"))
    )
    organisers = [url for url in urls if "/o/" in url]
    return tuple(Sign(url=url) for url in organisers or urls)[:MOST]


def read(answer: Answer) -> Reading:
    """The events alone: places and organisations are named in them."""
    if "ld+json" not in answer.text:
        raise NotThisPlatform("The page tells no events as schema.org has them.")
    found = from_json_ld(Page(source_of(answer)))
    drafts = tuple(draft for draft in found.drafts if draft.kind == "event" and draft.fields.get("start"))
    if not drafts and any(draft.kind == "event" for draft in found.drafts):
        raise NotThisPlatform("The events of the page do not say when they begin.")
    return Reading(drafts=drafts, contacts=found.contacts, problems=found.problems)


EVENTBRITE = Platform(
    name="eventbrite",
    label="Eventbrite",
    shown_by="links to `/e/EVENT` or `/o/ORGANISER` at eventbrite.*",
    feed_at="that page itself, its JSON-LD",
    accept="text/html",
    hosts=HOSTS,
    signs=signs,
    address=unchanged,
    read=read,
)
