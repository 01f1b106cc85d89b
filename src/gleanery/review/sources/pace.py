"""Crawl settings of a source: depth, rate and frequency, with their limits."""

from __future__ import annotations

from typing import Any

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.domains.models import Domain
from gleanery.errors import Invalid

#         short name -> its column, the least, the most, and what it is
LIMITS = {
    "depth": ("max_crawl_depth", 0, 6, "The depth of a crawl", "links from the homepage"),
    "rate": ("crawl_rate_limit_seconds", 1, 3600, "The pause between two requests", "seconds"),
    "frequency": ("scrape_frequency_hours", 1, 8760, "The time between two crawls", "hours"),
}


def settings_of(domain: Domain) -> dict[str, int]:
    return {short: getattr(domain, column) for short, (column, *_) in LIMITS.items()}


def change(actor: Actor, domain: Domain, **given: int | None) -> Domain:
    """Change the settings that are given and differ. The caller holds a transaction and the lock on the domain."""
    wanted = {LIMITS[short][0]: _checked(short, value) for short, value in given.items() if value is not None}
    changes: dict[str, Any] = {name: value for name, value in wanted.items() if getattr(domain, name) != value}
    if changes:
        before = {name: getattr(domain, name) for name in changes}
        Domain.objects.filter(pk=domain.pk).update(**changes)
        journal.write(actor, "configure", domain, before=before, after=changes)
        domain.refresh_from_db()
    return domain


def _checked(short: str, value: int) -> int:
    _, least, most, what, unit = LIMITS[short]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Invalid(f"{what} must be a whole number from {least} to {most} {unit}. Nothing was changed.")
    return value
