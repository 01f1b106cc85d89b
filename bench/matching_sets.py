"""The labelled sets that matching is measured on: pairs by other authors, and three sets of real places.

What is real stands in ../shared/data beside the project, and is no part of it; where it is absent, only the pairs are
used. Of every set one half is there to choose by, the other only to be measured on: lines of odd and even number, and
things whose number in the order of their ids is even (to choose by) and odd.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from gleanery.resolution.matches.traits import Traits, traits

ROOT = Path(__file__).parents[1]
PAIRS = ROOT / "tests" / "matching" / "data"
SHARED = ROOT.parent / "shared" / "data"
FILES = {
    "event": "events",
    "funding": "funding",
    "organization": "organizations",
    "place": "places",
    "service": "services",
    "opportunity": "opportunities",
}

UNSEEN = ("twelfth",)  # of these everything is there to be measured on, nothing to choose by
LEARNED = (
    "worlds/more",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
)  # and of these everything to choose by
RETOLD = ("ninth", "tenth", "eleventh", "twelfth")  # by a program of their author
FAIR = "fair"  # pairs that were not chosen to be hard
WORLDS = ("worlds", "outside", "second", "third", "fourth", "fifth", "thirteenth", *UNSEEN, *LEARNED)


class Pair(NamedTuple):
    one: Traits
    other: Traits
    same: bool
    to_choose_by: bool


class Row(NamedTuple):
    traits: Traits
    thing: str
    to_choose_by: bool
    source: str


def pairs(kind: str, of: str = "") -> list[Pair]:
    return [_pair(kind, line, number % 2 == 1) for number, line in _lines(PAIRS / of / f"{FILES[kind]}.jsonl")]


def more_pairs(kind: str, of: str = "") -> list[Pair]:
    """Written later, to learn from."""
    return [_pair(kind, line, True) for _, line in _lines(PAIRS / of / "more" / f"{FILES[kind]}.jsonl")]


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    return enumerate(file.read_text("utf-8").splitlines(), 1) if file.exists() else iter(())


def _pair(kind: str, line: str, to_choose_by: bool) -> Pair:
    given = json.loads(line)
    return Pair(traits(kind, given["a"]), traits(kind, given["b"]), given["same"], to_choose_by)


def world(kind: str, of: str = "worlds") -> list[Row]:
    """A few towns as their sources tell of them; things of odd number are there to choose by."""
    told = [json.loads(line) for _, line in _lines(PAIRS / of / f"{FILES[kind]}.jsonl")]
    return [
        Row(
            traits(kind, each["fields"]),
            f"{of} {each['thing']}",
            of in LEARNED or (of not in UNSEEN and int(each["thing"][1:]) % 2 == 1),
            each["source"],
        )
        for each in told
    ]


def places() -> dict[str, list[Row]]:
    """The three sets of real places; none where they are absent."""
    if not SHARED.exists():
        return {}
    return {"chicago": _rows(_chicago()), "fodors_zagat": _rows(_fodors_zagat()), "overture": _rows(_overture())}


def same_things(rows: list[Row]) -> set[tuple[int, int]]:
    """The pairs of row numbers that tell of one thing."""
    things = defaultdict(list)
    for number, row in enumerate(rows):
        things[row.thing].append(number)
    return {pair for numbers in things.values() for pair in combinations(numbers, 2)}


def _rows(given: Iterator[tuple[str, dict[str, str], str]]) -> list[Row]:
    listed = list(given)
    places_in_order = {thing: place for place, thing in enumerate(sorted({thing for thing, *_ in listed}))}
    return [
        Row(traits("place", fields), thing, places_in_order[thing] % 2 == 0, source) for thing, fields, source in listed
    ]


def _read(name: str) -> Iterator[dict[str, str]]:
    with (SHARED / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _chicago() -> Iterator[tuple[str, dict[str, str], str]]:
    names = {"Site name": "name", "Address": "address", "Zip": "postal_code", "Phone": "phone", "Website": "url"}
    for row in _read("chicago/sites.csv"):
        yield row["True Id"], {ours: row[theirs] for theirs, ours in names.items()}, row["Source"]


def _fodors_zagat() -> Iterator[tuple[str, dict[str, str], str]]:
    matches = {row["zagats_id"]: row["fodors_id"] for row in _read("fodors_zagat/matches_fodors_zagats.csv")}
    for guide in ("fodors", "zagats"):
        for row in _read(f"fodors_zagat/{guide}.csv"):
            own = f"{guide} {row['id']}"
            thing = f"fodors {matches[row['id']]}" if guide == "zagats" and row["id"] in matches else own
            fields = {"name": row["name"], "address": row["addr"], "locality": row["city"], "phone": row["phone"]}
            yield thing, fields, guide


def _overture() -> Iterator[tuple[str, dict[str, str], str]]:
    for file in ("a", "b"):
        for row in _read(f"overture/{file}.csv"):
            yield row["id"][1:], row, file
