"""Exports of a large store in every format: records a second, and that memory does not grow with their number.

    .venv/bin/python bench/export.py [--records 100000] [--format jsonl] [--site]

Asked: 20,000 records a second as JSON Lines, and no more than 30 MB more at the end than after the first tenth. With
--site instead: the static copy of 10,000 records within a minute.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import psutil
from scratch import on_scratch_database

ASKED = 20_000
MOST_MEGABYTES = 30
OF_A_SITE, MOST_SECONDS = 10_000, 60


def main() -> int:
    from django.db import connection
    from intake_world import Store

    from gleanery.publishing.exports.formats import FORMATS

    options = arguments()
    Store().fill(options.records)
    with connection.cursor() as cursor:  # the store is filled without triggers
        cursor.execute("SELECT store_search_entries(array_agg(id)) FROM record")
        cursor.execute("VACUUM ANALYZE search_entry")
    if options.site:
        return site()
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for each in FORMATS:
            if not options.format or each.name == options.format:
                rates[each.name] = one(each, Path(folder))
    speed, grown = rates.get("jsonl", (ASKED, 0))
    holds = speed >= ASKED and grown <= MOST_MEGABYTES
    print("claim holds" if holds else "claim FAILS")
    return 0 if holds else 1


def one(form, folder: Path) -> tuple[float, float]:
    from gleanery.publishing.exports.services import Wanted, export
    from gleanery.publishing.search.filters import Filters

    memory: list[float] = []
    process = psutil.Process()
    wanted = Wanted(format=form, filters=Filters(), root="https://example.org")
    started = time.perf_counter()
    written = export(wanted, folder / form.name, advance=lambda _: memory.append(process.memory_info().rss / 2**20))
    spent = time.perf_counter() - started
    count = sum(written.counts.values())
    grown = memory[-1] - memory[len(memory) // 10]
    print(
        f"{form.name:13} {count:9,} records {count / spent:9,.0f}/s {written.size / 2**20:8.1f} MB;"
        f" memory {memory[-1]:.0f} MB, {grown:+.0f} MB after the first tenth"
    )
    return count / spent, grown


def site() -> int:
    """Seconds of the clock and of the processors, those of the server included: other work changes only the former."""
    from django.db import connection, connections

    from gleanery.publishing.static_site.services import copy_site

    server = psutil.Process(connection.connection.info.backend_pid).parent()
    holds = True
    with tempfile.TemporaryDirectory() as folder:
        for which in ("first copy", "again, nothing changed"):
            connections.close_all()
            started, used = time.perf_counter(), processor_seconds(server)
            copied = copy_site(Path(folder) / "site", "https://example.org", processes=2)
            connections.close_all()
            share = OF_A_SITE / copied.records
            spent, busy = (time.perf_counter() - started) * share, (processor_seconds(server) - used) * share
            print(f"{which}: {copied.records:,} records, {copied.files:,} files, {copied.written:,} written")
            print(f"  {OF_A_SITE:,} would take {spent:.0f} s; {busy:.0f} s of processors, {busy / 2:.0f} s on two")
            holds = holds and busy / 2 <= MOST_SECONDS
    print("claim holds" if holds else "claim FAILS")
    return 0 if holds else 1


def processor_seconds(server: psutil.Process) -> float:
    """Of this process and its helpers, and of the server's processes, as far as they have ended."""
    own, theirs = psutil.Process().cpu_times(), server.cpu_times()
    return (
        own.user + own.system + own.children_user + own.children_system + theirs.children_user + theirs.children_system
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--format", default="")
    parser.add_argument("--site", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(on_scratch_database(main))
