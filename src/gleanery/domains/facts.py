"""Facts of a domain that the API, commands and console show: its columns and derived figures."""

from __future__ import annotations

from typing import Any

from gleanery.domains.models import Domain
from gleanery.domains.quality import FIGURES

STANDING = ("id", "name", "registrable", "processing_status", "approval_status", "is_trusted")
SEEN = ("first_session", "discovered_at", "last_seen_at")
PROCESSED = ("processing_count", "last_processed_at", "last_crawled_at")
FAILED = ("failure_count", "failure_reason", "retry_after", "no_funds_year")
BLACKLISTED = ("blacklisted_at", "blacklisted_by", "blacklist_reason")
SUBMITTED = ("submitter_type", "submitted_by", "submission_context")
REVIEWED = ("reviewed_by", "reviewed_at", "rejection_reason")
PACE = ("max_crawl_depth", "crawl_rate_limit_seconds", "scrape_frequency_hours")
PEOPLE = ("blacklisted_by", "submitted_by", "reviewed_by")
FACTS = (*STANDING, *SEEN, *PROCESSED, *FAILED, *BLACKLISTED, *SUBMITTED, *REVIEWED, *PACE, "notes")


def facts_of(domain: Domain) -> dict[str, Any]:
    """Return the facts; derived figures only if the row was read with them."""
    shown = [*FACTS, *(each for each in FIGURES if hasattr(domain, each))]
    return {name: _plain(getattr(domain, name)) if name in PEOPLE else getattr(domain, name) for name in shown}


def _plain(person: Any) -> str | None:
    return str(person) if person else None
