"""What is asked of a feed: its address, its platform, and the validators of the last answer while these hold."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from gleanery.domains.models import Domain
from gleanery.extraction.country import country_of
from gleanery.extraction.running.batch import topics_of
from gleanery.feeds.addresses import is_on
from gleanery.feeds.finding.choosing import GENERAL
from gleanery.feeds.models import Feed
from gleanery.feeds.platform import Platform
from gleanery.feeds.platforms import BY_NAME, PLATFORMS
from gleanery.feeds.reading import due
from gleanery.feeds.reading.harvest import Before, Errand


def errand_for(feed_id: UUID) -> Errand:
    """While nobody has approved its source, the first page is enough for a sample."""
    feed = Feed.objects.select_related("domain").get(pk=feed_id)
    is_sample = feed.domain.approval_status != "approved"
    holds = feed.state == "approved" and feed.changed_at and feed.changed_at > datetime.now(UTC) - due.AFRESH
    before = Before(feed.asked_url, feed.etag, feed.last_modified, bytes(feed.digest)) if holds else Before()
    errand = Errand(url=feed.url, platforms=(BY_NAME[feed.platform],), country=country_for(feed.domain), before=before)
    return errand.sample() if is_sample else errand


def errand_to(url: str, domain: Domain | None = None) -> Errand:
    """An address that somebody gives: whose it is tells the host, else the answer."""
    own = tuple(each for each in PLATFORMS if each.hosts and is_on(url, *each.hosts))
    return Errand(url=url, platforms=own or _on_any_host(), country=country_for(domain) if domain else "")


def country_for(domain: Domain) -> str:
    topics = topics_of(domain)
    return country_of(domain.name, otherwise=topics[0].country if len(topics) == 1 else "")


def _on_any_host() -> tuple[Platform, ...]:
    """The general ones first: what they read as well as any other is called by their name."""
    return (*GENERAL, *(each for each in PLATFORMS if not each.hosts and each not in GENERAL))
