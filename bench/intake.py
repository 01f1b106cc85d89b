"""Speed of intake into a store of a million records, compared with row-by-row intake as in the earlier design.

    .venv/bin/python bench/intake.py [--quick] [--records 1000000] [--smaller 100000] [--observations 200000]

Half of the stream is unchanged, a tenth changed, a tenth the same thing from another source, the rest new. It comes in
batches of 1,000 of one source each, handled by three processes in parallel, like imports, requests and jobs; they
prepare in parallel and write one at a time. Every outcome is checked. CPU times of both processes and server are shown
as well, since they do not depend on other load. The stream is generated before time starts.

Intake also looks for near duplicates, which the earlier design did not, so it is measured with and without.
"""

from __future__ import annotations

import argparse
import functools
import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import psutil
from scratch import on_scratch_database
from side_by_side import share, side_by_side

BATCH = 1_000
WARM = 10  # batches after which memory should be constant
Claim = tuple[str, bool]  # the claim, and whether it holds in this run


class Cost(NamedTuple):
    """Cost of one observation in microseconds."""

    wall: float
    client: float
    server: float

    @property
    def processor(self) -> float:
        return self.client + self.server

    def __str__(self) -> str:
        return (
            f"{self.wall:6.0f} µs ({1e6 / self.wall:6,.0f}/s); processor {self.processor:6.0f} µs"
            f" ({1e6 / self.processor:6,.0f}/s on one core): client {self.client:4.0f}, server {self.server:4.0f}"
        )


class Meter:
    """Measure the cost of the tasks it runs."""

    def __init__(self) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            ((pid,),) = cursor.fetchall()
        self.backend, self.client = psutil.Process(pid), psutil.Process()
        self.spent = [0.0, 0.0, 0.0]

    def run(self, task: Callable[[], Any]) -> Any:
        before = self._now()
        done = task()
        self.spent = [spent + now - then for spent, now, then in zip(self.spent, self._now(), before, strict=True)]
        return done

    def cost(self, count: int) -> Cost:
        return Cost(*(spent / count * 1e6 for spent in self.spent))

    def memory(self) -> tuple[float, float]:
        """Return the memory of this process and of its backend in megabytes."""
        gc.collect()
        own = self.backend.memory_info()
        return self.client.memory_info().rss / 2**20, (own.rss - own.shared) / 2**20

    def _now(self) -> list[float]:
        times = self.backend.cpu_times()
        return [time.perf_counter(), time.process_time(), times.user + times.system]


def verdict(claims: Iterable[Claim]) -> int:
    """Measure the claims, name those that do not hold, and return the exit code."""
    failing = [claim for claim, holds in claims if not holds]
    print(f"claim FAILS: {', '.join(failing)}" if failing else "claim holds")
    return 1 if failing else 0


