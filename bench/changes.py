"""What the change feed costs: writing records with its triggers and without, listing, and reading, in one run.

.venv/bin/python bench/changes.py [records]
"""

from __future__ import annotations

import sys
import time
from typing import Any

from scratch import on_scratch_database

FILL = """
    INSERT INTO record (id, kind, status, name, fields, provenance, published_at)
    SELECT md5(%(part)s::text || n)::uuid, 'event', 'published', 'Thing ' || n,
           jsonb_build_object('name', 'Thing ' || n, 'description', repeat('word ', 150), 'cost', '0'), '{}', now()
    FROM generate_series(1, %(many)s) AS n
"""
CHANGE = "UPDATE record SET fields = fields || jsonb_build_object('cost', version::text), version = version + 1"
TOUCH = "UPDATE record SET version = version + 1, updated_at = now()"
TRIGGERS = ("record_added_listed", "record_changed_listed")


def timed(what: str, count: int, statement: str, **values: Any) -> float:
    from gleanery.sql import execute

    began = time.perf_counter()
    execute(statement, **values)
    return say(what, count, time.perf_counter() - began)


def say(what: str, count: int, seconds: float) -> float:
    print(f"{what:<36} {seconds:7.2f} s {count / seconds:>12,.0f} a second")
    return seconds


def switch(to: str) -> None:
    from gleanery.sql import execute

    for trigger in TRIGGERS:
        execute(f"ALTER TABLE record {to} TRIGGER {trigger}")


def main() -> int:
    from gleanery.publishing.changes import feed, listing
    from gleanery.sql import execute

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    spent: dict[str, list[float]] = {}
    for to in ("DISABLE", "ENABLE"):
        switch(to)
        execute("TRUNCATE record CASCADE")
        without = "without the feed" if to == "DISABLE" else "with the feed"
        spent[to] = [
            timed(f"new records, {without}", count, FILL, part=to, many=count),
            timed(f"updates, {without}", count, CHANGE),
            timed(f"updates of nothing public, {without}", count, TOUCH),
        ]
    ratios = [after / before for before, after in zip(*spent.values(), strict=True)]
    print("the feed makes them " + ", ".join(f"{ratio:.2f}" for ratio in ratios) + " times as long")
    began = time.perf_counter()
    listing.list_changes()
    say("listing", 2 * count, time.perf_counter() - began)
    began = time.perf_counter()
    pages, cursor = 0, feed.page(None, 1_000).next_cursor
    while (page := feed.page(cursor, 1_000)).changes:
        pages, cursor = pages + 1, page.next_cursor
    say("pages of 1,000 changes", pages, time.perf_counter() - began)
    return 0


if __name__ == "__main__":
    sys.exit(on_scratch_database(main))
