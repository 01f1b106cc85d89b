"""Settings and tricks of the hot paths, each beside the plain way: one ratio per line.

Run: .venv/bin/python bench/tuning.py [--rounds 40]

The crawl's commits with and without waiting for the disk, and with plans that may read whole tables; columns packed by
hand beside lists of psycopg and beside JSON; intake with and without the garbage collector; memory of a process that
read large pages, with and without mallopt. Both sides take turns in one run, so load of the machine changes neither.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil
from crawl_world import World
from scratch import on_scratch_database

GROWN = 400  # batches after which a plan made for empty tables should show
PREPARED = 2
SCANNED = "SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables WHERE relname IN ('visit', 'snapshot', 'page')"
LARGE_PAGES = """
import random, zlib
from gleanery.crawling.processes import memory
if {keeps}:
    memory.keep_small()
chance, kept, waiting = random.Random(7), [], []
for _ in range(400):
    body = chance.randbytes(chance.randrange(100_000, 4_000_000))
    text = body.hex()
    kept += [text[at * 1000 : at * 1000 + 700] for at in range(20)]  # what is still remembered of each page
    waiting.append((body, text, zlib.compress(body[:200_000], 1)))
    if len(waiting) > 8:  # pages of several sites at once end in any order
        waiting.pop(chance.randrange(len(waiting)))
waiting.clear()
del body, text
if {keeps}:
    memory.give_back()
print(open('/proc/self/statm').read().split()[1])
"""


def main(rounds: int) -> int:
    _show("commit of a batch: synchronous_commit on / off", _commits(rounds))
    _show("renewal of leases: synchronous_commit on / off", _holds(rounds))
    print(f"{'one flush of this disk':55} {_flush():8.2f} ms")
    (batch,) = World("columns").batches(1)
    for name, plain in (("lists of psycopg", _as_lists), ("JSON", _as_json)):
        _show(f"columns of a batch: {name} / packed by hand", _columns(rounds, batch, plain))
    _show("intake: collector on / paused", _intake(rounds // 4))
    _show("memory after large pages: without / with mallopt", _memory())
    _show("commit, plan of empty tables: enable_seqscan on / off", _plans())
    return 0


def _show(what: str, measured: tuple[float, float, str]) -> None:
    plain, ours, unit = measured
    print(f"{what:55} {plain:8.2f} / {ours:8.2f} {unit}  = {plain / ours:.2f}", flush=True)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _in_turns(rounds: int, plain: Callable[[], float], ours: Callable[[], float]) -> tuple[float, float]:
    """Return the medians; the first rounds warm up."""
    pairs = [(plain(), ours()) for _ in range(rounds + 5)][5:]
    return statistics.median(each[0] for each in pairs), statistics.median(each[1] for each in pairs)


def _commits(rounds: int) -> tuple[float, float, str]:
    from gleanery.crawling.frontier import statements

    world = World("commits")

    def commit(value: str) -> float:
        _wait_for_disk(value)
        (batch,) = world.batches(1)
        return _timed(partial(statements.commit, batch))

    return *_in_turns(rounds, partial(commit, "on"), partial(commit, "off")), "ms a batch"


def _holds(rounds: int) -> tuple[float, float, str]:
    """Time of what precedes each request: the lease is renewed and the site's rest is noted."""
    from gleanery.crawling.frontier import leases

    held = World("holds").leases

    def hold(value: str) -> float:
        _wait_for_disk(value)
        return _timed(partial(leases.hold, held, [0.0] * len(held)))

    return *_in_turns(rounds, partial(hold, "on"), partial(hold, "off")), "ms a batch"


def _wait_for_disk(value: str) -> None:
    from gleanery.crawling.frontier import leases

    leases.execute(f"SET synchronous_commit = {value}")


def _flush() -> float:
    """Return the time that a small write needs to reach the disk."""

    def write() -> None:
        file.write(bytes(8192))
        file.flush()
        os.fdatasync(file.fileno())

    with tempfile.TemporaryFile() as file:
        return statistics.median(_timed(write) for _ in range(50))


def _plans() -> tuple[float, float, str]:
    """Each side begins with a connection of its own and empty tables, and keeps the plans that it made then."""
    return _grown("on"), _grown("off"), "ms of CPU a batch"