def set_based(store: Any, observations: int, seed: int, *, likeness: bool = True) -> tuple[Cost, str]:
    from intake_world import stream

    from gleanery.resolution.intake.batch import intake

    def work(process: int, begin: Callable[[], object]) -> tuple[Any, ...]:
        meter, found, wanted = Meter(), Counter[str](), Counter[str]()
        memory: list[tuple[float, float]] = []
        if not likeness:
            _by_identity_alone()
        own = list(share(stream(store, observations // BATCH, BATCH, seed), process))
        _begin_cold()
        begin()
        for number, (source, news) in enumerate(own):
            drafts = [each.given for each in news]
            answers = meter.run(lambda drafts=drafts, source=source: intake(store.sources[source], drafts))
            found.update(each.outcome for each in answers)
            wanted.update(each.outcome for each in news)
            if number % WARM == WARM - 1:
                memory.append(meter.memory())
        found["created"] += found.pop("in_review", 0)  # new records that resemble others wait for review
        assert found == wanted, f"{dict(found)} should be {dict(wanted)}"
        return meter.spent, memory

    done = side_by_side(work)
    for _ in stream(store, observations // BATCH, BATCH, seed):  # so that the next stream avoids what this one touched
        pass
    _, client, server = (sum(each) for each in zip(*(spent for spent, _ in done.results), strict=True))
    cost = Cost(*(spent / observations * 1e6 for spent in (done.wall, client, server)))
    memory = done.results[0][1]
    return cost, "memory: too short a run" if len(memory) < 2 else _grown(memory)


def _by_identity_alone() -> None:
    """Turn off the search for near duplicates in this process."""
    from gleanery.resolution.intake import copy_rows, precompute
    from gleanery.resolution.near import auto_merge, likeness

    precompute.prepare_new = lambda draft: (copy_rows.payload(draft), draft.names())  # type: ignore[assignment]
    precompute.near_if_new = lambda source, news: None
    auto_merge.assign_sure_matches = lambda new, known: []
    likeness.changed = lambda rows, **how: {}


def _begin_cold() -> None:
    """Clear caches after filling the store, and exclude the objects of the benchmark from garbage collection."""
    gc.unfreeze()
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper):
            each.cache_clear()
    gc.collect()
    gc.freeze()


def _grown(memory: list[tuple[float, float]]) -> str:
    (client, server), (client_now, server_now) = memory[0], memory[-1]
    return (
        f"memory after {WARM} batches and at the end: client {client:.0f} -> {client_now:.0f} MB,"
        f" server {server:.0f} -> {server_now:.0f} MB"
    )


def per_row(store: Any, observations: int, seed: int) -> Cost:
    from intake_rowwise import take_one
    from intake_world import stream

    meter, found, wanted = Meter(), Counter[str](), Counter[str]()
    _begin_cold()
    for source, news in stream(store, observations // BATCH, BATCH, seed):
        for each in news:
            name = store.sources[source].name
            found[meter.run(lambda name=name, each=each: take_one(name, each.given))] += 1
            wanted[each.outcome] += 1
    assert found == wanted, f"{dict(found)} should be {dict(wanted)}"
    return meter.cost(observations)


def new_source(store: Any, batches: int) -> str:
    """Measure a source without PostgreSQL statistics: its last batch must not cost more than its first."""
    from intake_world import NEWS, thing

    from gleanery.resolution.services import intake, source_named

    source, costs = source_named("a new one"), []
    for batch in range(batches):
        meter = Meter()
        begin = NEWS * 90 + batch * BATCH
        drafts = [thing(number) for number in range(begin, begin + BATCH)]
        meter.run(lambda drafts=drafts: intake(source, drafts))
        costs.append(meter.cost(BATCH))
    return f"all new, of a new source: {costs[1].processor:.0f} µs in batch 2, {costs[-1].processor:.0f} in the last"


def fill(store: Any, until: int) -> None:
    from django.db import connection

    started = time.perf_counter()
    store.fill(until)
    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM record), (SELECT count(*) FROM observation)")
        ((records, observations),) = cursor.fetchall()
    print(f"filled in {time.perf_counter() - started:.0f} s: {records:,} records, {observations:,} observations")


def main() -> int:
    from intake_world import Store

    options = arguments()
    store = Store()
    fill(store, options.smaller)
    part = min(options.observations // 4, options.smaller // 4)
    small, _ = set_based(store, part, 1)
    print(f"{options.smaller:9,} things: {small}")
    fill(store, options.records)
    set_based(store, BATCH * 2, 2)
    large, memory = set_based(store, options.observations, 3)
    print(f"{options.records:9,} things: {large}")
    print(memory)
    print(new_source(store, min(20, options.observations // BATCH)))
    alone, _ = set_based(store, options.observations // 2, 5, likeness=False)
    print(f"by identity alone: {alone}")
    rows = per_row(store, max(BATCH, min(5_000, options.observations // 10)), 4)
    print(f"one by one, so too: {rows}")
    for name, ours in (("by identity alone", alone), ("with near duplicates", large)):
        ratio, spared = rows.wall / ours.wall, rows.processor / ours.processor
        print(f"{name}: {ratio:.1f}x one by one, which is by identity alone (processor {spared:.1f}x)")
    slower, ratio = large.wall / small.wall, large.processor / small.processor
    print(f"at {options.records:,} against {options.smaller:,}: {slower:.2f}x (processor {ratio:.2f}x); asked: 1.5x")
    return verdict(
        (
            ("3,000/s", large.wall <= 1e6 / 3_000),
            ("10x one by one", rows.wall >= 10 * alone.wall),
            ("no slower as the store grows", slower <= 1.5),
        )
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="50,000 records and 10,000 observations")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--smaller", type=int, default=100_000)
    parser.add_argument("--observations", type=int, default=200_000)
    options = parser.parse_args()
    if options.quick:
        options.records, options.smaller, options.observations = 50_000, 12_000, 10_000
    return options


if __name__ == "__main__":
    sys.exit(on_scratch_database(main))
