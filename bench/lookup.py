"""Speed and recall of the search for near duplicates among a million places and a million events.

    .venv/bin/python bench/lookup.py [--quick] [--places 1000000] [--events 1000000] [--observations 100000]

It is compared with the query of the earlier design, trigram similarity of names, in the same run. Of each labelled pair
in tests/matching, one record is added to the store and the other looked up. Observations are stored by three processes
in parallel, like imports, requests and jobs; they prepare in parallel and write one at a time. CPU times of both
processes and server are shown as well, since they do not depend on other load. The index of keys is in memory.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from statistics import quantiles
from typing import Any

from intake import Claim, Cost, Meter, verdict
from scratch import on_scratch_database
from side_by_side import MANY, share, side_by_side

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import labelled

ROOT = Path(__file__).parents[1]
BATCH = 1_000
FIRST_NEW = 10**9  # numbers from here are not in the store
LABELLED = {
    "event": "events",
    "funding": "funding",
    "opportunity": "opportunities",
    "organization": "organizations",
    "place": "places",
    "service": "services",
}
# The query of the earlier design; no index can serve it.
LITERAL = """
    SELECT id, name, similarity(name, %(name)s) AS sim FROM record
    WHERE kind = 'place' AND similarity(name, %(name)s) > 0.6 ORDER BY sim DESC LIMIT 3
