"""Speed of crawling compared with Scrapy: 40 loopback sites of 50 pages (20 kB, 60 links, JSON-LD), and a `kill -9`.

Run: .venv/bin/python bench/crawl.py [rounds] [--scrapy-only]

Both obey robots.txt, wait 0 s between requests and send one request at a time to each site. Scrapy follows links and
stores nothing; Gleanery stores every page in PostgreSQL with its text and structured data, and PostgreSQL's CPU time is
included. Time runs from the moment the sites are known until the last page; all programs are already running.
The claim: at least 2.5 times as many pages per second as Scrapy.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import psutil
from crawl_sites import PAGES, ROUNDS, SITES, name
from scratch import on_scratch_database

from gleanery.net import ports

ROOT = Path(__file__).parents[1]
ALL = SITES * PAGES
WORKERS = 2
CLAIM = 2.5
PATIENCE = 600.0
# The crawling task of a worker, without extraction.
CRAWLER = """
import asyncio, django
django.setup()
from gleanery.crawling.visiting.crawler import crawl_for_ever
asyncio.run(crawl_for_ever())
"""
LOAD = 10_000


class Row(NamedTuple):
    """Cost of one crawl; CPU seconds of its processes and of PostgreSQL."""

    pages: int
    seconds: float
    cpu: float
    database: float = 0.0


class Left(NamedTuple):
    """Requests after a kill: in total, repeated, and pages never requested."""

    asked: int
    again: int
    never: int


class Sites:
    """Sites served by granian on loopback with one worker; it counts requests."""

    def __enter__(self) -> Sites:
        self.port = ports.free_port()
        where = ["--interface", "rsgi", "--host", "127.0.0.1", "--port", str(self.port), "--workers", "1"]
        self.process = subprocess.Popen(  # noqa: S603 - a program of our own
            [sys.executable, "-m", "granian", *where, "--log-level", "error", "bench.crawl_sites:application"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        wait_until(lambda: ports.answers(self.port), 60)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    @property
    def resolve(self) -> str:
        return ",".join(f"{host}=127.0.0.1:{self.port}" for round_ in range(ROUNDS) for host in hosts(round_))

    def asked(self, round_: int) -> list[int]:
        """Return the number of requests for each requested page of this round."""
        with urlopen(f"http://127.0.0.1:{self.port}/_asked/{round_}", timeout=30) as answer:
            return [count for _, _, count in json.load(answer)]


def hosts(round_: int) -> list[str]:
    return [name(round_, index) for index in range(SITES)]


def wait_until(happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            raise TimeoutError("it did not happen in time")
        time.sleep(0.05)


def left(counts: list[int]) -> Left:
    return Left(sum(counts), sum(count - 1 for count in counts), ALL - len(counts))


# Speed of the sites themselves, to show that they are not the bottleneck.


async def load(port: int, count: int = LOAD, at_once: int = SITES) -> float:
    """Return requests per second with one kept connection per site and a minimal client."""
    numbers = iter(range(count))

    async def ask(index: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=256 * 1024)
        for number in numbers:
            writer.write(f"GET /page/{number % (PAGES - 1) + 1} HTTP/1.1\r\nHost: {name(0, index)}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(ask(index) for index in range(at_once)))
    return count / (time.perf_counter() - started)


# Scrapy


def scrapy(sites: Sites, which: list[str], **more: Any) -> subprocess.Popen[bytes]:
    plan = {"hosts": which, "port": sites.port, "jobdir": None, "keeps_a_set": False, **more}
    return subprocess.Popen(  # noqa: S603 - a program of our own
        [sys.executable, str(ROOT / "bench" / "crawl_scrapy.py"), json.dumps(plan)], stdout=subprocess.PIPE
    )


def by_scrapy(sites: Sites, round_: int, processes: int = 1, keeps_a_set: bool = False) -> Row:
    shares = [hosts(round_)[start::processes] for start in range(processes)]
    running = [scrapy(sites, share, keeps_a_set=keeps_a_set) for share in shares]
    results = [json.loads(each.communicate(timeout=PATIENCE)[0]) for each in running]
    row = Row(*(combine(each[key] for each in results) for key, combine in SUMS))
    assert row.pages == len(sites.asked(round_)) == ALL
    return row


SUMS: tuple[tuple[str, Callable[[Any], Any]], ...] = (("pages", sum), ("seconds", max), ("cpu", sum))


def killed_scrapy(sites: Sites, round_: int) -> Left:
    """Measure Scrapy with JOBDIR, its way to pause and resume, after a kill."""
    with tempfile.TemporaryDirectory() as jobdir:
        first = scrapy(sites, hosts(round_), jobdir=jobdir)
        wait_until(lambda: len(sites.asked(round_)) >= ALL // 2)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        second = scrapy(sites, hosts(round_), jobdir=jobdir)
        second.communicate(timeout=PATIENCE)
    return left(sites.asked(round_))


# Ours


@contextmanager
def workers(count: int = WORKERS) -> Iterator[list[subprocess.Popen[bytes]]]:
    running = [subprocess.Popen([sys.executable, "-c", CRAWLER], cwd=ROOT) for _ in range(count)]  # noqa: S603 - our own
    try:
        yield running
    finally:
        for each in running:
            each.kill()
            each.wait()


def register(round_: int) -> None:
    from gleanery.domains import registry

    for host in hosts(round_):
        registry.register(host)


def ask(round_: int) -> None:
    """Approve all sites and request their crawls at the same time, without delay between requests."""
    from django.db import transaction

    from gleanery.accounts.actor import system
    from gleanery.crawling import services
    from gleanery.domains.models import Domain

    with transaction.atomic():  # otherwise the refresh of a worker might start crawls first
        ours = Domain.objects.filter(name__in=hosts(round_))
        ours.update(approval_status="approved", processing_status="pending_crawl", crawl_rate_limit_seconds=0)
        for domain in ours:
            services.request_crawl(system(), domain, "full")


def none_open() -> bool:
    from gleanery.crawling.crawl_lifecycle import OPEN
    from gleanery.crawling.models import Crawl

    return not Crawl.objects.filter(status__in=OPEN).exists()


def stored(round_: int) -> int:
    from gleanery.crawling.models import Snapshot

    return Snapshot.objects.filter(page__domain__name__in=hosts(round_)).count()


def cpu_of(*pids: int) -> float:
    """Return CPU seconds of these processes and their descendants, including ended ones."""
    tops = [psutil.Process(pid) for pid in pids]
    trees = [*tops, *(below for top in tops for below in top.children(recursive=True))]
    return sum(sum(process.cpu_times()[:4]) for process in trees)


def postmaster() -> int:
    """Return the main process of PostgreSQL, the parent of our backend."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return psutil.Process(cursor.fetchone()[0]).ppid()


