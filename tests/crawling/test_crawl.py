"""Whole crawls of real sites on loopback, from the first request to the stored pages."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.crawling import numbers, services
from gleanery.crawling.models import Page, Robots, Site, Snapshot, Visit
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.errors import Conflict

from .conftest import Resolve, approved, crawl, finish
from .pages import Plan
from .sites import Sites, site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def sites(reach: Resolve) -> Iterator[Sites]:
    """Four sites: plain, with validators, with a sitemap, with a crawl delay."""
    plans = [
        Plan(pages=12, fan_out=3),
        Plan(pages=12, fan_out=3, validators=True, changes_every=3),
        Plan(pages=5, sitemap=True, orphans=3),
        Plan(pages=3, crawl_delay=0.4),
    ]
    with Sites(len(plans), plans) as running:
        reach(running)
        yield running


def paths(sites: Sites, host: str) -> Counter[str]:
    return Counter(each.path for each in sites.requests_of(host) if each.status)


def test_every_page_is_fetched_once_and_stored(sites: Sites):
    domain = approved(site(0))
    row = crawl(domain)
    assert (row.status, row.end_reason) == ("completed", "")
    asked = paths(sites, site(0))
    assert asked.pop("/robots.txt") == 1
    assert asked.pop("/sitemap.xml") == 1
    assert asked == dict.fromkeys(["/", *(f"/page/{number}" for number in range(1, 12))], 1)
    assert Snapshot.objects.count() == Page.objects.filter(current_snapshot__isnull=False).count() == 12
    domain.refresh_from_db()
    assert domain.processing_status == "crawled"
    assert domain.last_crawled_at is not None


def test_a_crawl_that_read_a_page_updates_when_the_domain_was_last_seen(sites: Sites):
    domain = approved(site(0))
    Domain.objects.update(last_seen_at=Now() - timedelta(days=400))
    row = crawl(domain)
    domain.refresh_from_db()
    assert row.started_at is not None
    assert domain.last_seen_at > row.started_at


def test_a_snapshot_keeps_the_bytes_the_text_and_the_metadata(sites: Sites):
    crawl(approved(site(0)))
    kept = Snapshot.objects.get(url=f"http://{site(0)}/page/3")
    raw = zlib.decompress(kept.raw)
    assert (len(raw), b"<title>Event 3 of" in raw) == (kept.raw_size, True)
    assert kept.title == f"Event 3 of {site(0)}, version 1"
    assert kept.text.startswith("# Event 3 of")
    assert (kept.content_type, kept.charset, kept.language) == ("text/html", "utf-8", "en")
    assert "Event" in kept.types
    assert kept.headers["content-type"].startswith("text/html")


def test_a_crawl_stops_at_its_maximum_depth(sites: Sites):
    crawl(approved(site(0), max_crawl_depth=0))
    assert set(paths(sites, site(0))) == {"/robots.txt", "/"}
    crawl(approved(site(0), max_crawl_depth=1), "deep")
    assert set(paths(sites, site(0))) == {"/robots.txt", "/", "/sitemap.xml", "/page/1", "/page/2", "/page/3"}


def test_a_crawl_stops_at_its_page_budget_and_reports_what_was_left_out(sites: Sites, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(services, "MOST_PAGES", 5)
    row = crawl(approved(site(0)))
    assert row.status == "completed"
    assert sum(count for path, count in paths(sites, site(0)).items() if path.startswith(("/page", "/?"))) <= 5
    left = Visit.objects.filter(crawl=row, state="refused", reason__contains="used up its 5 pages")
    assert left.exists()


def test_a_page_forbidden_by_robots_txt_is_reported_and_never_requested(sites: Sites):
    row = crawl(approved(site(0)))
    assert "/private/1" not in paths(sites, site(0))
    refused = Visit.objects.get(crawl=row, url__endswith="/private/1")
    assert (refused.state, refused.reason) == ("refused", "robots.txt asks us not to visit it.")
    assert Robots.objects.get(origin=f"http://{site(0)}").status == 200


def test_pages_listed_only_in_a_sitemap_are_found(sites: Sites):
    crawl(approved(site(2)))
    assert Page.objects.count() == 8


def test_an_unchanged_page_costs_one_conditional_request_and_no_snapshot(sites: Sites):
    domain = approved(site(1))
    crawl(domain)
    before = len(sites.requests_of(site(1)))
    row = crawl(domain, "deep")
    again = sites.requests_of(site(1))[before:]
    assert all(each.conditional and each.status == 304 for each in again if each.path.startswith("/page"))
    assert Snapshot.objects.count() == 12
    assert numbers.of_crawl(row.pk).states["unchanged"] == 12
    assert set(Page.objects.values_list("unchanged_count", flat=True)) == {1}


def test_a_clock_on_the_page_does_not_count_as_a_change(sites: Sites):
    """Site 0 sends no validators, and a different time in every footer."""
    domain = approved(site(0))
    crawl(domain)
    crawl(domain, "deep")
    assert Snapshot.objects.count() == 12


def test_a_changed_page_gets_a_new_snapshot_and_one_that_changes_back_the_old_one(sites: Sites):
    domain = approved(site(1))
    crawl(domain)
    first = dict(Page.objects.values_list("url", "current_snapshot"))
    sites.set_version(2)
    row = crawl(domain, "deep")
    assert numbers.of_crawl(row.pk).states["stored"] == 4  # every third of twelve
    assert Snapshot.objects.count() == 16
    sites.set_version(1)
    crawl(domain, "deep")
    assert Snapshot.objects.count() == 16
    assert dict(Page.objects.values_list("url", "current_snapshot")) == first


def test_a_page_that_is_not_due_is_skipped_by_a_full_crawl_and_visited_by_a_deep_one(sites: Sites):
    domain = approved(site(0))
    crawl(domain)
    Page.objects.exclude(url__endswith="/page/5").update(due_at=Now() + timedelta(days=3))
    Page.objects.filter(url__endswith="/page/5").update(due_at=Now())
    before = paths(sites, site(0))
    crawl(domain)
    asked = paths(sites, site(0)) - before
    assert set(asked) - {"/sitemap.xml"} == {"/", "/page/5"}
    before = paths(sites, site(0))
    crawl(domain, "deep")
    assert len(paths(sites, site(0)) - before) >= 12


def test_the_crawl_delay_of_robots_txt_is_kept(sites: Sites):
    crawl(approved(site(3)))
    asked = [each for each in sites.requests_of(site(3)) if each.status]
    assert len(asked) == 5
    assert all(later.start - earlier.end >= 0.4 for earlier, later in pairwise(asked))


def test_the_crawl_of_a_site_that_does_not_respond_fails_and_the_domain_rests(reach: Resolve, sites: Sites):
    sites.names.append("nobody.example.org")
    reach(sites)
    sites._process.kill()
    sites._process.wait()
    domain = approved("nobody.example.org")
    row = crawl(domain)
    domain.refresh_from_db()
    assert (row.status, domain.processing_status) == ("failed", "processing_failed")
    assert "could not be reached" in row.end_reason
    assert domain.retry_after is not None
    assert (domain.failure_count, domain.failure_reason) == (1, row.end_reason)


def test_a_person_can_start_a_crawl_while_the_domain_rests(sites: Sites, admin):
    domain = approved(site(0))
    Domain.objects.filter(pk=domain.pk).update(processing_status="processing")
    domain.refresh_from_db()
    domains.fail(system(), domain, "It was down.")
    domain.refresh_from_db()
    assert finish(services.request_crawl(admin, domain, "deep")).status == "completed"


def test_the_origin_that_responded_is_kept(sites: Sites):
    crawl(approved(site(0)))
    assert Site.objects.get().base == f"http://{site(0)}"
    assert Site.objects.get().lease is None


def test_one_crawl_at_a_time_for_each_domain(sites: Sites):
    domain = approved(site(0))
    services.request_crawl(system(), domain)
    with pytest.raises(Conflict, match="already being crawled"):
        services.request_crawl(system(), domain)


def test_only_approved_domains_are_crawled(sites: Sites):
    for status in ("none", "pending_review", "suspended"):
        with pytest.raises(Conflict, match="not approved"):
            services.request_crawl(system(), approved(site(0), approval_status=status))


def test_single_pages_are_fetched_without_following_links(sites: Sites):
    domain = approved(site(0))
    row = services.request_pages(system(), domain, [f"http://{site(0)}/page/2", f"http://{site(0)}/page/2#x"])
    assert finish(row).status == "completed"
    assert set(paths(sites, site(0))) == {"/robots.txt", "/page/2"}
    domain.refresh_from_db()
    assert domain.processing_status == "pending_crawl"


def test_a_page_submitted_with_https_is_read_where_the_site_answers(sites: Sites):
    """People leave out the scheme; this site has no https."""
    row = finish(services.request_pages(system(), approved(site(0)), [f"https://{site(0)}/page/2"]))
    assert row.status == "completed"
    assert set(paths(sites, site(0))) == {"/robots.txt", "/page/2"}
    states = dict(row.visits.values_list("url", "state"))
    assert states == {f"https://{site(0)}/page/2": "redirected", f"http://{site(0)}/page/2": "stored"}
    assert numbers.page_counts(row.domain_id) == {"pages": 1, "due": 0, "changed_last_time": 1}


def test_a_full_crawl_takes_over_single_pages_that_are_waiting(sites: Sites):
    domain = approved(site(0), max_crawl_depth=0)
    services.request_pages(system(), domain, [f"http://{site(0)}/page/2"])
    assert crawl(domain).status == "completed"
    assert set(paths(sites, site(0))) == {"/robots.txt", "/", "/page/2"}


def test_a_preview_visits_a_few_pages_and_leaves_the_domain_unchanged(sites: Sites, settings):
    domain = approved(site(0), approval_status="pending_review")
    row = services.preview(domain)
    assert row is not None
    assert finish(row).status == "completed"
    assert set(paths(sites, site(0))) == {"/robots.txt", "/", "/page/1", "/page/2", "/page/3"}
    domain.refresh_from_db()
    assert domain.processing_status == "pending_crawl"
    for status in ("approved", "suspended", "none"):
        assert services.preview(approved(site(1), approval_status=status)) is None
