"""Scheduled crawls and previews, and which visits are deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.crawling import numbers, services
from gleanery.crawling.frontier import statements as storage
from gleanery.crawling.models import Crawl, Page, Snapshot, Visit
from gleanery.crawling.schedule import refresh
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from tests.crawling.conftest import Resolve, approved, crawl, finish
from tests.crawling.pages import Plan
from tests.crawling.sites import Sites, site

pytestmark = pytest.mark.django_db(transaction=True)


def ago(**span: float) -> datetime:
    return datetime.now(UTC) - timedelta(**span)


def ended(domain: Domain, status: str, kind: str = "full", **facts: Any) -> Crawl:
    """A finished crawl that ended some time ago."""
    given = {"max_depth": 3, "max_pages": 500, "end_reason": "It was a test.", "asked_by": system().user}
    return Crawl.objects.create(domain=domain, kind=kind, status=status, **{**given, **facts})


def failed(name: str, retry_after: datetime) -> Domain:
    return approved(
        name,
        processing_status="processing_failed",
        discovered_at=ago(days=10),
        failure_reason="It was down.",
        last_processed_at=ago(days=9),
        retry_after=retry_after,
    )


def no_funds(name: str, year: int) -> Domain:
    return approved(name, processing_status="no_funds_this_year", no_funds_year=year, last_crawled_at=ago(days=300))


def cancelled(name: str, at: datetime) -> Domain:
    domain = approved(name)
    ended(domain, "cancelled", completed_at=at)
    return domain


def being_crawled(name: str) -> Domain:
    domain = approved(name)
    services.request_crawl(system(), domain)
    return domain


def blacklisted(name: str) -> Domain:
    domain = approved(name)
    domains.blacklist(system(), name, "a test")
    domain.refresh_from_db()
    return domain


THIS_YEAR = datetime.now(UTC).year
CASES: list[tuple[str, Callable[[str], Domain], bool, str]] = [
    ("never crawled", approved, True, "It was never crawled."),
    ("a day ago", lambda name: approved(name, last_crawled_at=ago(hours=25)), True, "every 24 hours"),
    ("an hour ago", lambda name: approved(name, last_crawled_at=ago(hours=1)), False, "every 24 hours"),
    (
        "an hour ago, each hour",
        lambda name: approved(name, last_crawled_at=ago(hours=1.1), scrape_frequency_hours=1),
        True,
        "every 1 hours",
    ),
    ("rested", lambda name: failed(name, ago(hours=1)), True, "rests after a failure: It was down."),
    ("resting", lambda name: failed(name, ago(hours=-1)), False, "rests after a failure: It was down."),
    ("no funds in this year", lambda name: no_funds(name, THIS_YEAR), False, "no funds this year"),
    ("no funds last year", lambda name: no_funds(name, THIS_YEAR - 1), True, ""),
    ("cancelled", lambda name: cancelled(name, ago(hours=1)), False, "was cancelled"),
    ("cancelled long ago", lambda name: cancelled(name, ago(hours=25)), True, ""),
    ("being crawled", being_crawled, False, "It is being crawled."),
    ("blacklisted", blacklisted, False, "not approved"),
    *(
        (status, lambda name, status=status: approved(name, approval_status=status), False, "not approved")
        for status in ("none", "pending_review", "suspended")
    ),
]


@pytest.mark.parametrize(("make", "is_due", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_due_domains_and_the_date_shown_agree(make: Callable[[str], Domain], is_due: bool, reason: str) -> None:
    domain = make("iskra.bg")
    assert refresh.due().filter(pk=domain.pk).exists() == is_due
    upcoming = refresh.next_crawl(domain)
    assert (upcoming.at is not None and upcoming.at <= datetime.now(UTC)) == is_due
    assert reason in upcoming.reason
    assert refresh.start_due_crawls() == is_due
    assert Crawl.objects.filter(domain=domain, status="waiting", kind="full").exists() == (
        is_due or make is being_crawled
    )


def test_the_longest_waiting_domains_come_first_a_limited_number_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "AT_ONCE", 2)
    for name, days in (("two.bg", 2), ("nine.bg", 9), ("three.bg", 3)):
        approved(name, last_crawled_at=ago(days=days))
    approved("never.bg")
    assert [domain.name for domain in refresh.due()] == ["never.bg", "nine.bg", "three.bg", "two.bg"]
    assert refresh.start_due_crawls() == 2
    assert [domain.name for domain in refresh.due()] == ["three.bg", "two.bg"]


def test_once_a_week_every_approved_domain_is_crawled_in_full() -> None:
    approved("today.bg", last_crawled_at=ago(hours=1)), approved("never.bg"), being_crawled("busy.bg")
    approved("suspended.bg", approval_status="suspended"), failed("resting.bg", ago(hours=-1)), blacklisted("bad.bg")
    assert refresh.start_deep_crawls() == 2
    assert set(Crawl.objects.filter(kind="deep").values_list("domain__name", flat=True)) == {"today.bg", "never.bg"}


def test_waiting_sources_are_previewed_once_each_within_the_daily_limit(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    assert services.PREVIEWS_A_DAY == 200
    monkeypatch.setattr(services, "PREVIEWS_A_DAY", 3)
    for number in range(5):
        approved(f"waits{number}.bg", approval_status="pending_review")
    approved("approved.bg"), approved("rejected.bg", approval_status="rejected", rejection_reason="no")
    ended(approved("seen.bg", approval_status="pending_review"), "completed", "preview", completed_at=Now())
    assert refresh.start_waiting_previews() == 2, "one of the three of today was had already"
    assert refresh.start_waiting_previews() == 0
    Crawl.objects.update(created_at=ago(days=1), status="completed", completed_at=Now())
    assert refresh.start_waiting_previews() == 3
    Crawl.objects.update(created_at=ago(days=1), status="completed", completed_at=Now())
    assert refresh.start_waiting_previews() == 0, "each had its preview"
    assert set(Crawl.objects.values_list("kind", "max_depth", "max_pages")) == {("preview", 1, 10), ("preview", 3, 500)}


def page(domain: Domain, url: str, **facts: Any) -> Page:
    made = Page.objects.create(domain=domain, url=url, depth=1, **facts)
    kept = Snapshot.objects.create(
        page=made, url=url, content_hash=b"h" * 32, content_type="text/html", raw=b"x", raw_size=1
    )
    Page.objects.filter(pk=made.pk).update(current_snapshot=kept)
    return made


def test_old_visits_are_deleted_and_their_pages_stay() -> None:
    domain = approved("iskra.bg")
    kept = page(domain, "https://iskra.bg/").snapshots.get()
    for days in (29, 31):
        old = ended(domain, "completed", completed_at=ago(days=days))
        Visit.objects.create(crawl=old, url="https://iskra.bg/", depth=0, state="stored", snapshot=kept)
    running = services.request_crawl(system(), domain)
    Visit.objects.create(crawl=running, url="https://iskra.bg/", depth=0)
    assert refresh.forget_old_visits() == 1
    assert Visit.objects.count() == 2
    assert (Crawl.objects.count(), Page.objects.count(), Snapshot.objects.count()) == (3, 1, 1)


def test_pages_that_yielded_nothing_in_ninety_days_are_unproductive() -> None:
    domain, other = approved("iskra.bg"), approved("other.bg")
    long_known = {"first_fetched_at": ago(days=100), "last_fetched_at": ago(days=2)}
    page(domain, "https://iskra.bg/never", **long_known)
    page(domain, "https://iskra.bg/once", **long_known, yielded_at=ago(days=91))
    page(domain, "https://iskra.bg/good", **long_known, yielded_at=ago(days=3))
    page(domain, "https://iskra.bg/new", first_fetched_at=ago(days=80))
    page(domain, "https://iskra.bg/forgotten", first_fetched_at=ago(days=200), last_fetched_at=ago(days=95))
    page(other, "https://other.bg/never", **long_known)
    assert numbers.unproductive(domain.pk) == ["https://iskra.bg/never", "https://iskra.bg/once"]


def test_the_refresh_plan_lists_when_every_page_is_due_and_why() -> None:
    domain = approved("iskra.bg")
    page(domain, "https://iskra.bg/later", due_at=ago(days=-2), due_reason="It did not change.")
    now = datetime.now(UTC)
    page(domain, "https://iskra.bg/now", due_at=ago(hours=1), last_fetched_at=now, last_changed_at=now)
    page(approved("other.bg"), "https://other.bg/")
    plan = numbers.refresh_plan(domain.pk)
    assert [each["url"] for each in plan] == ["https://iskra.bg/now", "https://iskra.bg/later"]
    assert plan[1]["due_reason"] == "It did not change."
    assert numbers.refresh_plan(domain.pk, 1) == plan[:1]
    assert numbers.page_counts(domain.pk) == {"pages": 2, "due": 1, "changed_last_time": 1}


def test_the_rate_is_that_of_the_last_minute_and_needs_more_than_one_visit() -> None:
    row, start = ended(approved("iskra.bg"), "completed"), ago(hours=1)
    assert numbers.of_crawl(row.pk).pages_a_second == 0.0
    for number, second in enumerate((-600, 0, 1, 2, 3, 4)):
        at = start + timedelta(seconds=second)
        Visit.objects.create(crawl=row, url=f"https://iskra.bg/{number}", depth=0, state="stored", visited_at=at)
        expected = 0.0 if number < 2 else 1.0
        assert numbers.of_crawl(row.pk).pages_a_second == expected


def test_the_hot_statements_use_their_indexes() -> None:
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE page, visit CASCADE")  # PostgreSQL forgets what other tests had it count
    domain = approved("iskra.bg")
    for statement, index in (
        (numbers.UNPRODUCTIVE, "page_due"),
        (storage.KNOWN, "page_due"),
        (storage.QUEUED, "visit_queued"),
        (storage.SEEN, "visit_once"),
        (numbers.RATE, "visit_once"),
    ):
        plan = plan_of(statement, domain.pk)
        assert index in plan, plan
        assert "Seq Scan" not in plan


def plan_of(statement: str, subject: UUID) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        try:
            cursor.execute("EXPLAIN " + statement, {"domain": subject, "crawl": subject, "most": 10})
            return "\n".join(line for (line,) in cursor.fetchall())
        finally:
            cursor.execute("RESET enable_seqscan")


# ---- pages that were seen, and links that were not


@pytest.fixture(params=[True, False], ids=["validators", "no validators"])
def sites(request: pytest.FixtureRequest, reach: Resolve) -> Iterator[Sites]:
    """A site of four levels, with three links per page."""
    with Sites(1, Plan(pages=20, fan_out=3, validators=request.param)) as running:
        reach(running)
        yield running


def test_the_first_crawl_finds_the_pages_a_preview_left_out(sites: Sites) -> None:
    domain = approved(site(0), approval_status="pending_review")
    looked_at = services.preview(domain)
    assert looked_at is not None
    finish(looked_at)
    assert Page.objects.count() == 4
    Domain.objects.update(approval_status="approved")
    crawl(domain)
    assert Page.objects.count() == 20
    assert Snapshot.objects.count() == 20


def test_a_crawl_deeper_than_the_last_finds_the_deeper_pages(sites: Sites) -> None:
    domain = approved(site(0), max_crawl_depth=1)
    crawl(domain)
    assert Page.objects.count() == 4
    Domain.objects.update(max_crawl_depth=3)
    crawl(domain)
    assert Page.objects.count() == 20


def test_the_crawl_after_a_cancelled_one_finds_the_remaining_pages(sites: Sites) -> None:
    domain = approved(site(0), max_crawl_depth=1)
    crawl(domain)
    Crawl.objects.update(status="cancelled", max_depth=3)
    Domain.objects.update(max_crawl_depth=3)
    crawl(domain)
    assert Page.objects.count() == 20


def test_pages_beyond_the_budget_of_one_crawl_are_found_by_the_next_ones(
    sites: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_PAGES", 8)
    domain = approved(site(0))
    for known in (8, 15, 20):
        crawl(domain)  # nothing is due yet but the homepage, which has not changed
        assert Page.objects.count() == known
    assert crawl(domain).visits.filter(kind="page", elapsed_ms__isnull=False).count() == 1


def test_a_domain_that_was_only_discovered_is_not_crawled() -> None:
    registry.register("found.bg")
    assert (refresh.start_due_crawls(), refresh.start_deep_crawls(), refresh.start_waiting_previews()) == (0, 0, 0)
