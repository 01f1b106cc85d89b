"""How long the feeds of a search take, and what they hold in memory, among so many published events.

    python bench/followed.py [--records 20000]

Each of the two is asked a few times; the first answer of the calendar is beside the whole of it, and a 304 beside both.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable

from scratch import on_scratch_database

TIMES = 5
FILL = """
    INSERT INTO record (id, kind, status, name, fields, provenance, published_at, start_date)
    SELECT md5(n::text)::uuid, 'event', 'published', 'Event ' || n,
           jsonb_build_object('name', 'Event ' || n, 'start', to_char(now() + n %% 300 * interval '1 day',
               'YYYY-MM-DD"T"19:00:00'), 'country', 'BG', 'locality', 'Town ' || n %% 50, 'venue_name', 'The Rex',
               'description', repeat('A sentence about what is on that evening. ', 10)),
           '{}', now() - n * interval '1 minute', (now() + n %% 300 * interval '1 day')::date
    FROM generate_series(1, %(count)s) AS n;
    INSERT INTO occurrence (id, record_id, start, "end", start_date)
    SELECT md5(n || ' once')::uuid, md5(n::text)::uuid, day + interval '17 hours', day + interval '19 hours', day::date
    FROM generate_series(1, %(count)s) AS n,
         LATERAL (SELECT date_trunc('day', now(), 'UTC') + n %% 300 * interval '1 day' AS day) AS days;
"""


def main(count: int) -> int:
    from django.db import connection
    from django.test import Client

    with connection.cursor() as cursor:
        cursor.execute(FILL, {"count": count})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client(headers={"host": "localhost"})
    etag = client.get("/feeds/calendar.ics")["ETag"]
    print(f"{count:,} events")
    for name, ask in (
        ("calendar, until the first byte", lambda: next(iter(client.get("/feeds/calendar.ics").streaming_content))),
        ("calendar, all of it", lambda: sum(map(len, client.get("/feeds/calendar.ics").streaming_content))),
        ("calendar, 304", lambda: client.get("/feeds/calendar.ics", headers={"If-None-Match": etag}).status_code),
        ("calendar of a town", lambda: sum(map(len, client.get("/feeds/calendar.ics?place=Town 7").streaming_content))),
        ("Atom, 50 entries", lambda: len(client.get("/feeds/atom.xml").content)),
    ):
        print(f"  {name:<32}{1000 * statistics.median(timed(ask) for _ in range(TIMES)):8.0f} ms")
    tracemalloc.start()
    size = sum(map(len, client.get("/feeds/calendar.ics").streaming_content))
    print(f"  {size / 1e6:.1f} MB of calendar, at most {tracemalloc.get_traced_memory()[1] / 1e6:.1f} MB in memory")
    return 0


def timed(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    given = parser.parse_args()
    raise SystemExit(on_scratch_database(lambda: main(given.records)))