"""


def timed(tasks: list[Callable[[], Any]]) -> tuple[float, float]:
    """Return median and 95th percentile in milliseconds."""
    taken = []
    for task in tasks:
        begun = time.perf_counter()
        task()
        taken.append((time.perf_counter() - begun) * 1e3)
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18]


def places(many: int, asked: int) -> Iterator[Claim]:
    from lookup_world import blurred, place

    from gleanery.matching.facts import facts
    from gleanery.matching.live.candidates import near
    from gleanery.sql import execute, rows

    chance = random.Random(1)
    variants = [blurred(place(chance.randrange(many)), chance) for _ in range(asked)]
    subjects = [facts("place", each) for each in variants]
    for each in subjects[:20]:
        near({"asked": each})
    median, p95 = timed([lambda each=each: near({"asked": each}) for each in subjects])
    execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    few = [lambda each=each: rows(LITERAL, name=each["name"]) for each in variants[: max(10, asked // 50)]]
    slow, _ = timed(few)
    print(f"candidates of a place:   p50 {median:7.2f} ms, p95 {p95:7.2f} ms   (asked: p95 at most 10 ms)")
    print(f"literal trigram query:   p50 {slow:7.0f} ms; ours is {slow / median:,.0f}x faster (asked: 100x)")
    yield "candidates of a place", p95 <= 10
    yield "against the literal query", slow >= 100 * median


def events(many: int, venues: int, batches: int) -> Iterator[Claim]:
    from lookup_world import blurred, event, record_id

    from gleanery.gc_pause import gc_paused
    from gleanery.matching.facts import facts
    from gleanery.matching.live import candidates

    chance, looked, whole, found = random.Random(2), Meter(), Meter(), 0
    for _ in range(batches):
        subjects = {}
        for number in chance.sample(range(many), BATCH):
            fields, venue = event(number, venues)
            subjects[f"asked {number}"] = facts("event", blurred(fields, chance), place=record_id("place", venue))
        wanted = {record: candidates.stored.key_sets(one).wanted for record, one in subjects.items()}
        with gc_paused():  # as intake does
            looked.run(lambda wanted=wanted: candidates._holders({}, {*chain(*wanted.values())}, {}, ()))
            near = whole.run(lambda subjects=subjects: candidates.near(subjects))
        found += sum(
            any(each.record == record_id("event", int(asked.split()[1])) for each in listed)
            for asked, listed in near.items()
        )
    cost = looked.cost(batches * BATCH)
    print(f"an event in a batch:     looked up in  {cost}   (asked: at most 100 µs)")
    print(f"                         with scoring  {whole.cost(batches * BATCH)}; {found / batches / BATCH:.3f} found")
    yield "an event in a batch", cost.wall <= 100


def recall() -> Iterator[Claim]:
    """Store one record of each pair and look up the other, then roll back."""
    from django.db import transaction

    print("blocking recall on labelled pairs, all in one store (asked: 0.97):")
    with transaction.atomic():
        told = {kind: _pairs(file) for kind, file in LABELLED.items()}
        _store(told)
        hit: Counter[str] = Counter()
        best: Counter[str] = Counter()
        many: Counter[str] = Counter()
        for kind, pairs in labelled.items():
            for number, pair in enumerate(pairs):
                if pair["same"]:
                    many[kind] += 1
                    blocked, scored = _is_found(kind, pair["b"], _id(kind, number))
                    hit[kind] += blocked
                    best[kind] += scored
        transaction.set_rollback(True)
    for counts in (hit, best, many):
        counts["all"] = counts.total()
    for kind, whole in many.items():
        print(f"  {kind:14} {hit[kind] / whole:.3f} of {whole:4} share a key; {best[kind] / whole:.3f} are scored")
    yield "blocking recall", hit["all"] >= 0.97 * many["all"]


def _pairs(file: str) -> list[Any]:
    return [*labelled.rows("choose", f"pairs_{file}"), *labelled.rows("held_out", f"pairs_{file}")]


def _id(kind: str, number: int) -> str:
    return f"0190000f-0000-7000-8000-{list(LABELLED).index(kind):06x}{number:06x}"


def _store(labelled: dict[str, list[Any]]) -> None:
    from gleanery.matching.facts import facts
    from gleanery.matching.live import stored
    from gleanery.sql import execute

    for kind, pairs in labelled.items():
        subjects = {_id(kind, number): facts(kind, pair["a"]) for number, pair in enumerate(pairs)}
        execute(
            "INSERT INTO record (id, kind, status, name, fields, provenance)"
            " SELECT id, %(kind)s, 'in_review', 'x', '{}', '{}'"
            " FROM unnest(%(ids)s::uuid[]) AS id",
            kind=kind,
            ids=list(subjects),
        )
        stored.write(stored.changed(subjects, subjects))


def _is_found(kind: str, fields: dict[str, Any], wanted: str) -> tuple[bool, bool]:
    from gleanery.matching.facts import facts
    from gleanery.matching.live import candidates

    one = facts(kind, fields)
    keys = {"asked": candidates.stored.key_sets(one).wanted}
    holders = candidates._holders({}, keys["asked"], {}, ())
    blocked = any(wanted in listed for listed in holders.of.values())
    return blocked, wanted in candidates._promising({"asked": one}, keys, holders, {}).get("asked", ())


def taking_in(venues: int, many_events: int, observations: int) -> Iterator[Claim]:
    from gleanery.resolution.services import intake, source_named

    sources = [source_named(f"new {number}") for number in range(MANY)]

    def work(process: int, begin: Callable[[], object]) -> tuple[list[float], Counter[str], Counter[str]]:
        meter, outcomes, warned = Meter(), Counter[str](), Counter[str]()
        batches = list(_news(venues, many_events, share(range(observations // BATCH), process)))
        gc.collect()
        gc.freeze()  # excludes the objects of the benchmark from garbage collection
        begin()
        for drafts in batches:
            answers = meter.run(lambda drafts=drafts: intake(sources[process], drafts))
            outcomes.update(each.outcome for each in answers)
            warned.update(code for each in answers for code in {doubt.code for doubt in each.warnings})
        return meter.spent, outcomes, warned

    done = side_by_side(work)
    _, client, server = (sum(each) for each in zip(*(spent for spent, _, _ in done.results), strict=True))
    cost = Cost(*(spent / observations * 1e6 for spent in (done.wall, client, server)))
    outcomes, warned = (sum((each[part] for each in done.results), Counter[str]()) for part in (1, 2))
    print(f"intake with matching:    {cost}   (asked: 1,500/s)")
    print(f"                         {dict(outcomes)}, {dict(warned)}")
    yield "intake with matching", cost.wall <= 1e6 / 1_500


def _news(venues: int, many: int, batches: Iterable[int]) -> Iterator[list[Any]]:
    """Yield batches: three of four are events; a tenth are near duplicates of stored records, the rest new."""
    from lookup_world import blurred, event, place

    from gleanery.resolution.intake.observation_draft import Given

    for batch in batches:
        chance = random.Random(3 + batch)
        drafts = []
        for number in range(BATCH):
            new, key = FIRST_NEW + batch * BATCH + number, f"{batch} {number}"
            is_near = number % 10 == 0
            if number % 4:
                fields, _ = event(chance.randrange(many) if is_near else new, venues)
                kind = "event"
            else:
                fields, kind = place(chance.randrange(venues) if is_near else new), "place"
            drafts.append(Given(kind=kind, external_id=key, payload=blurred(fields, chance) if is_near else fields))
        yield drafts


def main() -> int:
    from lookup_world import fill

    from gleanery.sql import rows

    options = arguments()
    started = time.perf_counter()
    fill(options.places, options.events)
    ((records, keys, size),) = rows(
        "SELECT (SELECT count(*) FROM record), (SELECT count(*) FROM likeness_key),"
        " pg_total_relation_size('likeness_key') + pg_total_relation_size('likeness')"
    )
    print(
        f"filled in {time.perf_counter() - started:.0f} s: {records:,} records, {keys:,} keys"
        f" ({keys / records:.1f} each), {size / 2**20:,.0f} MB"
    )
    return verdict(
        chain(
            places(options.places, 200 if options.quick else 1_000),
            events(options.events, options.places, 3 if options.quick else 10),
            recall(),
            taking_in(options.places, options.events, options.observations),
        )
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="50,000 of each, and 5,000 observations")
    parser.add_argument("--places", type=int, default=1_000_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--observations", type=int, default=100_000)
    options = parser.parse_args()
    if options.quick:
        options.places = options.events = 50_000
        options.observations = 5_000
    return options


if __name__ == "__main__":
    sys.exit(on_scratch_database(main))
