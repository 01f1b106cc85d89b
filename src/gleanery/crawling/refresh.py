"""What is crawled without anybody asking: domains that are due, previews that wait, everything once a week."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db.models import DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import ExtractYear, Now

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.life import OPEN
from gleanery.crawling.models import Crawl, Visit
from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Domain
from gleanery.errors import Conflict

log = structlog.get_logger(__name__)

AT_ONCE = 200
VISITS_KEPT = timedelta(days=30)
HOUR = ExpressionWrapper(F("scrape_frequency_hours") * Value(timedelta(hours=1)), output_field=DurationField())


def approved() -> QuerySet[Domain]:
    """Those that may be crawled now: their rest after a failure, or their year without funds, is over."""
    rested = Q(retry_after=None) | Q(retry_after__lte=Now())
    has_funds = ~Q(processing_status="no_funds_this_year") | Q(no_funds_year__lt=ExtractYear(Now()))
    open_ones = Crawl.objects.filter(domain=OuterRef("pk"), status__in=OPEN)
    found = Domain.objects.filter(rested, has_funds, ~Exists(open_ones), approval_status="approved")
    return found.exclude(processing_status=BLACKLISTED)


def due() -> QuerySet[Domain]:
    """After a failure the rest decides, else the frequency that was set for the domain."""
    over = Q(last_crawled_at=None) | Q(last_crawled_at__lte=Now() - HOUR) | Q(processing_status="processing_failed")
    return approved().filter(over).order_by(F("last_crawled_at").asc(nulls_first=True), "id")


def start_due_crawls() -> int:
    return _start(due()[:AT_ONCE], "full")


def start_deep_crawls() -> int:
    """Every approved domain afresh, whatever is due."""
    return _start(approved().order_by("id"), "deep")


def start_waiting_previews() -> int:
    """Sources that got no preview when they came, because the day's were used up or previews were off."""
    seen = Crawl.objects.filter(domain=OuterRef("pk"), kind="preview")
    waiting = Domain.objects.filter(~Exists(seen), approval_status="pending_review").order_by("last_seen_at", "id")
    return sum(services.preview(domain) is not None for domain in waiting[: services.previews_left()])


def forget_old_visits() -> int:
    """What a crawl met is of use while people ask about it; pages and snapshots stay for ever."""
    over = Crawl.objects.filter(completed_at__lt=Now() - VISITS_KEPT)
    return Visit.objects.filter(crawl__in=over)._raw_delete(using="default")


def _start(domains: QuerySet[Domain], kind: str) -> int:
    """Each alone: a person may have been faster with one of them."""
    started = 0
    for domain in domains:
        try:
            services.ask(system(), domain, kind)
            started += 1
        except Conflict as problem:
            log.info("a crawl was not started", domain=domain.name, reason=str(problem))
    return started