def _grown(value: str) -> float:
    """Return CPU time of the server, and print the rows that it read by scanning tables whole."""
    from django.db import connection

    from gleanery.crawling.frontier import leases, statements

    leases.execute("TRUNCATE visit, snapshot, page CASCADE")
    leases.execute("ANALYZE visit, snapshot, page")
    leases.execute("SELECT pg_stat_reset()")
    connection.close()
    world = World(f"plans-{value}")
    leases.execute(f"SET synchronous_commit = off; SET enable_seqscan = {value}")
    connection.connection.prepare_threshold = PREPARED
    server, times = psutil.Process(connection.connection.info.backend_pid), []
    for batch in world.batches(GROWN):
        before = sum(server.cpu_times()[:2])
        statements.commit(batch)
        times.append(1000 * (sum(server.cpu_times()[:2]) - before))
    ((scanned,),) = leases.rows(SCANNED)
    print(f"  enable_seqscan = {value}: {scanned:,} rows read by whole scans")
    return statistics.mean(times[-100:])


def _columns(rounds: int, batch: Any, plain: Callable[[Any], object]) -> tuple[float, float, str]:
    """Time of sending the columns of a batch and making rows of them, without storing any."""
    return *_in_turns(
        rounds, lambda: _timed(lambda: plain(batch)), lambda: _timed(lambda: _packed(batch))
    ), "ms a batch"


def _packed(batch: Any) -> object:
    from gleanery.crawling.frontier.columns import columns, unnested
    from gleanery.crawling.frontier.leases import rows
    from gleanery.crawling.frontier.statements import VISITS

    statement = f"SELECT sum(octet_length(text)) FROM {unnested('given', VISITS)}"  # noqa: S608 - our own words
    return rows(statement, **columns(VISITS, batch))


def _as_lists(batch: Any) -> object:
    from gleanery.crawling.frontier.leases import rows
    from gleanery.crawling.frontier.statements import VISITS

    given = ", ".join(f"%({name})s::{TYPES[column.__name__]}[]" for name, (column, _) in VISITS.items())
    values = {name: [value(each) for each in batch] for name, (_, value) in VISITS.items()}
    statement = f"SELECT sum(octet_length(text)) FROM unnest({given}) AS given ({', '.join(VISITS)})"  # noqa: S608
    return rows(statement, **values)


def _as_json(batch: Any) -> object:
    from gleanery.crawling.frontier.leases import rows
    from gleanery.crawling.frontier.statements import VISITS

    types = ", ".join(f"{name} {TYPES[column.__name__]}" for name, (column, _) in VISITS.items())
    lines = [{name: _plain(value(each)) for name, (_, value) in VISITS.items()} for each in batch]
    statement = f"SELECT sum(octet_length(text)) FROM json_to_recordset(%(rows)s::json) AS given ({types})"  # noqa: S608
    return rows(statement, rows=json.dumps(lines, ensure_ascii=False, default=str))


TYPES = {
    "Bools": "bool",
    "Blobs": "bytea",
    "Ints": "int",
    "Texts": "text",
    "Floats": "float8",
    "Moments": "timestamptz",
    "Ids": "uuid",
}


def _plain(value: Any) -> Any:
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


def _intake(rounds: int) -> tuple[float, float, str]:
    from intake_world import NEWS, thing

    from gleanery.resolution.services import intake, source_named

    source, number = source_named("tuning"), iter(range(NEWS, 10 * NEWS))

    def batch(take: Callable[..., object]) -> float:
        given = [thing(next(number)) for _ in range(1_000)]
        gc.collect()  # neither side pays for what the other left
        began = time.process_time()
        take(source, given)
        return 1000 * (time.process_time() - began)

    return *_in_turns(rounds, partial(batch, intake.__wrapped__), partial(batch, intake)), "ms of CPU for 1,000"


def _memory() -> tuple[float, float, str]:
    return _resident(keeps=False), _resident(keeps=True), "MB"


def _resident(*, keeps: bool) -> float:
    ran = subprocess.run(  # noqa: S603 - a program of our own
        [sys.executable, "-c", LARGE_PAGES.format(keeps=keeps)], check=True, capture_output=True, text=True
    )
    return int(ran.stdout) * 4096 / 2**20


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    sys.exit(on_scratch_database(lambda: main(options.rounds)))
