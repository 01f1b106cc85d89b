"""A crawl stopped while it runs: no request after the one in flight, and stored pages stay."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.frontier import leases as lease
from gleanery.crawling.models import Crawl, Snapshot, Visit
from gleanery.crawling.visiting import crawl_stages as course
from gleanery.crawling.visiting import time_slice as slices
from gleanery.crawling.visiting.crawler import crawl_only
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.errors import Conflict
from gleanery.net.exchange import Request
from gleanery.review.sources import source_decisions

from .conftest import Resolve, approved, crawl
from .pages import Plan
from .sites import Sites, site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sites(reach: Resolve) -> Iterator[Sites]:
    with Sites(1, Plan(pages=60, latency=0.1)) as running:
        reach(running)
        yield running


def cancel(domain: Domain) -> None:
    services.cancel(system(), Crawl.objects.get(domain=domain), "Enough.")


def blacklist(domain: Domain) -> None:
    domains.blacklist(system(), domain.name, "It is spam.")


def suspend(domain: Domain) -> None:
    source_decisions.suspend(system(), Domain.objects.get(pk=domain.pk), "It is being rebuilt.")


@pytest.mark.parametrize(("stop", "rate"), [(cancel, 0), (blacklist, 0), (suspend, 0), (cancel, 1)])
def test_no_request_is_made_after_the_one_in_flight(sites: Sites, stop: Callable[[Domain], None], rate: int):
    domain = approved(site(0), crawl_rate_limit_seconds=rate)
    row = services.request_crawl(system(), domain)
    worker = threading.Thread(target=lambda: asyncio.run(crawl_only([row.pk])))
    worker.start()
    while len(sites.requests_of(site(0))) < 4:
        time.sleep(0.02)
    stop(domain)
    stopped = time.monotonic()
    worker.join(30)
    assert not worker.is_alive()
    time.sleep(1.2)
    assert [each for each in sites.requests_of(site(0)) if each.start > stopped + 0.05] == []
    row.refresh_from_db()
    assert row.status == "cancelled"
    assert Snapshot.objects.exists()
    domain.refresh_from_db()
    assert domain.processing_status == ("blacklisted" if stop is blacklist else "crawled")
    connection.close_if_unusable_or_obsolete()


def test_a_crawl_can_be_requested_again_after_it_was_cancelled(sites: Sites):
    domain = approved(site(0), max_crawl_depth=0)
    services.cancel(system(), services.request_crawl(system(), domain))
    assert crawl(domain).status == "completed"


def test_a_domain_that_was_just_stopped_gets_no_crawl_from_a_stale_copy():
    domain = approved("example.org")
    seen = Domain.objects.get(pk=domain.pk)
    source_decisions.suspend(system(), domain)
    with pytest.raises(Conflict, match="not approved"):
        services.request_crawl(system(), seen)
    with pytest.raises(Conflict, match="not approved"):
        services.request_pages(system(), seen, ["https://example.org/a"])
    Domain.objects.update(approval_status="pending_review")
    seen = Domain.objects.get(pk=domain.pk)
    source_decisions.reject(system(), seen, "It is spam.")
    seen.approval_status = "pending_review"
    assert services.preview(seen) is None
    assert not Crawl.objects.exists()


def test_a_site_that_stops_responding_is_given_up_however_short_the_slices_are(
    reach: Resolve, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(Request.__init__.__kwdefaults__, "deadline", 0.3)  # type: ignore[call-overload]
    with Sites(1, Plan(pages=30, fan_out=20)) as running:
        reach(running)
        domain = approved(site(0))
        crawl(domain)
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.1)
    with Sites(1, Plan(pages=30, latency=2)) as silent:
        reach(silent)
        row = crawl(domain, "deep")
    domain.refresh_from_db()
    assert (row.status, domain.processing_status) == ("failed", "processing_failed")
    assert row.end_reason.startswith("The site stopped answering.")
    assert row.visits.exclude(visited_at=None).count() == slices.MOST_DOWN


def test_pages_queued_twice_are_counted_once(sites: Sites):
    """As when somebody submits a page while a crawl is nearly done."""
    domain = approved(site(0), max_crawl_depth=1)
    row = crawl(domain)
    asked = Visit.objects.filter(crawl=row, kind="page", elapsed_ms__isnull=False).count()
    Crawl.objects.update(status="running")
    (taken,) = lease.claim(1)
    opened = course.open_crawl(taken)
    assert opened is not None
    course.reload(opened.frontier)
    assert opened.frontier.asked == asked > 1
