"""Builds feed requests: address, platforms, country, and validators of the last answer."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from gleanery.domains.models import Domain
from gleanery.extraction.country import country_of
from gleanery.extraction.running.batch import topics_of
from gleanery.feeds.addresses import is_on
from gleanery.feeds.finding.candidates import GENERAL
from gleanery.feeds.models import Feed
from gleanery.feeds.platform import Platform
from gleanery.feeds.platforms import BY_NAME, PLATFORMS
from gleanery.feeds.reading import schedule
from gleanery.feeds.reading.download import FeedRequest, PreviousReading


def request_for_feed(feed_id: UUID) -> FeedRequest:
    """Return the request for a feed. Before its source is approved, only a sample is read."""
    feed = Feed.objects.select_related("domain").get(pk=feed_id)
    is_sample = feed.domain.approval_status != "approved"
    holds = feed.state == "approved" and feed.changed_at and feed.changed_at > datetime.now(UTC) - schedule.REREAD_AFTER
    before = (
        PreviousReading(feed.asked_url, feed.etag, feed.last_modified, bytes(feed.digest))
        if holds
        else PreviousReading()
    )
    feed_request = FeedRequest(
        url=feed.url, platforms=(BY_NAME[feed.platform],), country=country_for(feed.domain), before=before
    )
    return feed_request.sample() if is_sample else feed_request


def request_for_url(url: str, domain: Domain | None = None) -> FeedRequest:
    """Return the request for an address; its host may tell the platform."""
    own = tuple(each for each in PLATFORMS if each.hosts and is_on(url, *each.hosts))
    return FeedRequest(url=url, platforms=own or _on_any_host(), country=country_for(domain) if domain else "")


def country_for(domain: Domain) -> str:
    topics = topics_of(domain)
    return country_of(domain.name, otherwise=topics[0].country if len(topics) == 1 else "")


def _on_any_host() -> tuple[Platform, ...]:
    """Return platforms without own hosts, general formats first, which win ties."""
    return (*GENERAL, *(each for each in PLATFORMS if not each.hosts and each not in GENERAL))
