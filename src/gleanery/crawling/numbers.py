"""Figures about crawls, derived from their visits, and about the pages of a domain."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Now

from gleanery.crawling.crawl_lifecycle import VISIT_STATES
from gleanery.crawling.frontier.leases import rows
from gleanery.crawling.models import Page, Snapshot, Visit
from gleanery.crawling.rendering.script_detection import NEEDS_BROWSER, WANTED
from gleanery.environment import variable_of
from gleanery.text import counted

LAST = 10

# Addresses finished in the last minute of the crawl, and the seconds between the first and the last of them.
RATE = """
    SELECT count(*), extract(epoch FROM max(visited_at) - min(visited_at)) FROM visit
    WHERE crawl_id = %(crawl)s AND visited_at > (
        SELECT max(visited_at) - interval '60 seconds' FROM visit WHERE crawl_id = %(crawl)s
    )
"""
# Seed 004: addresses that were visited within 90 days and yielded nothing in that time. Index: page_due.
UNPRODUCTIVE = """
    SELECT page.url FROM page JOIN snapshot ON snapshot.page_id = page.id
    WHERE page.domain_id = %(domain)s AND page.last_fetched_at > now() - interval '90 days'
    GROUP BY page.id, page.url
    HAVING page.first_fetched_at < now() - interval '90 days'
       AND coalesce(page.yielded_at < now() - interval '90 days', true)
    ORDER BY page.url
"""


@dataclass(frozen=True, slots=True)
class CrawlNumbers:
    """`states` counts the visits by state; their sum is every address that the crawl found."""

    states: dict[str, int]
    pages_a_second: float
    bytes: int
    reasons: list[dict[str, Any]] = field(default_factory=list)
    last: list[dict[str, Any]] = field(default_factory=list)

    @property
    def visited(self) -> int:
        return sum(count for state, count in self.states.items() if state != "queued")

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "visited": self.visited}


def of_crawl(crawl: UUID) -> CrawlNumbers:
    visits = Visit.objects.filter(crawl=crawl)
    counted = {row["state"]: row["n"] for row in visits.values("state").annotate(n=Count("id"))}
    ((done, seconds),) = rows(RATE, crawl=crawl)
    explained = visits.filter(Q(state__in=("refused", "failed")) | Q(reason=NEEDS_BROWSER)).values("state", "reason")
    last = visits.filter(visited_at__isnull=False).order_by("-visited_at")
    return CrawlNumbers(
        states={state: counted.get(state, 0) for state in VISIT_STATES},
        pages_a_second=round((done - 1) / float(seconds), 1) if seconds else 0.0,
        bytes=visits.aggregate(total=Sum("size", default=0))["total"],
        reasons=[dict(row) for row in explained.annotate(count=Count("id")).order_by("-count", "reason")[:LAST]],
        last=[dict(row) for row in last.values("url", "state", "status", "reason", "visited_at")[:LAST]],
    )


def refresh_plan(domain: UUID, most: int = 100) -> list[dict[str, Any]]:
    """Return when each page is next due, and why, soonest first."""
    shown = ("url", "due_at", "due_reason", "last_fetched_at", "last_changed_at", "last_status", "unchanged_count")
    pages = Page.objects.filter(domain=domain).order_by("due_at", "url")
    return [dict(row) for row in pages.values(*shown)[:most]]


def unproductive(domain: UUID) -> list[str]:
    return [url for (url,) in rows(UNPRODUCTIVE, domain=domain)]


def page_counts(domain: UUID) -> dict[str, int]:
    return Page.objects.filter(domain=domain).aggregate(
        pages=Count("id"),
        due=Count("id", filter=Q(due_at__lte=Now())),
        changed_last_time=Count("id", filter=Q(last_changed_at=F("last_fetched_at"))),
    )


def made_by_scripts(domain: UUID) -> str:
    """Return a sentence on pages that need a browser, and what to do about them; "" if there are none."""
    now = Snapshot.objects.filter(pk__in=Page.objects.filter(domain=domain).values("current_snapshot"))
    pages, wanted = now.count(), now.filter(rendering=WANTED).count()
    if not wanted:
        return ""
    summary = f"{wanted} of {counted(pages, 'page')} {'has' if wanted == 1 else 'have'} hardly any text and"
    summary += " loads scripts" if wanted == 1 else " load scripts"
    if settings.ENVIRONMENT.browser:
        return (
            f"{summary}, but no browser has rendered {'it' if wanted == 1 else 'them'} yet. The worker's log says why."
        )
    return f"{summary}. Set {variable_of('browser')}=on to read more of them."
