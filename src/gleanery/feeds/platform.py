"""The contract of a platform: how it shows itself on a page, and how its answer becomes observations. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from gleanery.extraction.draft import ContactDraft, Draft


@dataclass(frozen=True, slots=True)
class Link:
    """An element that points somewhere; `href` is absolute."""

    href: str
    rel: str = ""
    type: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """A page as platforms look at it. Addresses are absolute, header names lower case."""

    url: str
    html: str
    headers: Mapping[str, str]
    generator: str
    links: tuple[Link, ...]  # <a> and <link>
    frames: tuple[str, ...]  # <iframe src>
    scripts: tuple[str, ...]  # <script src>


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A feed that a page shows. A `guess` follows from a sign of the platform alone: it is probed once, politely.

    `covers` are other addresses on the page that bring the same things: they are not asked where this one answers.
    """

    url: str
    title: str = ""
    guess: bool = False
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a feed, as text. `country` and `language` are guesses from the source, empty if there are none."""

    url: str
    media_type: str
    text: str
    fetched: date
    country: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Things an answer brings. `follows` is the address of its next page, `ttl` how long it asks not to be asked."""

    drafts: tuple[Draft, ...] = ()
    contacts: tuple[ContactDraft, ...] = ()
    title: str = ""
    follows: str = ""
    ttl: timedelta | None = None
    problems: tuple[str, ...] = ()


class NotThisPlatform(ValueError):
    """The answer has another shape than this platform gives; its text says in one sentence what came instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """`name` is a code (`localist`), `label` what people call it, `accept` the Accept header of its requests.

    `shown_by` and `feed_at` say in words how a page gives it away and where its feed is. `hosts` serve the feeds of
    many sources and are never a source themselves; without them the feed is on the site's own host.
    """

    name: str
    label: str
    shown_by: str
    feed_at: str
    accept: str
    hosts: tuple[str, ...] = ()
    signs: Callable[[Markup], tuple[Sign, ...]]
    address: Callable[
        [str, date], str
    ]  # the feed's address -> what is asked on that day (a window of dates, a page size)
    read: Callable[[Answer], Reading]
