"""Finding among a million published records: how fast searches and filters are answered, and the start page.

    .venv/bin/python bench/publishing.py [--quick] [--records 1000000] [--asked 60]

Times are of the database and what reads from it, without HTTP and templates; no question is asked twice. What is
claimed is the time on a processor: that of the wall depends on who else works on the machine. Beside it,
in the same run and with the same records, the full text search of SQLite as Datasette has it: FTS5 over name,
description and place, the first twenty by rank, and a count of all.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from intake import verdict
from scratch import on_scratch_database

TODAY = datetime.now(UTC).date()
AT_A_TIME = 10_000
WANTED_MS = 50
COMMON = ("concert", "workshop", "community", "free")  # the first in a tenth of all, the last in half
TOWNS = 400


def main() -> int:
    options = arguments()
    begun = time.perf_counter()
    fill(options.records)
    print(f"{options.records:,} records in {time.perf_counter() - begun:.0f} s")
    sizes()
    with tempfile.TemporaryDirectory() as scratch:
        return verdict(
            [*searches(options), *views(options), *start_page(), *datasette(options, Path(scratch) / "fts.db")]
        )


class Times(NamedTuple):
    """Of one question, in milliseconds."""

    p50: float
    p95: float
    busy: float  # p95 of the time on a processor, ours and the server's, which a busy machine does not change

    def __str__(self) -> str:
        return f"p50 {self.p50:6.1f}, p95 {self.p95:6.1f} (processor {self.busy:6.1f}) ms"


def timed(asked: list[Callable[[], Any]]) -> Times:
    server = Path(f"/proc/{backend()}/schedstat")

    def spent() -> tuple[float, float]:
        return time.perf_counter() * 1e3, time.process_time() * 1e3 + int(server.read_text().split()[0]) / 1e6

    taken = []
    for each in asked:
        before = spent()
        each()
        taken.append([now - then for now, then in zip(spent(), before, strict=True)])
    wall, busy = (quantiles(each, n=20, method="inclusive") for each in zip(*taken, strict=True))
    return Times(wall[9], wall[18], busy[18])


def backend() -> int:
    from gleanery.sql import rows

    ((pid,),) = rows("SELECT pg_backend_pid()")
    return int(pid)


def searches(options: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    from gleanery.publishing.search import facets, statements

    def counts(filters: Any) -> None:
        facets.kinds_of(filters, TODAY)
        facets.towns_of(filters, TODAY)
        facets.languages_of(filters, TODAY)

    for name, filters in questions(options.asked):
        for each in filters[:3]:
            statements.search(each, TODAY)
        hits = timed([partial(statements.hits, each, TODAY) for each in filters])
        counted = timed([partial(counts, each) for each in filters])
        print(f"{name:24} hits {hits}   counts {counted}")
        yield f"hits: {name}", hits.busy <= WANTED_MS
        yield f"counts: {name}", counted.busy <= WANTED_MS


def views(options: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    from gleanery.publishing.search.map import map_of
    from gleanery.publishing.search.month import month

    few = [each for _, filters in questions(options.asked) for each in filters[:3]]
    for name, view in (("a map", map_of), ("a month", lambda f, today: month(f, today.replace(day=1), today))):
        for each in few:
            view(each, TODAY)
        times = timed([partial(view, each, TODAY) for each in few])
        print(f"{name:24} {times}")
        yield name, times.busy <= WANTED_MS


def questions(asked: int) -> list[tuple[str, list[Any]]]:
    from lookup_world import word

    from gleanery.publishing.search.filters import Filters
    from gleanery.publishing.search.positions import Position

    chance = random.Random(7)
    numbers = [chance.randrange(30, 30_000) for _ in range(asked)]
    towns = [town(chance.randrange(TOWNS)) for _ in range(asked)]
    days = [TODAY + timedelta(days=chance.randrange(1, 300)) for _ in range(asked)]
    plain = [Filters(kind=chance.choice(("", "event", "funding", "place"))) for _ in range(asked)]
    common = [Filters(q=chance.choice(COMMON)) for _ in range(asked)]
    found = {
        "nothing but a kind, soonest": plain,
        "newest": [replace(each, sort="new") for each in plain],
        "by name": [replace(each, sort="name") for each in plain],
        "a rare word": [Filters(q=word(number)) for number in numbers],
        "two words": [Filters(q=f"{word(number % 60)} {chance.choice(COMMON)}") for number in numbers],
        "a slip": [Filters(q=f"{word(number)[:-1]}x{word(number)[-1]}") for number in numbers],
        "a common word, best": common,
        "a common word, soonest": [replace(each, sort="soon") for each in common],
        "a town": [Filters(place=each) for each in towns],
        "this week": [Filters(kind="event", when="week", free=chance.random() < 0.5) for _ in range(asked)],
        "the weekend": [Filters(kind="event", when="weekend") for _ in range(asked)],
        "three days, later": [Filters(kind="event", first=each, last=each + timedelta(days=2)) for each in days],
        "closes by": [Filters(deadline=each) for each in days],
        "near, nearest first": [
            Filters(near="x", position=Position(36 + number % 20, 5 + number % 15), within=10, sort="near")
            for number in numbers
        ],
        "free, of one language": [Filters(free=True, language=chance.choice(("en", "bg"))) for _ in range(asked)],
    }
    return list(found.items())


def start_page() -> Iterator[tuple[str, bool]]:
    from gleanery.publishing.search.front import front, front_kept

    begun = time.perf_counter()
    front(TODAY)
    cold = (time.perf_counter() - begun) * 1e3
    front_kept(TODAY)
    kept = timed([partial(front_kept, TODAY) for _ in range(50)])
    print(f"{'start page':24} {kept}; {cold:.0f} ms once a minute")
    yield "start page", kept.busy <= WANTED_MS


def datasette(options: argparse.Namespace, file: Path) -> Iterator[tuple[str, bool]]:
    from gleanery.publishing.search import statements

    store = sqlite3.connect(file)
    store.execute("CREATE VIRTUAL TABLE things USING fts5(name, description, locality, tokenize='unicode61')")
    for batch in batches(options.records):
        rows = [(each["name"], each["description"], each["locality"]) for _, each, *_ in batch]
        store.executemany("INSERT INTO things VALUES (?, ?, ?)", rows)
    store.commit()

    def ask(text: str) -> None:
        listed = "SELECT rowid, name FROM things WHERE things MATCH ? ORDER BY rank LIMIT 20"
        store.execute(listed, (text,)).fetchall()
        store.execute("SELECT count(*) FROM things WHERE things MATCH ?", (text,)).fetchall()

    asked = dict(questions(options.asked))
    for name in ("a rare word", "two words", "a common word, best"):
        for each in asked[name][:3]:
            ask(each.q)
        theirs = timed([partial(ask, each.q) for each in asked[name]])
        ours = timed([partial(statements.search, each, TODAY) for each in asked[name]])
        print(f"{name:24} ours with all counts {ours}   SQLite FTS5 with its count {theirs}")
    yield from ()


def town(number: int) -> str:
    from lookup_world import word

    return word(30_000 + number)


def batches(many: int) -> Iterator[list[tuple[Any, ...]]]:
    made = (thing(number) for number in range(many))
    while batch := list(islice(made, AT_A_TIME)):
        yield batch


def thing(number: int) -> tuple[Any, ...]:
    """Id, fields, kind, first day, deadline: six of ten are events, a tenth of these over."""
    from lookup_world import uneven, word

    chance = random.Random(number)
    kind = chance.choices(("event", "funding", "service", "place", "organization"), (60, 10, 10, 12, 8))[0]
    names = [word(uneven(chance, 30_000)) for _ in range(chance.choice((2, 2, 3)))]
    said = [word(uneven(chance, 30_000)).lower() for _ in range(30)]
    for common, share in zip(COMMON, (0.1, 0.2, 0.3, 0.5), strict=True):
        if chance.random() < share:
            (names if chance.random() < 0.2 else said).append(common)
    at = uneven(chance, TOWNS)
    fields = {
        "name": " ".join(names),
        "description": " ".join(said),
        "locality": town(at),
        "lat": round(36 + at % 20 + chance.gauss(0, 0.05), 5),
        "lon": round(5 + at // 20 + chance.gauss(0, 0.05), 5),
        "in_language": chance.choice(("en", "en", "bg", "de")),
        "is_accessible_for_free": chance.random() < 0.3,
    }
    day = TODAY + timedelta(days=chance.randrange(-36, 330)) if kind == "event" else None
    closes = TODAY + timedelta(days=chance.randrange(-30, 300)) if kind == "funding" else None
    return f"01900000-0000-7000-8000-{number:012x}", fields, kind, day, closes


def fill(many: int) -> None:
    """As the stages before write them: by COPY, and the triggers do the rest."""
    from gleanery.sql import cell, copy, execute, line

    now = datetime.now(UTC)
    execute("SET synchronous_commit = off")
    for number, batch in enumerate(batches(many)):
        at = now - timedelta(minutes=number)
        execute("BEGIN")
        copy(
            "occurrence",
            ("id", "record_id", "start", "start_date"),
            [line((each[0], each[0], f"{each[3]} 19:00:00+00", each[3])) for each in batch if each[3]],
        )
        copy(
            "record",
            ("id", "kind", "status", "name", "fields", "provenance", "start_date", "deadline", "published_at", "notes"),
            [
                line((key, kind, "published", fields["name"], cell(json.dumps(fields)), "{}", day, closes, at, "{}"))
                for key, fields, kind, day, closes in batch
            ],
        )
        execute("COMMIT")
    execute("SELECT gin_clean_pending_list('search_words'), gin_clean_pending_list('search_name')")
    execute("VACUUM ANALYZE")


def sizes() -> None:
    from gleanery.sql import rows

    ((table, indexes),) = rows("SELECT pg_table_size('search_entry'), pg_indexes_size('search_entry')")
    print(f"search_entry: {table / 2**20:,.0f} MB, its indexes {indexes / 2**20:,.0f} MB")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20,000 records, twenty questions of each sort")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--asked", type=int, default=60, help="questions of each sort")
    options = parser.parse_args()
    if options.quick:
        options.records, options.asked = 20_000, 20
    return options


if __name__ == "__main__":
    sys.exit(on_scratch_database(main))
