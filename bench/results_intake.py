"""Speed of set-based intake of search results, compared with row-by-row intake as in the earlier design.

    .venv/bin/python bench/results_intake.py [results] [domains]

Both clean and sift in the same way (done once, with its time counted for both), use the same database in one process,
and must produce the same state. Only a part is run row by row, since that is slow; states are compared on that part.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scratch import on_scratch_database

ROOT = Path(__file__).parents[1]
WORDS = ("school", "grant", "youth", "culture", "library", "museum", "community", "health", "rural", "science", "music")
PER_ROW_PART = 10_000


def hits(count: int, domains: int) -> list[Any]:
    from gleanery.discovery.hit import Hit

    chance = random.Random(7)
    made = []
    for number in range(count):
        site = f"site{number if number < domains else chance.randrange(domains)}.example"
        title = " ".join(chance.sample(WORDS, 5)).capitalize()
        text = f"The foundation of {title.lower()} supports teachers and pupils; it invites all to apply by spring."
        made.append(Hit(f"query {number // 20}", f"https://www.{site}/{number}", title, text, number % 20 + 1))
    chance.shuffle(made)
    return made


def one_by_one(session: Any, screened: list[Any]) -> None:
    """Store results row by row: look up blacklist and domain, insert or update, count, and commit."""
    from django.db import connection, transaction

    from gleanery.ids import uuid7

    for hit in screened:
        with transaction.atomic(), connection.cursor() as cursor:
            name = hit.domain.name
            cursor.execute("SELECT 1 FROM domain WHERE name = %s AND processing_status = 'blacklisted'", [name])
            if cursor.fetchone():
                continue
            cursor.execute("SELECT id FROM domain WHERE name = %s", [name])
            known = cursor.fetchone()
            if known:
                cursor.execute("UPDATE domain SET last_seen_at = now() WHERE id = %s", known)
            else:
                known = (uuid7(),)
                cursor.execute(
                    "INSERT INTO domain (id, name, registrable, first_session) VALUES (%s, %s, %s, %s)",
                    [known[0], name, hit.domain.registrable, session.pk],
                )
            outcome = "duplicate" if known and cursor.statusmessage.startswith("UPDATE") else "new"
            cursor.execute(
                "INSERT INTO result (id, session_id, provider, query, position, url, title, description, domain_name,"
                " domain_id, outcome) VALUES (%s, %s, 'searxng', %s, %s, %s, %s, %s, %s, %s, %s)",
                [
                    uuid7(),
                    session.pk,
                    hit.query,
                    hit.position,
                    hit.url,
                    hit.title,
                    hit.description,
                    name,
                    known[0],
                    outcome,
                ],
            )
            cursor.execute("UPDATE bench_counter SET results = results + 1, new = new + %s", [int(outcome == "new")])


def in_pages(size: int) -> Callable[[Any, list[Any]], None]:
    from gleanery.discovery.intake import store_hits

    def run(session: Any, screened: list[Any]) -> None:
        for page in pages(screened, size):
            store_hits(session.pk, "searxng", page)

    return run


def pages(items: list[Any], size: int) -> Iterator[list[Any]]:
    rest = iter(items)
    while page := list(islice(rest, size)):
        yield page


def state() -> tuple[list[Any], list[Any]]:
    from gleanery.discovery.models import Result
    from gleanery.domains.models import Domain

    return (
        sorted(Domain.objects.values_list("name", "registrable")),
        sorted(Result.objects.values_list("query", "position", "url", "domain_name", "outcome")),
    )


def measure(way: Callable[[Any, list[Any]], None], screened: list[Any]) -> tuple[float, tuple[list[Any], list[Any]]]:
    from django.db import connection

    from gleanery.accounts.actor import system
    from gleanery.discovery import services
    from gleanery.discovery.models import Topic

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE result, question, session, domain CASCADE")
        cursor.execute("DROP TABLE IF EXISTS bench_counter; CREATE TABLE bench_counter (results int, new int)")
        cursor.execute("INSERT INTO bench_counter VALUES (0, 0)")
    topic = Topic.objects.first() or services.add_topic(system(), "funding", "Bulgaria")
    session = services.start_file_session(system(), topic)
    started = time.perf_counter()
    way(session, screened)
    seconds = time.perf_counter() - started
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE result, domain")
    return seconds, state()


def main() -> None:
    from gleanery.discovery.screening import screen

    count, domains = (int(each) for each in (*sys.argv[1:3], 100_000, 20_000)[:2])
    raw = hits(count, domains)
    started = time.perf_counter()
    screened = [screen(hit) for hit in raw]
    cleaning = (time.perf_counter() - started) / count
    assert not any(hit.outcome for hit in screened), "the bench wants honest hits only"
    part = screened[: min(PER_ROW_PART, count)]
    row_seconds, row_state = measure(one_by_one, part)
    part_pages, page_part = measure(in_pages(20), part)
    part_file, file_part = measure(in_pages(10_000), part)
    assert row_state == page_part == file_part, "all ways must end alike"
    print(f"on the same {len(part):,}: pages {row_seconds / part_pages:.1f}x, file {row_seconds / part_file:.1f}x")
    page_seconds, page_state = measure(in_pages(20), screened)
    file_seconds, file_state = measure(in_pages(10_000), screened)
    assert page_state == file_state, "both sizes must end alike"
    rows = {
        "one by one": row_seconds / len(part),
        "pages of 20": page_seconds / count,
        "files of 10,000": file_seconds / count,
    }
    print(
        f"{count:,} results over {len(page_state[0]):,} domains; cleaning and checking {cleaning * 1e6:.0f} µs a result"
    )
    print(f"{'way':18}{'storing':>12}{'rows/s':>10}{'ratio':>8}{'with cleaning':>15}{'rows/s':>10}{'ratio':>8}")
    slowest = rows["one by one"]
    for name, each in rows.items():
        whole, slowest_whole = each + cleaning, slowest + cleaning
        print(
            f"{name:18}{each * 1e6:9.0f} µs{1 / each:10,.0f}{slowest / each:7.1f}x"
            f"{whole * 1e6:12.0f} µs{1 / whole:10,.0f}{slowest_whole / whole:7.1f}x"
        )


if __name__ == "__main__":
    on_scratch_database(main)
