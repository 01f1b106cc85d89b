"""The change feed beside eight writers, of which one is killed, and another reader: no gap, no double, equal data."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from gleanery.publishing.changes import feed
from gleanery.publishing.changes.feed import Change
from gleanery.publishing.changes.models import PRESENT
from gleanery.resolution.models import Record

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS, TIMES, KNOWN = 8, 40, 12
READS_BESIDE_IT = 20


class Follower:
    """What somebody knows who reads the feed and nothing else."""

    def __init__(self) -> None:
        self.cursor = feed.snapshot(None, 200).changes_cursor
        self.numbers: list[int] = []
        self.records: dict[UUID, str | None] = {}

    def read(self) -> bool:
        page = feed.page(self.cursor, 7)
        self.cursor = page.next_cursor
        costs = {
            row.pk: row.fields.get("cost") for row in Record.objects.filter(pk__in={x.record for x in page.changes})
        }
        for change in page.changes:
            self._follow(change, costs.get(change.record))
        return bool(page.changes)

    def _follow(self, change: Change, cost: str | None) -> None:
        self.numbers.append(change.position)
        was_there = change.record in self.records
        assert was_there == (change.change not in ("created", "split")), "each follows from the one before"
        if change.change in PRESENT:
            self.records[change.record] = cost
        else:
            del self.records[change.record]


@pytest.fixture
def another_reader() -> Iterator[None]:
    """Lists changes all the time, as whoever reads does."""
    stop = threading.Event()
    problems: list[Exception] = []

    def read() -> None:
        try:
            while not stop.is_set():
                feed.stand()
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    thread = threading.Thread(target=read)
    thread.start()
    yield
    stop.set()
    thread.join()
    assert problems == []


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts writers, and leaves none behind."""
    started: list[subprocess.Popen[str]] = []

    def make(seed: int, *, stops: bool = False) -> subprocess.Popen[str]:
        started.append(writer(seed, stops=stops))
        return started[-1]

    yield make
    for each in started:
        each.kill()
        each.communicate()


def writer(seed: int, *, stops: bool) -> subprocess.Popen[str]:
    wanted = {name: connection.get_connection_params().get(name) for name in ("host", "port", "user", "password")}
    given = {name: value for name, value in wanted.items() if value}
    dsn = make_conninfo("", dbname=connection.settings_dict["NAME"], **given)
    command = [sys.executable, "-m", "tests.publishing.change_writer", dsn, str(seed), str(TIMES)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    root = Path(__file__).parents[2]
    return subprocess.Popen([*command, "stop"] if stops else command, cwd=root, text=True, **pipes)


@pytest.mark.usefixtures("another_reader")
def test_a_reader_that_follows_many_writers_has_what_they_wrote(start: Callable[..., subprocess.Popen[str]]) -> None:
    Record.objects.bulk_create(
        Record(kind="place", status="in_review", name="Known", fields={"name": "Known"}) for _ in range(KNOWN)
    )
    follower = Follower()
    writers = [start(seed) for seed in range(1, WRITERS)]
    victim = start(0, stops=True)
    assert victim.stdout is not None
    while not select.select([victim.stdout], [], [], 0)[0]:
        follower.read()
    for _ in range(READS_BESIDE_IT):
        follower.read()
    victim.kill()
    while any(writer.poll() is None for writer in writers):
        follower.read()
    while follower.read():
        pass
    codes = [each.wait() for each in (*writers, victim)]
    assert codes == [0] * len(writers) + [-signal.SIGKILL]
    assert follower.numbers == list(range(1, len(follower.numbers) + 1))
    published = Record.objects.filter(status="published")
    assert follower.records == {row.pk: row.fields.get("cost") for row in published}
    assert len(follower.numbers) > WRITERS * TIMES
