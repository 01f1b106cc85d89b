"""Concurrent writers of records: real processes and threads with their own connections."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given, settings

from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation, Source
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution import services
from gleanery.resolution.models import Merge, Record, Verdict
from gleanery.resolution.records.conflicts import in_conflict
from gleanery.resolution.records.life import LIVE
from tests.extraction import stored_pages
from tests.resolution import history
from tests.resolution.shop import record_of, somebody_waits_for_the_write_lock, source, tell

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parents[2]
IS_DEEP = settings().max_examples > 1_000
HISTORIES, CROSSINGS = (2_000, 1_000) if IS_DEEP else (100, 50)
NURSERY = [sys.executable, "-m", "tests.resolution.intake_process"]
# What a history leaves behind, the later ones first. Emptying these is far cheaper than emptying all.
TABLES = [
    "review_warning",
    "review_item",
    "likeness",
    "likeness_key",
    "occurrence",
    "other_identity",
    "edit",
    "verdict",
    "merge",
    "tombstone",
    "observation",
]
TABLES += ["record", "source"]
EMPTY = ";".join(f"DELETE FROM {table}" for table in TABLES)  # noqa: S608 - the names are above


@pytest.fixture
def pair() -> Iterator[Callable[[Callable[[], Any], Callable[[], Any]], list[Exception | None]]]:
    """Run two calls at once, each in a thread with its own connection, and return what they raised."""
    gate = threading.Barrier(2)

    def guarded(task: Callable[[], Any]) -> Exception | None:
        gate.wait(timeout=30)
        try:
            task()
        except Exception as problem:  # whatever it is, the test looks at it
            return problem
        return None

    with ThreadPoolExecutor(2) as pool:
        yield lambda one, other: list(pool.map(guarded, (one, other)))
        list(pool.map(lambda _: (gate.wait(timeout=30), connection.close()), range(2)))


@pytest.mark.long
@pytest.mark.timeout(1_800 if IS_DEEP else 240)
@settings(max_examples=HISTORIES, suppress_health_check=list(settings().suppress_health_check) + history.SHARED)
@given(played=history.histories, other=history.histories)
def test_two_writers_at_once_leave_what_is_known(pair: Any, played: Any, other: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(EMPTY)
    actor = history.curator()
    players = [history.Player(actor, alone=False) for _ in range(2)]

    def write(player: history.Player, beginning: list[Any], steps: list[Any]) -> Callable[[], None]:
        def run() -> None:
            player.begin(beginning)
            for step in steps:
                player.play(step)

        return run

    one, two = players
    assert pair(write(one, *played), write(two, *other)) == [None, None]
    history.check(one.told, two.told)


def test_crossing_merges_never_make_a_circle(admin: Actor, pair: Any) -> None:
    rows = [record_of(tell("a", "place", str(n), name=f"Hall {n}", locality="x")) for n in range(8)]
    chance = random.Random(8)
    for _ in range(CROSSINGS):
        a, b = chance.sample(rows, 2)
        problems = pair(lambda a=a, b=b: services.merge(admin, a, b), lambda a=a, b=b: services.merge(admin, b, a))
        assert [type(each) for each in problems if each is not None] == [Conflict]
        merge = Merge.objects.get(undone_at=None)
        assert {merge.loser_id, merge.survivor_id} == {a.pk, b.pk}
        services.unmerge(admin, merge)
    assert Merge.objects.count() == CROSSINGS
    assert Verdict.objects.filter(superseded_at=None).exclude(verdict="different").count() == 0
    history.check()


def test_merges_of_many_into_many_end_in_trees(admin: Actor, pair: Any) -> None:
    rows = [record_of(tell("a", "place", str(n), name=f"Hall {n}", locality="x")) for n in range(CROSSINGS)]
    chance = random.Random(9)
    plans = [[chance.sample(rows, 2) for _ in range(CROSSINGS)] for _ in range(2)]

    def run(plan: list[list[Record]]) -> None:
        for loser, survivor in plan:
            try:
                services.merge(admin, loser, survivor)
            except Conflict:
                continue

    one, two = plans
    assert pair(lambda: run(one), lambda: run(two)) == [None, None]
    live = Record.objects.filter(status__in=LIVE).count()
    assert live == len(rows) - Merge.objects.count() < len(rows) / 2
    history.check()


def test_what_is_merged_and_what_comes_in_at_the_same_moment_find_each_other(admin: Actor, pair: Any) -> None:
    for number in range(CROSSINGS // 5):
        hall, house = ({"name": f"{name} {number}", "locality": "x"} for name in ("Amber hall", "Quartz house"))
        one, other = (
            record_of(tell("a", "place", f"{number}", **hall)),
            record_of(tell("b", "place", f"{number}", **house)),
        )
        told = partial(tell, "c", "place", f"{number}", **house)
        assert pair(lambda a=one, b=other: services.merge(admin, b, a), told) == [None, None]
        assert tell("d", "place", f"{number}", **hall).record == str(one.pk)
        assert tell("d", "place", f"x{number}", **house).record == str(one.pk)
    history.check()


def test_a_change_of_trust_and_an_intake_do_not_wait_for_each_other(admin: Actor, pair: Any) -> None:
    """Both touch the source: the one changes it, the other refers to it."""
    for number in range(10):
        tell("a", "place", f"begin {number}", name=f"Hall {number}", locality="x")

    def observe(number: int) -> None:
        for part in range(5):
            tell("a", "place", f"{number} {part}", name=f"Hall {part}", locality="x", phone=str(number))

    def change(number: int) -> None:
        for part in range(5):
            extraction.set_trust(admin, source("a"), 1 + (number + part) % 10)

    for number in range(10):
        assert pair(lambda n=number: observe(n), lambda n=number: change(n)) == [None, None]
    history.check()


def test_a_page_that_is_read_again_while_its_things_get_their_records_makes_no_second_record(pair: Any) -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/one", stored_pages.event())
    extraction.extract_domain(domain)
    stored_pages.store_page(domain, "/one", stored_pages.event(name="Summer concert"))
    has_turn = threading.Event()

    def resolve() -> None:
        """The other one has come to where it writes; it must not do so before these have their records."""
        with transaction.atomic():
            take_write_lock()
            has_turn.set()
            while not somebody_waits_for_the_write_lock():
                time.sleep(0.01)
            assert Observation.objects.count() == 1, "it did not wait"
            services.resolve(Source.objects.get(domain=domain))

    def extract() -> None:
        has_turn.wait(timeout=30)
        extraction.extract_domain(domain)

    assert pair(resolve, extract) == [None, None]
    services.resolve_domain(domain.pk)
    history.check()
    assert Record.objects.get(kind="event").name == "Summer concert"


def test_pages_that_are_read_and_records_that_are_merged_do_not_wait_for_each_other(admin: Actor, pair: Any) -> None:
    domain = stored_pages.approved()
    days = range(10, 20)

    def read(name: str) -> None:
        body = "".join(stored_pages.event(day, f"{name} {day}", str(day)) for day in days)
        stored_pages.store_page(domain, "/all", body)
        extraction.extract_domain(domain)
        services.resolve_domain(domain.pk)

    def merge() -> None:
        rows = list(Record.objects.filter(kind="event", status__in=LIVE).order_by("pk"))
        for loser, survivor in itertools.pairwise(rows):
            services.merge(admin, loser, survivor)
        for loser in rows[:-1]:
            services.unmerge(admin, loser)

    read("Concert")
    assert Record.objects.filter(kind="event").count() == len(days)
    for round_ in range(3):
        assert pair(lambda n=round_: read(f"Concert {n}"), merge) == [None, None]
        history.check()
    assert Record.objects.filter(kind="event").count() == len(days)


def test_eight_processes_that_send_the_same_things_make_one_record_each(tmp_path: Path) -> None:
    """Two for each of four sources, in different orders; one of them is killed midway and sends all once more."""
    told = [_file(tmp_path, number) for number in range(8)]
    victim = told[3]
    with subprocess.Popen(NURSERY, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as nursery:
        running = _start(nursery, told)
        while not victim.with_suffix(".done").exists():
            time.sleep(0.001)
        os.kill(running[3], signal.SIGKILL)
        assert _codes(nursery) == [0, 0, 0, -signal.SIGKILL, 0, 0, 0, 0]
        told_last = victim.with_suffix(".done").read_text() or "0"  # it may die while it writes this
        assert int(told_last) < 60 * 3, "it was killed too late"
        _start(nursery, [victim])
        assert _codes(nursery) == [0]
        assert nursery.stdin is not None
        nursery.stdin.close()
    _all_is_there([json.loads(path.read_text()) for path in told])


def _file(folder: Path, number: int) -> Path:
    """Return the observations of one process; they overlap with those of the others by key and by identity."""
    chance, who = random.Random(number), number % 4
    things: list[tuple[str, str, dict[str, Any]]] = []
    for n in range(60):
        venue = {"venue_name": f"Hall {n % 7}", "locality": "Sofia", "description": f"As {who} says."}
        things.append(("event", f"e{n}", {"name": f"Night {n % 40}", "start": "2027-03-12", **venue}))
        things.append(("place", f"p{n}", {"name": f"HALL {n % 9}", "locality": "Sofia", "phone": f"{n % 9}{who}"}))
        call = {"funder_name": f"Fund {n % 5} Ltd", "deadline": "2027-02-01", "description": f"By {who}."}
        things.append(("funding", f"f{n}", {"name": f"Grant {n % 20}", **call}))
    chance.shuffle(things)
    path = folder / f"{number}.json"
    told = {"database": connection.settings_dict["NAME"], "source": f"s{who}", "trust": 3 + who, "batch": 25}
    path.write_text(json.dumps({**told, "things": things}))
    return path


def _start(nursery: subprocess.Popen[str], files: list[Path]) -> list[int]:
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(json.dumps([str(path) for path in files]) + "\n")
    nursery.stdin.flush()
    pids: list[int] = json.loads(nursery.stdout.readline())
    return pids


def _codes(nursery: subprocess.Popen[str]) -> list[int]:
    assert nursery.stdout is not None
    codes: list[int] = json.loads(nursery.stdout.readline())
    return codes


def _all_is_there(told: list[dict[str, Any]]) -> None:
    history.check({(each["source"], kind, key): said for each in told for kind, key, said in each["things"]})
    keys = Counter(Observation.objects.values_list("source", "kind", "external_id"))
    assert set(keys.values()) == {1}, "said once, stored once"
    assert len(keys) == 4 * (60 * 3 + 60 + 60), "with the venue and the funder that each names"
    alike: dict[bytes, list[Record]] = {}
    for row in Record.objects.filter(status__in=LIVE):
        alike.setdefault(bytes(row.identity_hash or b""), []).append(row)
    for rows in alike.values():
        assert len(rows) == 1 or in_conflict(rows[0].fields, rows[1].fields)
    assert Counter(Record.objects.values_list("kind", flat=True)) == {
        "event": len({(n % 40, n % 7) for n in range(60)}),
        "place": 9,
        "funding": len({(n % 20, n % 5) for n in range(60)}),
        "organization": 5,
    }