def by_ours(sites: Sites, round_: int) -> Row:
    register(round_)
    with workers() as running:
        time.sleep(5)  # workers are started and idle, as on a server
        ours, theirs = cpu_of(*(each.pid for each in running)), cpu_of(postmaster())
        started = time.perf_counter()
        ask(round_)
        wait_until(none_open)
        seconds = time.perf_counter() - started
        ours, theirs = cpu_of(*(each.pid for each in running)) - ours, cpu_of(postmaster()) - theirs
    assert stored(round_) == len(sites.asked(round_)) == ALL
    return Row(ALL, seconds, ours, theirs)


def killed_ours(sites: Sites, round_: int) -> Left:
    register(round_)
    with workers() as running:
        ask(round_)
        wait_until(lambda: len(sites.asked(round_)) >= ALL // 2)
        for each in running:
            each.kill()
    with workers():
        wait_until(none_open)
    assert stored(round_) == len(sites.asked(round_))
    return left(sites.asked(round_))


# The table


def median(rows: list[Row]) -> Row:
    return Row(*(statistics.median(column) for column in zip(*rows, strict=True)))


def print_rows(label: str, rows: list[Row]) -> None:
    row = median(rows)
    spread = " ".join(f"{each.pages / each.seconds:.0f}" for each in rows)
    each_page = 1000 / row.pages
    database = f", PostgreSQL {row.database * each_page:.2f}" if row.database else ""
    print(
        f"{label:34} {row.pages / row.seconds:6.0f} pages/s  {(row.cpu + row.database) * each_page:5.2f} ms CPU a page"
        f" (own {row.cpu * each_page:.2f}{database})  rounds: {spread}",
        flush=True,
    )


def print_left(label: str, what: Left) -> None:
    print(f"{label:34} {what.asked} fetches, {what.again} of them again, {what.never} pages never", flush=True)


def main() -> int:
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    rounds, alone = (numbers or [3])[0], "--scrapy-only" in sys.argv
    next_round = iter(range(ROUNDS))
    with Sites() as sites:
        os.environ["GLEANERY_NET_RESOLVE"] = sites.resolve
        print(f"the sites by themselves: {asyncio.run(load(sites.port)):.0f} pages/s", flush=True)
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(by_scrapy(sites, next(next_round)))
            ours += [] if alone else [by_ours(sites, next(next_round))]
        print_rows("Scrapy", theirs)
        print_rows("Scrapy, spider keeps a set", [by_scrapy(sites, next(next_round), keeps_a_set=True)])
        print_rows("Scrapy, two processes, with sets", [by_scrapy(sites, next(next_round), WORKERS, keeps_a_set=True)])
        if ours:
            print_rows(f"Gleanery, {WORKERS} workers, all stored", ours)
        print("\nkilled half-way (kill -9) and started again:")
        print_left("Scrapy with JOBDIR", killed_scrapy(sites, next(next_round)))
        if ours:
            print_left("Gleanery", killed_ours(sites, next(next_round)))
    if not ours:
        return 0
    ratio = median(theirs).seconds / median(ours).seconds
    print(f"\n{'held' if ratio >= CLAIM else 'NOT held'}: {ratio:.2f} times Scrapy's pages/s; claimed: {CLAIM}")
    return 0 if ratio >= CLAIM else 1


if __name__ == "__main__":
    sys.exit(main() if "--scrapy-only" in sys.argv else on_scratch_database(main))
