"""A hostile site only slows down its own crawl."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.models import Crawl, Snapshot, Visit
from tests.crawling.conftest import approved
from tests.crawling.hostile import ELSEWHERE, GOOD, HOST, TRAPS, WORDY, Hostile, good_text
from tests.crawling.test_many_workers import none_open
from tests.crawling.workers import Worker, WorkerAlone, wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

BUDGET = 200
SECONDS = 60
MIB = 1024 * 1024
ALLOWED = 64 * MIB
# As in life, only shorter: a request may take 30 s there, and a site that asks us to wait gets up to an hour.
PATIENCE = {"deadline": 1.5, "visiting__outcome__LONGEST_PAUSE": 1.0, "visiting__outcome__SHORTEST_PAUSE": 0.5}


class Watch(threading.Thread):
    """Records the peak memory of the worker and its children."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(daemon=True)
        self.worker = worker
        self.most: list[int] = []
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.02):
            self.most = max(self.most, self.worker.memory(), key=sum)


@contextmanager
def watched(worker: Worker) -> Iterator[Watch]:
    watch = Watch(worker)
    watch.start()
    try:
        yield watch
    finally:
        watch.over.set()
        watch.join()


def crawl(host: str) -> Crawl:
    with transaction.atomic():  # else the refresh of the worker might be faster
        row = services.request_crawl(system(), approved(host), "full")
        Crawl.objects.filter(pk=row.pk).update(max_pages=BUDGET)
    return row


def address(path: str) -> str:
    return f"http://{HOST}{path}"


def idle(worker: Worker) -> list[int]:
    """Return the worker's memory after it crawled an honest site and is idle."""
    crawl(ELSEWHERE)
    wait_for(none_open)
    time.sleep(1)
    return worker.memory()


def test_a_hostile_site_is_crawled_within_its_budget_and_every_refusal_has_its_reason() -> None:
    with Hostile() as site, WorkerAlone(site, **PATIENCE) as worker:
        worker.go()
        before = idle(worker)
        asked_elsewhere = len(site.requests_of(ELSEWHERE))
        row, began = crawl(HOST), time.monotonic()
        with watched(worker) as watch:
            wait_for(none_open, SECONDS)
        seconds = time.monotonic() - began
        asked = site.requests_of(HOST)
        row.refresh_from_db()

        grown = sum(watch.most) - sum(before)
        print(f"{len(asked)} requests in {seconds:.0f} s, memory +{grown / MIB:.0f} MiB")  # noqa: T201
        assert not site.canary_visits()
        assert {each.host for each in site.requests()} == {HOST, ELSEWHERE}
        assert len(site.requests_of(ELSEWHERE)) == asked_elsewhere

    visits = {visit.url: visit for visit in Visit.objects.filter(crawl=row).select_related("snapshot")}
    assert row.status == "completed", row.end_reason
    assert not [visit for visit in visits.values() if visit.state == "queued"]
    assert not [visit.url for visit in visits.values() if visit.state in ("refused", "failed") and not visit.reason]
    for path in GOOD:
        assert good_text(path) in visits[address(path)].snapshot.text
    for trap in TRAPS.values():
        assert not trap.linked or address(trap.path) in visits, trap.path
        assert not trap.text or trap.text in visits[address(trap.path)].snapshot.text, trap.path
    assert not [each for each in asked if each.path.startswith(("/private/", "/nofollow/"))]
    assert sum(visit.elapsed_ms is not None and visit.kind == "page" for visit in visits.values()) <= BUDGET
    assert grown < ALLOWED, f"from {before} to {watch.most}"


def test_a_robots_txt_of_50_mb_is_read_up_to_the_limit() -> None:
    with Hostile() as site, WorkerAlone(site) as worker:
        worker.go()
        before = idle(worker)
        row = crawl(WORDY)
        with watched(worker) as watch:
            wait_for(none_open, SECONDS)
        assert {each.path for each in site.requests_of(WORDY)} == {"/robots.txt", "/sitemap.xml", "/", "/good/1"}
    row.refresh_from_db()
    assert row.status == "completed"
    assert Snapshot.objects.filter(url=f"http://{WORDY}/good/1", text__contains=good_text("/good/1")).exists()
    assert sum(watch.most) - sum(before) < ALLOWED
