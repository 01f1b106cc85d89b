"""Compares the records found in the sample web with its ground truth: joined, flagged, missed or wrong (pure)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from gleanery.demo.dates import render
from gleanery.demo.sites import by_host, truth

OUTCOMES = JOINED, FLAGGED, MISSED = "joined", "flagged", "missed"


class Mention(NamedTuple):
    """A page's mention of a thing and the record made from it; `day` is its start or deadline, if given."""

    url: str
    kind: str
    name: str
    day: str
    record: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results for things on several pages, and for look-alikes: kept apart, or flagged needlessly (`in_vain`).

    `wrong` lists pairs of things in one record. `surprises` lists differences from the expected results.
    """

    joined: list[str]
    flagged: list[str]
    missed: list[str]
    apart: list[str]
    in_vain: list[str]
    wrong: list[str]
    surprises: list[str]

    def as_dict(self) -> dict[str, Any]:
        counts = {
            "right": len(self.joined) + len(self.flagged) + len(self.apart),
            "wrong": len(self.wrong),
            "missed": len(self.missed),
        }
        return {**counts, "details": asdict(self)}


def evaluate(mentions: Iterable[Mention], flags: Iterable[tuple[str, str]], day: date) -> Evaluation:
    """Compare mentions and flags (pairs of records shown for review) with the truth on a day of the sample web."""
    mentioned = _recognised(mentions, day)
    pairs = {frozenset(pair) for pair in flags}
    several = {thing: [each.record for each in listed] for thing, listed in mentioned.items() if len(listed) > 1}
    found = {thing: _outcome(set(records), pairs) for thing, records in sorted(several.items())}
    records = {thing: {each.record for each in listed} for thing, listed in mentioned.items()}
    wrong = {pair for pair in combinations(sorted(records), 2) if records[pair[0]] & records[pair[1]]}
    alike = {pair for pair in _look_alikes() if set(pair) <= records.keys()} - wrong
    asked = {pair for pair in alike if _is_asked(records[pair[0]], records[pair[1]], pairs)}
    by_outcome = {each: [thing for thing, outcome in found.items() if outcome == each] for each in OUTCOMES}
    return Evaluation(
        joined=by_outcome[JOINED],
        flagged=by_outcome[FLAGGED],
        missed=by_outcome[MISSED],
        apart=_named(alike - asked),
        in_vain=_named(asked),
        wrong=_named(wrong),
        surprises=list(_surprises(found, asked)),
    )


def _recognised(mentions: Iterable[Mention], day: date) -> dict[str, set[Mention]]:
    """Return mentions by thing, matched by page, kind and name, and by day if a page has a name twice."""
    known = defaultdict(list)
    for thing in truth()["things"]:
        for where, name in thing["mentions"].items():
            page, _, _ = where.partition("#")
            known[page, thing["kind"], _words(render(name, day, _language(page)))].append(thing)
    mentioned: defaultdict[str, set[Mention]] = defaultdict(set)
    for each in mentions:
        meant = known[_page(each.url), each.kind, _words(each.name)]
        for thing in meant if len(meant) == 1 else [thing for thing in meant if _day(thing, day) == each.day]:
            mentioned[thing["id"]].add(each)
    return mentioned


def _page(url: str) -> str:
    parts = urlsplit(url)
    site = by_host().get(parts.netloc)
    return f"{site.host if site else parts.netloc}{unquote(parts.path)}"


def _language(page: str) -> str:
    return by_host()[page.partition("/")[0]].language


def _words(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def _day(thing: Mapping[str, Any], day: date) -> str:
    facts = thing.get("facts", {})
    return render(facts.get("start") or facts.get("deadline") or "", day)[:10]


def _outcome(records: set[str], flags: set[frozenset[str]]) -> str:
    """Return the outcome of a thing's records: flagged if flags connect all of them."""
    if len(records) == 1:
        return JOINED
    reached = {min(records)}
    while more := {each for each in records - reached if any(frozenset((each, one)) in flags for one in reached)}:
        reached |= more
    return FLAGGED if reached == records else MISSED


def _look_alikes() -> set[tuple[str, str]]:
    return {pair for alike in truth()["alike"] for pair in combinations(sorted(alike["things"]), 2)}


def _is_asked(one: set[str], other: set[str], flags: set[frozenset[str]]) -> bool:
    return any(frozenset((first, second)) in flags for first in one for second in other)


def _named(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return sorted(" / ".join(pair) for pair in pairs)


def _surprises(found: Mapping[str, str], asked: set[tuple[str, str]]) -> Iterator[str]:
    for thing in truth()["things"]:
        wanted, outcome = thing.get("expect"), found.get(thing["id"], "not on two pages")
        if wanted and outcome != wanted:
            yield f"{thing['id']}: {wanted} was expected, but it is {outcome}."
    for alike in truth()["alike"]:
        for pair in combinations(sorted(alike["things"]), 2):
            if pair in asked and alike.get("expect") != FLAGGED:
                yield f"{' / '.join(pair)}: they look alike, but should not be flagged."
