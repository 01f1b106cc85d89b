"""Addresses that people give: read now, with all the manners of a refresh, to see what they bring, and added."""

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
from gleanery.feeds.finding.choosing import host_of
from gleanery.feeds.models import Feed
from gleanery.feeds.platform import Platform
from gleanery.feeds.reading.crew import Crew
from gleanery.feeds.reading.errand import errand_for, errand_to
from gleanery.feeds.reading.gate import NotWanted
from gleanery.feeds.reading.harvest import NOTHING, Errand, Failed, Harvest
from gleanery.feeds.reading.parser import NoFeed
from gleanery.feeds.sample import sample_of
from gleanery.net.exchange import Response
from gleanery.net.target import web_target

Came = TypeVar("Came")
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """What an address brings. `problems` are sentences about what was left out."""

    url: str
    platform: Platform
    harvest: Harvest

    @property
    def label(self) -> str:
        return self.platform.label

    @property
    def drafts(self) -> list[Draft]:
        return list(self.harvest.drafts.values())

    def as_dict(self) -> dict[str, Any]:
        found = self.harvest
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
            "problems": found.told_problems,
        }


def check(url: str, domain: Domain | None = None) -> Checked:
    """What the first page of an address brings."""
    return run(errand_to(address_of(url), domain).sample())


def check_feed(feed: Feed) -> Checked:
    return run(replace(errand_for(feed.pk), before=NOTHING, most_pages=1))


def add(actor: Actor, domain: Domain, url: str) -> Feed:
    """The source shows it as its own, whatever host it is on; Invalid or Unfetched if it is no feed."""
    services.may_add(actor)
    found = check(url, domain)
    return services.add(actor, domain, found.url, host_of(found.url), found.platform.name, found.harvest.title)


def address_of(written: str) -> str:
    """webcal: is another word for https:."""
    scheme, colon, rest = written.strip().partition(":")
    url = f"https:{rest}" if colon and scheme.lower() in ("webcal", "webcals") else written.strip()
    try:
        return web_target(url).url
    except FetchError as problem:
        raise Invalid(str(problem)) from None


def run(errand: Errand, first: Response | None = None) -> Checked:
    """Unfetched or Invalid say in a sentence why there is nothing. `first` is an answer that is here already."""
    harvest = at_once(lambda crew: crew.read(errand, lambda: True, first))
    assert harvest.platform is not None  # noqa: S101 - something was read, by some platform
    return Checked(errand.url, harvest.platform, harvest)


def at_once(work: Callable[[Crew], Awaitable[Came]]) -> Came:
    """Somebody waits for it."""

    async def go() -> Came:
        async with Crew() as crew:
            return await work(crew)

    try:
        return asyncio.run(go())
    except NotWanted:
        raise Unfetched("Others ask its host just now: try again in a minute. Nothing was stored.") from None
    except Failed as problem:
        if isinstance(problem.__cause__, NoFeed):
            raise Invalid(_no_feed(problem.__cause__)) from None
        raise Unfetched(f"{problem} Nothing was stored.") from None


def _no_feed(problem: NoFeed) -> str:
    if not problem.shows:
        return f"This is no feed that can be read. {problem}"
    shown = "\n".join(problem.shows[:MOST_SHOWN])
    return f"This is a web page, no feed. It shows these, one of which may be what you want:\n{shown}"
