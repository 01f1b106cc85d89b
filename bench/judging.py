"""Speed of judging: 100,000 results read, judged and written, with the time of each part.

.venv/bin/python bench/judging.py [results] [domains]
"""

from __future__ import annotations

import sys
import time
from typing import Any

from results_intake import hits
from scratch import on_scratch_database

PAGES = 10_000


class Clock:
    """Adds up the seconds spent in functions, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def watch(self, owner: Any, name: str) -> None:
        inner = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                self.seconds[name] = self.seconds.get(name, 0) + time.perf_counter() - started

        setattr(owner, name, timed)


def main() -> None:
    from gleanery.accounts.actor import system
    from gleanery.discovery import services as discovery
    from gleanery.discovery.intake import store_hits
    from gleanery.discovery.screening import ScreenedHit, screen
    from gleanery.domains.names import domain_of
    from gleanery.judging import numbers, services, storage

    count, domains = (int(each) for each in (*sys.argv[1:3], 100_000, 20_000)[:2])
    session = discovery.start_file_session(system(), discovery.add_topic(system(), "funding", "Bulgaria"))
    made = [
        ScreenedHit(hit.query, hit.url, hit.title, hit.description, hit.position, domain=domain_of(hit.url))
        for hit in hits(count, domains)
    ]
    assert not screen(hits(1, 1)[0]).outcome
    for start in range(0, count, PAGES):
        store_hits(session.pk, "searxng", made[start : start + PAGES])
    clock = Clock()
    clock.watch(services, "judge")
    for name in ("unjudged", "history", "store", "good", "low"):
        clock.watch(storage, name)
    clock.watch(services.journal, "move_many")
    cpu, started = time.process_time(), time.perf_counter()
    run = services.judge_session(session)
    seconds, busy = time.perf_counter() - started, time.process_time() - cpu
    found = numbers.of_run(run.pk)
    print(f"{found.total:,} results judged in {seconds:.1f} s: {found.total / seconds:,.0f} a second")
    print(f"{found.created:,} domains became candidates; {busy:.1f} s of it in Python")
    for name, spent in sorted(clock.seconds.items(), key=lambda each: -each[1]):
        print(f"  {name:12}{spent:7.2f} s {spent / seconds:6.0%}{spent / found.total * 1e6:9.1f} µs a result")


if __name__ == "__main__":
    on_scratch_database(main)
