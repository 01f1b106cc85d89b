"""Results for real calendars of a town: events that wait for review, and labelled pairs that are merged.

    .venv/bin/python bench/feeds.py [--town santarosa] [--show wrong|missed|flagged]

Every calendar is imported as a source of its own, as with `gleanery import`. Each labelled pair is then joined (one
record), flagged (a possible duplicate for review) or apart. Two slots with the same title, day and venue are
occurrences of one record by design, so they are neither right nor wrong. Strata are weighted by the number of pairs
they were drawn from. The calendars are in ../shared/data/feeds; without them nothing is measured. Rows of the held-
out town are never shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from feed_events import FEEDS, KEPT_ASIDE, TO_CHOOSE, Key, Labelled, events, verdicts
from scratch import on_scratch_database

JOINED, FLAGGED, APART, OCCURRENCES = "joined", "flagged", "apart", "occurrences"
BATCH = 500
WANTED = {"waiting": 0.040, "joined": 0.75, "found": 0.93, "right": 0.88, "wrong": 0.002}


def main(town: str, show: str) -> int:
    if not (FEEDS / town).is_dir():
        print(f"The calendars of {town} are not here: nothing was measured.")
        return 0
    began = time.perf_counter()
    records, names = take_in(town)
    print(f"{town}: {len(records):,} events taken in, {time.perf_counter() - began:.0f} s")
    waiting = waiting_share(set(records.values()))
    flags = flagged()
    counts: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    weights: dict[str, float] = {}
    for stratum, listed in groupby(
        sorted(verdicts(town), key=lambda pair: pair.stratum), key=lambda pair: pair.stratum
    ):
        pairs = [pair for pair in listed if pair.one in records and pair.other in records]
        weights[stratum] = pairs[0].population / len(pairs)
        for pair in pairs:
            fate = fate_of(pair, records, flags)
            counts[stratum][pair.verdict, fate] += 1
            if town != KEPT_ASIDE and (show, pair.verdict, fate) in SHOWN:
                print(f"{show}: {names[pair.one]}  |  {names[pair.other]}")
    for stratum, found in sorted(counts.items()):
        text = ", ".join(f"{verdict} {fate} {count}" for (verdict, fate), count in sorted(found.items()))
        print(f"  {stratum:16} {text}")
    plain, weighted = sum(counts.values(), Counter()), Counter[tuple[str, str]]()
    for stratum, found in counts.items():
        for which, count in found.items():
            weighted[which] += count * weights[stratum]  # type: ignore[assignment]  # a share of a pair
    holds = [report(name, found, waiting) for name, found in (("drawn pairs", plain), ("all pairs", weighted))]
    return 0 if all(holds) else 1


SHOWN = {
    ("wrong", "different", JOINED),
    ("missed", "same", APART),
    ("flagged", "different", FLAGGED),
    ("asked", "same", FLAGGED),
}


def take_in(town: str) -> tuple[dict[Key, str], dict[Key, str]]:
    """Return the record of each event, and how to display it."""
    from gleanery.extraction.models import Observation
    from gleanery.resolution.intake.batch import intake, source_named
    from gleanery.resolution.intake.observation_draft import Given

    today = datetime.now(UTC).date()
    by_id: dict[tuple[str, str], Key] = {}
    names: dict[Key, str] = {}
    for feed, listed in groupby(events(town, today), key=lambda event: event[0].feed):
        given = []
        for key, external_id, fields in listed:
            by_id[feed, external_id] = key
            names[key] = f"{feed} {fields['start'][:16]} {fields['name']} @ {fields.get('venue_name', '')}"
            given.append(Given(kind="event", external_id=external_id, payload=fields, extractor="icalendar"))
        source = source_named(feed)
        for begin in range(0, len(given), BATCH):
            intake(source, given[begin : begin + BATCH])
    stored = Observation.objects.filter(kind="event", superseded_at=None, record__isnull=False)
    rows = stored.values_list("source__name", "external_id", "record")
    return {by_id[feed, own]: str(record) for feed, own, record in rows}, names


def waiting_share(records: set[str]) -> float:
    from gleanery.resolution.models import Record
    from gleanery.review.models import Item

    ids = Item.objects.filter(status="pending", record__kind="event").values_list("record", flat=True)
    waiting = sum(str(each) in records for each in ids)
    places = Item.objects.filter(status="pending").exclude(record__kind="event").count()
    print(f"  {len(records):,} records; {waiting} of them wait, and {places} places and organisations")
    codes = Counter(Item.objects.filter(status="pending").values_list("record__kind", "warnings__code"))
    print("  " + ", ".join(f"{kind} {code} {count}" for (kind, code), count in codes.most_common()))
    return waiting / Record.objects.filter(kind="event").count()


def flagged() -> set[frozenset[str]]:
    from gleanery.review.models import Warning as Row

    waiting = Row.objects.filter(item__status="pending", detail__has_key="duplicate_of")
    return {frozenset((str(one), other)) for one, other in waiting.values_list("item__record", "detail__duplicate_of")}


def fate_of(pair: Labelled, records: dict[Key, str], flags: set[frozenset[str]]) -> str:
    both = frozenset((records[pair.one], records[pair.other]))
    if len(both) == 1 and pair.verdict == "different" and pair.one.start != pair.other.start:
        return OCCURRENCES
    return JOINED if len(both) == 1 else FLAGGED if both in flags else APART


def report(name: str, found: Counter[Any], waiting: float) -> bool:
    same = sum(found["same", fate] for fate in (JOINED, FLAGGED, APART)) or 1
    asked = sum(found[verdict, FLAGGED] for verdict in ("same", "different", "unsure")) or 1
    joined_all = sum(found[verdict, JOINED] for verdict in ("same", "different", "unsure")) or 1
    figures = {
        "waiting": waiting,
        "joined": found["same", JOINED] / same,
        "found": (found["same", JOINED] + found["same", FLAGGED]) / same,
        "right": (found["same", FLAGGED] + found["unsure", FLAGGED]) / asked,
        "wrong": found["different", JOINED] / joined_all,
    }
    over = {"waiting", "wrong"}
    missed = [each for each, value in figures.items() if (value > WANTED[each]) == (each in over)]
    text = ", ".join(f"{each} {value:.3f} (wanted {WANTED[each]:.3f})" for each, value in figures.items())
    print(f"{name}: {text}" + (f"; missed: {', '.join(missed)}" if missed else "; claim holds"))
    return not missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--town", default=KEPT_ASIDE, choices=(TO_CHOOSE, KEPT_ASIDE))
    parser.add_argument("--show", default="", choices=("", *sorted({each[0] for each in SHOWN})))
    asked = parser.parse_args()
    sys.exit(on_scratch_database(lambda: main(asked.town, asked.show)))
