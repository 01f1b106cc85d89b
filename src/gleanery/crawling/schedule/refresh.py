"""Scheduled crawls: due domains, waiting previews, and every approved domain once a week."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import structlog
from django.db.models import DurationField, Exists, ExpressionWrapper, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import ExtractYear, Now

from gleanery.accounts.actor import Actor, system
from gleanery.crawling import services
from gleanery.crawling.crawl_lifecycle import OPEN, WHOLE
from gleanery.crawling.models import Crawl, Visit
from gleanery.crawling.schedule import weekly
from gleanery.discovery.models import Session
from gleanery.discovery.services import renew
from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.errors import Conflict

log = structlog.get_logger(__name__)

AT_ONCE = 200
VISITS_KEPT = timedelta(days=30)


def _hours(frequency: F) -> Combinable:
    return ExpressionWrapper(frequency * Value(timedelta(hours=1)), output_field=DurationField())


def approved() -> QuerySet[Domain]:
    """Approved domains with no open crawl, back-off after a failure or year without funds."""
    rested = Q(retry_after=None) | Q(retry_after__lte=Now())
    has_funds = ~Q(processing_status="no_funds_this_year") | Q(no_funds_year__lt=ExtractYear(Now()))
    open_ones = Crawl.objects.filter(domain=OuterRef("pk"), status__in=OPEN)
    found = Domain.objects.filter(rested, has_funds, ~Exists(open_ones), approval_status="approved")
    return found.exclude(processing_status=BLACKLISTED)


def due() -> QuerySet[Domain]:
    """Domains due for a crawl, longest waiting first: by back-off after a failure, else by their frequency.

    A cancelled crawl postpones the next by that frequency too.
    """
    often = _hours(F("scrape_frequency_hours"))
    over = Q(last_crawled_at=None) | Q(last_crawled_at__lte=Now() - often) | Q(processing_status="processing_failed")
    since = Now() - _hours(OuterRef("scrape_frequency_hours"))
    cancelled = _cancelled().filter(domain=OuterRef("pk"), completed_at__gt=since)
    return approved().filter(over, ~Exists(cancelled)).order_by(F("last_crawled_at").asc(nulls_first=True), "id")


def _cancelled() -> QuerySet[Crawl]:
    return Crawl.objects.filter(kind__in=WHOLE, status="cancelled")


class NextCrawl(NamedTuple):
    """When a domain is crawled next; `at` is None if that is unknown or never."""

    at: datetime | None
    reason: str


def next_crawl(domain: Domain) -> NextCrawl:
    """Return when `due` will include this domain, and why not earlier."""
    if not services.may_crawl(domain):
        return NextCrawl(None, "It is not approved, so it is not crawled.")
    if domain.crawls.filter(status__in=OPEN).exists():
        return NextCrawl(None, "It is being crawled.")
    often = timedelta(hours=domain.scrape_frequency_hours)
    dates = [NextCrawl(domain.discovered_at, "It was never crawled.")]
    if domain.last_crawled_at and domain.processing_status != "processing_failed":
        reason = f"It is crawled every {domain.scrape_frequency_hours} hours."
        dates = [NextCrawl(domain.last_crawled_at + often, reason)]
    if domain.retry_after:
        dates.append(NextCrawl(domain.retry_after, f"It rests after a failure: {domain.failure_reason}"))
    if domain.no_funds_year:
        new_year = datetime(domain.no_funds_year + 1, 1, 1, tzinfo=UTC)
        dates.append(NextCrawl(new_year, "It has no funds this year."))
    if cancelled_at := _cancelled().filter(domain=domain).aggregate(at=Max("completed_at"))["at"]:
        dates.append(NextCrawl(cancelled_at + often, "Its last crawl was cancelled."))
    return max(dates)


def start_due_crawls() -> int:
    return _start(due()[:AT_ONCE], "full")


def start_deep_crawls(actor: Actor | None = None) -> int:
    """Start a deep crawl of every approved domain, as one session."""
    domains = approved().order_by("id")
    return _start(domains, "deep", weekly.session_of(actor or system())) if domains.exists() else 0


def start_waiting_previews() -> int:
    """Start previews of sources that got none when they came: the daily limit was used up or previews were off."""
    seen = Crawl.objects.filter(domain=OuterRef("pk"), kind="preview")
    waiting = Domain.objects.filter(~Exists(seen), approval_status="pending_review").order_by("last_seen_at", "id")
    return sum(services.preview(domain) is not None for domain in waiting[: services.previews_left()])


def forget_old_visits() -> int:
    """Delete the visits of crawls that ended 30 days ago; pages and snapshots stay for ever."""
    over = Crawl.objects.filter(completed_at__lt=Now() - VISITS_KEPT)
    return Visit.objects.filter(crawl__in=over)._raw_delete(using="default")


def _start(domains: QuerySet[Domain], kind: str, session: Session | None = None) -> int:
    """Start a crawl of each domain; skip those that somebody else just started."""
    started = 0
    for domain in domains:
        try:
            services.request_crawl(system(), domain, kind, session=session)
            started += 1
            if session is not None:
                renew(session)
        except Conflict as problem:
            log.info("a crawl was not started", domain=domain.name, reason=str(problem))
    return started
