"""Real data sets for measuring matching, read from ../shared/data beside the project; they are not part of it.

Chicago, fodors_zagat and overture are split by the position of things in the order of ids: even ones are for
development, odd ones only for measurement. The four geo sets are pairs; each is measured with weights learned without
it.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from gleanery.matching.facts import Facts, facts
from gleanery.matching.rarity import Rarity, rarity
from gleanery.matching.tables.blocks import Blocks, fingerprints

SHARED = Path(__file__).parents[2] / "shared" / "data"
GEO = ("osm_fsq_edi", "osm_fsq_pit", "osm_yelp_edi", "osm_yelp_pit")
Given = Iterator[tuple[str, dict[str, str], str]]


class Row(NamedTuple):
    facts: Facts
    thing: str
    to_choose_by: bool
    source: str


class Judged(NamedTuple):
    one: Facts
    other: Facts
    same: bool


class Pairs(NamedTuple):
    """Labelled pairs with the rarity of words in the rows they come from."""

    judged: list[Judged]
    rarity: Rarity
    missed: int = 0  # true pairs without a common key


def geo() -> dict[str, Pairs]:
    return {each: _geo(each) for each in GEO} if (SHARED / "geo").exists() else {}


def _geo(which: str) -> Pairs:
    rows = {each["id"]: facts("place", each) for file in "ab" for each in _read(f"geo/{which}/{file}.csv")}
    labelled = [(each["a"], each["b"], each["same"] == "1") for each in _read(f"geo/{which}/pairs.csv")]
    return Pairs([Judged(rows[a], rows[b], same) for a, b, same in labelled], rarity(rows.values()))


def tables() -> dict[str, list[Row]]:
    readers: dict[str, Callable[[], Given]] = {
        "chicago": _chicago,
        "fodors_zagat": _fodors_zagat,
        "overture": _overture,
    }
    return {name: _rows(read()) for name, read in readers.items() if (SHARED / name).exists()}


def met(rows: list[Row], *, of_countries: bool = False) -> Pairs:
    """Return pairs with a common key; `of_countries` limits them to one country and skips identical rows."""
    blocks, truth = Blocks(), same_things(rows)
    for row in rows:
        blocks.add(row.facts, fingerprints(row.facts))
    neighbours = blocks.neighbours()
    near = {(one, other) for one in range(len(rows)) for other in neighbours.after(one)}
    judged = [
        Judged(rows[one].facts, rows[other].facts, (one, other) in truth)
        for one, other in sorted(near)
        if (one, other) in truth or not (of_countries and _is_left_out(rows[one].facts, rows[other].facts))
    ]
    return Pairs(judged, rarity(row.facts for row in rows), len(truth - near))


def _is_left_out(one: Facts, other: Facts) -> bool:
    """Return True if two rows of overture were not labelled or are identical."""
    return one.country != other.country or all(
        getattr(one, field) == getattr(other, field) for field in ("name", "street", "house", "phone")
    )


def same_things(rows: list[Row]) -> set[tuple[int, int]]:
    """Return the pairs of row numbers that are the same thing."""
    things = defaultdict(list)
    for number, row in enumerate(rows):
        things[row.thing].append(number)
    return {pair for numbers in things.values() for pair in combinations(numbers, 2)}


def _rows(given: Given) -> list[Row]:
    listed = list(given)
    order = {thing: place for place, thing in enumerate(sorted({thing for thing, *_ in listed}))}
    return [Row(facts("place", fields), thing, order[thing] % 2 == 0, source) for thing, fields, source in listed]


def _read(name: str) -> Iterator[dict[str, str]]:
    with (SHARED / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _chicago() -> Given:
    names = {"Site name": "name", "Address": "address", "Zip": "postal_code", "Phone": "phone", "Website": "url"}
    for row in _read("chicago/sites.csv"):
        yield row["True Id"], {ours: row[theirs] for theirs, ours in names.items()}, row["Source"]


def _fodors_zagat() -> Given:
    matches = {row["zagats_id"]: row["fodors_id"] for row in _read("fodors_zagat/matches_fodors_zagats.csv")}
    for guide in ("fodors", "zagats"):
        for row in _read(f"fodors_zagat/{guide}.csv"):
            own = f"{guide} {row['id']}"
            thing = f"fodors {matches[row['id']]}" if guide == "zagats" and row["id"] in matches else own
            fields = {"name": row["name"], "address": row["addr"], "locality": row["city"], "phone": row["phone"]}
            yield thing, fields, guide


def _overture() -> Given:
    for file in ("a", "b"):
        for row in _read(f"overture/{file}.csv"):
            yield row["id"][1:], row, file
