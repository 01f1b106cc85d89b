"""Leases: which worker may send requests to a site, and what happens when it loses its lease."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.frontier import leases as lease
from gleanery.crawling.frontier import statements as storage
from gleanery.crawling.frontier.leases import Lease
from gleanery.crawling.frontier.statements import FinishedVisit, FoundAddress, QueuedVisit
from gleanery.crawling.models import Crawl, Site, Visit
from gleanery.crawling.visiting import crawl_stages as stages
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.ids import uuid7

from .conftest import approved

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def waiting(name: str = "example.org", **changes: Any) -> Crawl:
    return services.request_crawl(system(), approved(name, **changes))


def elsewhere(work: Callable[[], Any]) -> Any:
    """Run work on its own connection, which is closed afterwards, as in a worker that died."""
    result: list[Any] = []

    def run() -> None:
        result.append(work())
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return result[0]


def begun(taken: Lease) -> Lease:
    opened = stages.open_crawl(taken)
    assert opened is not None
    stages.seed(opened.frontier, opened.frontier.accept_home("https://example.org/"))
    return taken._replace(status="running")


def done(taken: Lease, state: str = "failed") -> FinishedVisit:
    visit = Visit.objects.get(crawl=taken.crawl)
    found = [FoundAddress(QueuedVisit(uuid7(), "https://example.org/new", "page", 1))]
    queued = QueuedVisit(visit.pk, visit.url, visit.kind, visit.depth)
    return FinishedVisit(lease=taken, visit=queued, state=state, reason="It is a test.", found=found)


def test_a_site_is_given_to_one_worker_alone():
    waiting()
    (taken,) = lease.claim(10)
    assert (taken.name.name, taken.kind, taken.status) == ("example.org", "full", "waiting")
    assert lease.claim(10) == []


def test_a_worker_whose_connection_is_gone_is_replaced_at_once():
    waiting()
    (first,) = elsewhere(lambda: lease.claim(10))
    end = time.monotonic() + 10  # the server takes a moment to notice; the lease would last far longer
    while not (taken := lease.claim(10)) and time.monotonic() < end:
        time.sleep(0.02)
    assert [each.token for each in taken] != [first.token]
    assert len(taken) == 1


def test_a_worker_that_hangs_is_replaced_when_its_lease_expires():
    waiting()
    (first,) = lease.claim(10)
    Site.objects.update(leased_until=Now() - timedelta(seconds=1))
    (second,) = lease.claim(10)
    assert second.token != first.token


def test_a_worker_that_lost_its_lease_cannot_write():
    waiting()
    (first,) = lease.claim(10)
    begun(first)
    Site.objects.update(leased_until=Now() - timedelta(seconds=1))
    (second,) = lease.claim(10)
    assert storage.commit([done(first)]) == set()
    assert lease.hold([first], [0.0]) == set()
    stages.fail(first, "It thinks that it still may.")
    assert Visit.objects.get().state == "queued"
    assert Crawl.objects.get().status == "running"
    assert storage.commit([done(second)]) == {second.token}
    assert set(Visit.objects.values_list("state", flat=True)) == {"failed", "queued"}


def test_a_worker_that_lost_its_lease_before_it_began_does_not_end_the_crawl_of_the_next():
    waiting()
    (first,) = lease.claim(10)
    Site.objects.update(leased_until=Now() - timedelta(seconds=1))
    (second,) = lease.claim(10)
    assert stages.open_crawl(first) is None
    assert Crawl.objects.get().status == "waiting"
    assert stages.open_crawl(second) is not None
    assert stages.open_crawl(first) is None
    assert Crawl.objects.get().status == "running"


def test_a_crawl_that_was_cancelled_before_it_began_stays_cancelled():
    crawl = waiting()
    (taken,) = lease.claim(10)
    services.cancel(system(), crawl)
    assert stages.open_crawl(taken) is None
    assert Crawl.objects.get().status == "cancelled"


def test_an_expired_lease_is_lost_even_if_nobody_took_it():
    waiting()
    (taken,) = lease.claim(10)
    begun(taken)
    Site.objects.update(leased_until=Now() - timedelta(seconds=1))
    assert storage.commit([done(taken)]) == set()
    assert Visit.objects.get().state == "queued"


@pytest.mark.parametrize(
    "stop",
    [
        lambda crawl: services.cancel(system(), crawl),
        lambda crawl: domains.blacklist(system(), crawl.domain.name, "It is spam."),
        lambda crawl: Domain.objects.update(approval_status="suspended"),
    ],
    ids=["cancelled", "blacklisted", "suspended"],
)
def test_nothing_is_requested_or_written_after_a_crawl_was_stopped(stop: Callable[[Crawl], Any]):
    crawl = waiting()
    (taken,) = lease.claim(10)
    begun(taken)
    crawl.refresh_from_db()
    stop(crawl)
    assert lease.hold([taken], [0.0]) == set()
    assert storage.commit([done(taken)]) == set()


def test_a_stopped_crawl_does_not_affect_the_others_in_its_batch():
    for name in ("example.org", "example.net"):
        waiting(name)
    both = [begun(taken) for taken in lease.claim(10)]
    batch = [FinishedVisit(lease=each, visit=_queued(each), state="failed", reason="Test.") for each in both]
    services.cancel(system(), Crawl.objects.get(pk=both[0].crawl))
    assert storage.commit(batch) == {both[1].token}
    assert Visit.objects.get(crawl=both[0].crawl).state == "queued"
    assert Visit.objects.get(crawl=both[1].crawl).state == "failed"


def _queued(taken: Lease) -> QueuedVisit:
    visit = Visit.objects.get(crawl=taken.crawl)
    return QueuedVisit(visit.pk, visit.url, visit.kind, visit.depth)


def test_a_site_rests_after_a_request_whichever_worker_is_next():
    waiting()
    (taken,) = lease.claim(10)
    begun(taken)
    lease.hold([taken], [30.0])
    lease.release(taken)
    assert lease.claim(10) == []
    Site.objects.update(ready_at=Now())
    assert len(lease.claim(10)) == 1


def test_the_site_that_waits_longest_comes_first():
    for age, name in enumerate(("young.org", "middle.org", "old.org")):
        Site.objects.filter(domain=waiting(name).domain).update(ready_at=Now() - timedelta(minutes=age))
    taken = [lease.claim(1) for _ in range(3)]
    assert [each.name.name for (each,) in taken] == ["old.org", "middle.org", "young.org"]


def test_eight_workers_at_once_share_the_sites_without_overlap():
    for number in range(40):
        waiting(f"site{number}.org")
    taken: list[list[Lease]] = []
    gate = threading.Barrier(8)

    def take() -> None:
        gate.wait()
        taken.append(lease.claim(20))
        gate.wait()
        connection.close()

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    crawls = [each.crawl for some in taken for each in some]
    assert len(crawls) == len(set(crawls)) == 40


def test_open_crawls_are_found_by_a_partial_index():
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT 1 FROM crawl JOIN site USING (domain_id) "
            "WHERE crawl.status IN ('waiting', 'running') AND site.ready_at <= now()"
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("RESET enable_seqscan")
    assert "crawl_open_once" in plan
