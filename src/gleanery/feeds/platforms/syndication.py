"""Linked RSS and Atom feeds, used if their items have event dates."""

from __future__ import annotations

from functools import partial

from gleanery.feeds.addresses import absolute, unchanged
from gleanery.feeds.answers.syndication import ACCEPT, read_syndication
from gleanery.feeds.platform import Link, Markup, Platform, Sign

MOST = 5
TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")


def signs(markup: Markup) -> tuple[Sign, ...]:
    """Return linked feeds as guesses, since only their items show if there are dates."""
    found: dict[str, Sign] = {}
    for link in markup.links:
        url = absolute(markup.url, link.href) if _is_feed(link) else ""
        if url:
            found.setdefault(url, Sign(url=url, title=link.text, guess=True))
    return tuple(found.values())[:MOST]


def _is_feed(link: Link) -> bool:
    named = link.type.lower().partition(";")[0].strip() in TYPES
    return named and "comment" not in f"{link.href} {link.text}".lower()


SYNDICATION = Platform(
    name="syndication",
    label="RSS or Atom",
    shown_by="a link to a feed of type RSS, Atom or RDF",
    feed_at="as linked, if its items say when they take place",
    accept=ACCEPT,
    signs=signs,
    address=unchanged,
    read=partial(read_syndication, form="syndication"),
)
