"""Many workers at once, some killed, paused or cut off, checked against the logs of the sites."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise

import pytest
from django.db import connection, transaction

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.crawl_lifecycle import OPEN
from gleanery.crawling.models import Crawl, Page, Snapshot, Visit
from gleanery.domains.models import Domain
from tests.crawling.conftest import approved
from tests.crawling.pages import Plan, path
from tests.crawling.serving import Logged
from tests.crawling.sites import Sites, site
from tests.crawling.workers import Worker, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

KILLS = 20
LEASE = 3.0
# Clocks of two processes, and a connection that is new beside one that is kept.
JITTER = 0.05


def ask(domain: Domain) -> Crawl:
    return services.request_crawl(system(), domain, "full")


def none_open() -> bool:
    return not Crawl.objects.filter(status__in=OPEN).exists()


def overlaps(requests: list[Logged]) -> list[tuple[Logged, Logged]]:
    return [(earlier, later) for earlier, later in pairwise(requests) if later.start < earlier.end]


def gaps(requests: list[Logged]) -> Iterator[float]:
    return (later.start - earlier.start for earlier, later in pairwise(requests))


def test_four_workers_ask_forty_sites_one_by_one_and_with_the_delay_between() -> None:
    """Half of the delays are set in robots.txt, half on the domain. Slices are short, so sites change workers."""
    plans = [Plan(pages=4, latency=0.05, crawl_delay=1 if index % 2 else None) for index in range(40)]
    with Sites(40, plans) as sites, ExitStack() as stack:
        workers = [
            stack.enter_context(Worker(sites, f"worker{n}", visiting__time_slice__SLICE_SECONDS=0.5)) for n in range(4)
        ]
        for worker in workers:
            worker.go()
        with transaction.atomic():  # else the refresh of a worker might find one approved and be faster
            for index in range(40):
                ask(approved(site(index), crawl_rate_limit_seconds=0 if index % 2 else 1))
        wait_for(none_open, 120)
        asked = {site(index): sites.requests_of(site(index)) for index in range(40)}

    for host, requests in asked.items():
        assert Counter(each.path for each in requests if each.path not in ("/robots.txt", "/sitemap.xml")) == {
            path(number): 1 for number in range(4)
        }, host
        assert not overlaps(requests), host
    for index in range(40):
        # robots.txt is what brings the delay, so it holds from the next request on.
        known = asked[site(index)][1:] if index % 2 else asked[site(index)]
        assert min(gaps(known)) >= 1 - JITTER, site(index)
    hands = [{each.agent for each in requests} for requests in asked.values()]
    assert len(set().union(*hands)) == 4, "every worker took part"
    assert any(len(each) > 1 for each in hands), "a site went from hand to hand"
    assert Crawl.objects.filter(status="completed").count() == 40


def test_twenty_kills_lose_no_page_and_store_none_twice() -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    killed = 0
    with Sites(1, Plan(pages=500, latency=0.01)) as sites, ExitStack() as stack:
        crawl = ask(approved(site(0)))
        while killed < KILLS:
            worker = stack.enter_context(Worker(sites))
            before = len(sites.requests())
            worker.go()
            wait_for(lambda before=before: len(sites.requests()) > before)
            time.sleep(chance.uniform(0, 0.3))
            worker.kill()
            killed += 1
            assert not none_open(), f"seed {seed}: the crawl was over before kill {killed}"
        stack.enter_context(Worker(sites)).go()
        wait_for(none_open, 120)
        asked = Counter(each.path for each in sites.requests())
        overlapping = overlaps(sites.requests_of(site(0)))

    crawl.refresh_from_db()
    assert crawl.status == "completed", f"seed {seed}: {crawl.end_reason}"
    pages = {path(number) for number in range(500)}
    assert pages <= set(asked), f"seed {seed}"
    assert sum(asked[each] - 1 for each in pages) <= KILLS, f"seed {seed}"
    assert max(asked[each] for each in pages) <= KILLS, f"seed {seed}"
    assert not overlapping, f"seed {seed}"
    assert Page.objects.count() == Snapshot.objects.count() == 500, f"seed {seed}"
    assert Visit.objects.filter(crawl=crawl, state="stored").count() == 500, f"seed {seed}"


def test_a_worker_that_slept_past_its_lease_cannot_write_when_it_wakes() -> None:
    constants = {"frontier__leases__LEASE_SECONDS": LEASE}
    with Sites(1, Plan(pages=12, latency=0.4)) as sites, ExitStack() as stack:
        sleeper = stack.enter_context(Worker(sites, "sleeper", **constants))
        other = stack.enter_context(Worker(sites, "other", **constants))
        crawl = ask(approved(site(0)))
        sleeper.go()
        wait_for(lambda: len(sites.requests()) >= 4)
        time.sleep(0.2)  # in the middle of the next request
        sleeper.stop()
        stopped = time.monotonic()
        other.go()
        wait_for(lambda: sum(other.agent in each.agent for each in sites.requests()) >= 2)
        assert not none_open()
        sleeper.wake()
        woken = time.monotonic()
        wait_for(none_open)
        time.sleep(1)  # time enough for a late write
        asked = sites.requests_of(site(0))

    by_other = [each for each in asked if other.agent in each.agent]
    assert by_other[0].start - stopped >= LEASE - 1, "nobody took the site while the lease ran"
    assert not [each for each in asked if sleeper.agent in each.agent and each.start > woken]
    crawl.refresh_from_db()
    assert crawl.status == "completed"
    assert set(Visit.objects.filter(crawl=crawl, kind="page", status=200).values_list("attempts", flat=True)) == {1}
    fetched = Counter(each.path for each in asked if each.path.startswith(("/page/",)))
    assert sorted(fetched.values()) == [1] * 10 + [2], "the page in flight was asked for by both, and no other"
    assert Page.objects.count() == Snapshot.objects.count() == 12


def test_a_worker_whose_connections_are_cut_goes_on_with_new_ones() -> None:
    """As after a restart of the database, while the worker is idle and while it reads a page."""
    constants = {"visiting__time_slice__AFTER_TROUBLE": 0, "visiting__crawler__AFTER_TROUBLE": 0.2}
    with Sites(1, Plan(pages=15, latency=0.1, crawl_delay=0.3)) as sites, Worker(sites, **constants) as worker:
        worker.go()
        wait_for(lambda: _cut_all_connections() > 0)
        crawl = ask(approved(site(0)))
        wait_for(lambda: len(sites.requests()) >= 5)
        _cut_all_connections()
        wait_for(none_open)
        asked = sites.requests_of(site(0))
        assert worker.tree(), "it is still the same worker"

    crawl.refresh_from_db()
    assert crawl.status == "completed"
    assert Page.objects.count() == Snapshot.objects.count() == 15
    assert not overlaps(asked)


def _cut_all_connections() -> int:
    """Terminate the connections that claim sites."""
    crawlers = "datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%% site %%'"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {crawlers}", [])  # noqa: S608
        return len(cursor.fetchall())
