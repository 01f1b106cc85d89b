"""Fixtures for tests of feeds: sources on loopback, feeds, and readings without a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.environment import addresses
from gleanery.extraction.models import Observation
from gleanery.feeds.finding.candidates import host_of
from gleanery.feeds.models import Feed
from gleanery.feeds.reading.worker_loop import read_feeds_only
from tests.crawling.conftest import approved
from tests.feeds.hosts import Hosts, Web

TODAY = datetime.now(UTC).date()
Serve = Callable[[Web], Hosts]


@pytest.fixture
def serve(settings: Any) -> Iterator[Serve]:
    """Start hosts on loopback that are found by name."""
    with ExitStack() as stack:

        def begin(web: Web) -> Hosts:
            hosts = stack.enter_context(Hosts(web))
            settings.ENVIRONMENT = replace(settings.ENVIRONMENT, net_resolve=addresses(hosts.resolve))
            return hosts

        yield begin


def waiting(name: str) -> Domain:
    """Return an undecided source."""
    domain = registry.register(name)
    Domain.objects.filter(pk=domain.pk).update(
        approval_status="pending_review", processing_status="pending_crawl", crawl_rate_limit_seconds=0
    )
    domain.refresh_from_db()
    return domain


def feed_of(domain: Domain, url: str, platform: str = "icalendar", **facts: Any) -> Feed:
    """Return an approved feed that is due."""
    return Feed.objects.create(
        domain=domain, url=url, host=host_of(url), platform=platform, **{"state": "approved", **facts}
    )


def source_with(url: str, platform: str = "icalendar", name: str = "mill.example", **facts: Any) -> Feed:
    return feed_of(approved(name), url, platform, **facts)


def read(*feeds: Feed) -> None:
    """Read feeds as a worker does, and refresh the rows."""
    asyncio.run(read_feeds_only([each.pk for each in feeds]))
    connection.close_if_unusable_or_obsolete()
    for each in feeds:
        each.refresh_from_db()


def read_again(*feeds: Feed) -> None:
    """Make the feeds due and read them."""
    Feed.objects.filter(pk__in=[each.pk for each in feeds]).update(due_at=Now() - timedelta(seconds=1))
    read(*feeds)


def event_payloads(**wanted: Any) -> dict[str, dict[str, Any]]:
    """Return the current payloads of events by id."""
    rows = Observation.objects.filter(superseded_at=None, kind="event", **wanted)
    return {each.external_id: each.payload for each in rows}


def calendar(*events: tuple[str, str, int], **more: str) -> str:
    """Return a calendar of (uid, name, days from now); `more` are properties of each event."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Mill House"]
    for uid, name, ahead in events:
        start = f"{TODAY + timedelta(days=ahead):%Y%m%d}T190000Z"
        lines += ["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{name}", f"DTSTART:{start}"]
        lines += [f"{key}:{value}" for key, value in more.items()] + ["END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])
