"""Eventbrite: JSON-LD on the pages of events and organisers."""

from __future__ import annotations

import re

from gleanery.extraction.structured.html_page import HtmlPage
from gleanery.extraction.structured.json_ld import from_json_ld
from gleanery.feeds.addresses import at_root, host_of, path_of, unchanged
from gleanery.feeds.answers.calendars import source_of
from gleanery.feeds.platform import Answer, AnswerContent, Markup, NotThisPlatform, Platform, Sign

MOST = 10
HOSTS = tuple(
    f"eventbrite.{end}"
    for end in str.split(
        "com at be ca ch cl co co.nz co.uk com.ar com.au com.br com.mx com.pe de dk es fi fr hk ie it nl pt se sg"
    )
)

_PAGE = re.compile(r"/[eo]/[A-Za-z0-9%._-]{1,300}")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return organisers, whose pages list all upcoming events, else single events."""
    urls = dict.fromkeys(
        at_root(link.href, path_of(link.href).rstrip("/"))
        for link in markup.links
        if host_of(link.href).removeprefix("www.") in HOSTS and _PAGE.fullmatch(path_of(link.href).rstrip("/"))
    )
    organisers = [url for url in urls if "/o/" in url]
    return tuple(Sign(url=url) for url in organisers or urls)[:MOST]


def read(answer: Answer) -> AnswerContent:
    """Read events only, since they include their places and organisations."""
    if "ld+json" not in answer.text:
        raise NotThisPlatform("The page has no events in JSON-LD.")
    found = from_json_ld(HtmlPage(source_of(answer)))
    drafts = tuple(draft for draft in found.drafts if draft.kind == "event" and draft.fields.get("start"))
    if not drafts and any(draft.kind == "event" for draft in found.drafts):
        raise NotThisPlatform("The events on the page have no start.")
    return AnswerContent(drafts=drafts, contacts=found.contacts, problems=found.problems)


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
