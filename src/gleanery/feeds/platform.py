"""Interface of a platform: signs on a page, request address, parsing of the answer. Pure."""

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
    """Parts of a page that platforms look at. Addresses are absolute, header names lower case."""

    url: str
    html: str
    headers: Mapping[str, str]
    generator: str
    links: tuple[Link, ...]  # <a> and <link>
    frames: tuple[str, ...]  # <iframe src>
    scripts: tuple[str, ...]  # <script src>


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A feed shown on a page. A `guess` is derived from the platform and tested once.

    `covers` are other addresses with the same events, which are not read while this one works.
    """

    url: str
    title: str = ""
    guess: bool = False
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of a feed. `country` and `language` are guessed from the source, or empty."""

    url: str
    media_type: str
    text: str
    fetched: date
    country: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerContent:
    """Parsed answer. `follows` is the address of the next page, `ttl` the requested refresh interval."""

    drafts: tuple[Draft, ...] = ()
    contacts: tuple[ContactDraft, ...] = ()
    title: str = ""
    follows: str = ""
    ttl: timedelta | None = None
    problems: tuple[str, ...] = ()


class NotThisPlatform(ValueError):
    """Raised if the answer is not in the format of the platform; the message describes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """`name` is a code (`localist`), `label` what people call it, `accept` the Accept header of its requests.

    `shown_by` and `feed_at` document the signs on a page and the address of the feed. `hosts` serve feeds of many
    sources; without them the feed is on the host of the site.
    """

    name: str
    label: str
    shown_by: str
    feed_at: str
    accept: str
    hosts: tuple[str, ...] = ()
    signs: Callable[[Markup], tuple[Sign, ...]]
    address: Callable[[str, date], str]  # feed address -> request address on that day (date window, page size)
    read: Callable[[Answer], AnswerContent]
