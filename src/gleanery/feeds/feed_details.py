"""Details of a feed for the dossier, the command line and the API."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from gleanery.domains.names import domain_of
from gleanery.feeds.models import Feed


def feed_details(feed: Feed) -> dict[str, Any]:
    return {
        "id": str(feed.pk),
        "url": feed.url,
        "host": feed.host,
        "platform": feed.platform,
        "label": feed.label,
        "title": feed.title,
        "found_on": feed.found_on,
        "state": feed.state,
        "sentence": status_sentence(feed),
        "events": feed.brings,
        "sample": feed.sample,
        "problems": feed.problems,
        "read_at": feed.read_at,
        "due_at": feed.due_at,
        "failures": feed.failures,
    }


def status_sentence(feed: Feed) -> str:
    """Return the last result as a sentence."""
    if feed.state in ("stopped", "removed") and feed.state_reason:
        return feed.state_reason
    if feed.asked_at is None:
        return "It will be read soon." if feed.state in ("found", "approved") else "It has not been read."
    return feed.answer


def select_feeds(domain: str | None = None, state: str | None = None, platform: str | None = None) -> QuerySet[Feed]:
    """Return feeds by source, state and platform. Removed feeds only if asked for."""
    rows = Feed.objects.select_related("domain")
    rows = rows.filter(state=state) if state else rows.exclude(state="removed")
    rows = rows.filter(domain__name=domain_of(domain).name) if domain else rows
    return rows.filter(platform=platform) if platform else rows
