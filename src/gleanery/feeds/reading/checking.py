"""Tests and adds feeds by address, with the same rules as a regular reading."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gleanery.accounts.actor import Actor
from gleanery.domains.models import Domain
from gleanery.errors import FetchError, Invalid, Unfetched
from gleanery.extraction.draft import Draft
from gleanery.feeds import services
from gleanery.feeds.finding.candidates import host_of
from gleanery.feeds.models import Feed
from gleanery.feeds.platform import Platform
from gleanery.feeds.reading.download import NO_PREVIOUS, FeedContent, FeedRequest, ReadingFailed
from gleanery.feeds.reading.feed_client import FeedClient
from gleanery.feeds.reading.host_access import NotWanted
from gleanery.feeds.reading.parser import NotAFeed
from gleanery.feeds.reading.requests import request_for_feed, request_for_url
from gleanery.feeds.sample import sample_of
from gleanery.net.exchange import Response
from gleanery.net.target import web_target

Result = TypeVar("Result")
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class CheckedFeed:
    """Result of testing an address."""

    url: str
    platform: Platform
    content: FeedContent

    @property
    def label(self) -> str:
        return self.platform.label

    @property
    def drafts(self) -> list[Draft]:
        return list(self.content.drafts.values())

    def as_dict(self) -> dict[str, Any]:
        found = self.content
        return {
            "url": self.url,
            "platform": self.platform.name,
            "label": self.platform.label,
            "title": found.title,
            "events": len(found.drafts),
            "pages": found.pages,
            "size": found.size,
            "ttl_seconds": round(found.ttl.total_seconds()) if found.ttl else None,
            "sample": sample_of(self.drafts, MOST_SHOWN),
            "problems": found.problem_list,
        }


def check(url: str, domain: Domain | None = None) -> CheckedFeed:
    """Read the first page of an address without storing anything."""
    return run(request_for_url(address_of(url), domain).sample())


def check_feed(feed: Feed) -> CheckedFeed:
    return run(replace(request_for_feed(feed.pk), before=NO_PREVIOUS, most_pages=1))


def add(actor: Actor, domain: Domain, url: str) -> Feed:
    """Add a feed to a source, on any host. Raises Invalid or Unfetched if it is not a feed."""
    services.may_add(actor)
    found = check(url, domain)
    return services.add(actor, domain, found.url, host_of(found.url), found.platform.name, found.content.title)


def address_of(written: str) -> str:
    """Return the normalised address; webcal: is read as https:. Raises Invalid."""
    scheme, colon, rest = written.strip().partition(":")
    url = f"https:{rest}" if colon and scheme.lower() in ("webcal", "webcals") else written.strip()
    try:
        return web_target(url).url
    except FetchError as problem:
        raise Invalid(str(problem)) from None


def run(feed_request: FeedRequest, first: Response | None = None) -> CheckedFeed:
    """Read a feed now. Raises Unfetched or Invalid. `first` is an answer already fetched."""
    content = run_now(lambda feed_client: feed_client.read(feed_request, lambda: True, first))
    assert content.platform is not None  # noqa: S101 - set by a successful reading
    return CheckedFeed(feed_request.url, content.platform, content)


def run_now(work: Callable[[FeedClient], Awaitable[Result]]) -> Result:
    """Run work now and translate its errors for a waiting user."""

    async def go() -> Result:
        async with FeedClient() as feed_client:
            return await work(feed_client)

    try:
        return asyncio.run(go())
    except NotWanted:
        raise Unfetched("The host is busy with other requests. Nothing was stored; try again in a minute.") from None
    except ReadingFailed as problem:
        if isinstance(problem.__cause__, NotAFeed):
            raise Invalid(_no_feed(problem.__cause__)) from None
        raise Unfetched(f"{problem} Nothing was stored.") from None


def _no_feed(problem: NotAFeed) -> str:
    if not problem.shows:
        return f"This is not a readable feed. {problem}"
    shown = "\n".join(problem.shows[:MOST_SHOWN])
    return f"This is a web page, not a feed. It links to these feeds:\n{shown}"
