"""Makes warnings for reviewers from near duplicates that are not merged, a few for each record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from django.conf import settings

from gleanery.kinds import KINDS
from gleanery.matching.facts import Facts
from gleanery.matching.live import candidates, counting, stored
from gleanery.matching.live.candidates import Near, Precomputed
from gleanery.matching.scoring import AUTO, REVIEW, Match, compare
from gleanery.matching.trigrams import similarity
from gleanery.matching.weights import weights
from gleanery.resolution.near.different_pairs import judged_different
from gleanery.resolution.records.duplicate_sentences import sentences
from gleanery.resolution.records.quality import Doubt
from gleanery.sql import rows

DUPLICATE, CONFLICT = "potential_duplicate", "conflicting_matches"
CODES = {"place": "place_possible_duplicate", "organization": "org_possible_duplicate"}
ALL_CODES = (DUPLICATE, CONFLICT, *CODES.values())
MOST, MOST_OF_CODES = 5, 3
# Index: record_pkey.
NAMES = "SELECT id::text, name FROM record WHERE id = ANY(%(ids)s::uuid[])"


class Bounds(NamedTuple):
    """Lowest match probabilities for showing a pair to a person, and for a sure match.

    Sure matches of places and organisations are merged automatically; other kinds only by a person.
    """

    review: float = REVIEW
    auto: float = AUTO


def bounds(kind: str) -> Bounds:
    thresholds = settings.ENVIRONMENT
    if kind == "place":
        return Bounds(float(thresholds.place_review_threshold), float(thresholds.place_auto_merge_threshold))
    if kind == "organization":
        return Bounds(float(thresholds.org_review_threshold), float(thresholds.org_auto_merge_threshold))
    return Bounds()


def near_duplicates(asked: Mapping[str, Facts], precomputed: Mapping[str, Precomputed]) -> dict[str, list[Near]]:
    """Return near duplicates per record that are likely enough to be shown."""
    return candidates.near(asked, _least(asked), precomputed)


def precompute_near(asked: Mapping[str, Facts]) -> dict[str, Precomputed]:
    """Find near duplicates before the write lock is taken."""
    return candidates.precompute(asked, _least(asked))


def _least(asked: Mapping[str, Facts]) -> float:
    return min(bounds(kind).review for kind in {one.kind for one in asked.values()})


def doubtful(one: Facts, near: Iterable[Near]) -> list[Near]:
    """Return near duplicates that a person should look at, likeliest first."""
    least = bounds(one.kind).review
    return [each for each in near if each.match.probability >= least]


def flags(
    asked: Mapping[str, Facts], near: Mapping[str, list[Near]], names: Mapping[str, str]
) -> dict[str, list[Doubt]]:
    """Return warnings per record; `names` are those of records that are not stored yet."""
    found = {record: listed for record, each in near.items() if (listed := doubtful(asked[record], each))}
    if not found:
        return {}
    apart = judged_different({*found, *(each.record for listed in found.values() for each in listed)})
    found = {
        record: [each for each in listed if frozenset((record, each.record)) not in apart]
        for record, listed in found.items()
    }
    settled = _settled_elsewhere(asked, found)
    chosen = {
        record: [each for each in listed if (record, each.record) not in settled][: most(asked[record].kind)]
        for record, listed in found.items()
    }
    called = _called({each.record for listed in chosen.values() for each in listed}, names)
    return {
        record: doubts
        for record, listed in chosen.items()
        if (doubts := [*_doubts(asked[record], listed, called), *_conflicts(listed, apart, called)])
    }


def most(kind: str) -> int:
    return MOST_OF_CODES if kind in CODES else MOST


def _settled_elsewhere(asked: Mapping[str, Facts], found: Mapping[str, list[Near]]) -> set[tuple[str, str]]:
    """Return pairs that name different venues or owners which are in review, or judged different, themselves.

    Such a pair is compared again if the two venues or owners are merged, so one cause makes one question.
    """
    pairs = {
        (record, each.record): frozenset(other)
        for record, listed in found.items()
        for each in listed
        if (other := _named_apart(asked[record], each.facts))
    }
    if not pairs:
        return set()
    named = {each for pair in pairs.values() for each in pair}
    facts, apart = stored.read(named), judged_different(named)
    known = {pair: [facts[each] for each in pair] for pair in pairs.values() if pair <= facts.keys()}
    among = counting.rarities(one for pair in known.values() for one in pair)
    asked_about = {
        pair
        for pair, (one, other) in known.items()
        if one.kind == other.kind and compare(one, other, among[one.kind]).probability >= bounds(one.kind).review
    }
    return {which for which, pair in pairs.items() if pair in asked_about or pair in apart}


def _named_apart(one: Facts, other: Facts) -> tuple[str, str] | None:
    """Return the two venues, or the two organisations, if they differ and are part of the identity."""
    parts = KINDS[one.kind].identity
    if ("venue" in parts or "site" in parts) and one.at and other.at and one.at != other.at:
        return one.at, other.at
    if "organization" in parts and one.by and other.by and one.by != other.by:
        return one.by, other.by
    return None


def _called(ids: set[str], names: Mapping[str, str]) -> dict[str, str]:
    missing = ids - names.keys()
    return {**names, **dict(rows(NAMES, ids="{" + ",".join(missing) + "}"))} if missing else dict(names)


def _doubts(one: Facts, listed: list[Near], called: Mapping[str, str]) -> Iterator[Doubt]:
    details = [
        {
            "duplicate_of": each.record,
            "candidate_name": called.get(each.record, ""),
            "similarity_score": round(similarity(one.name, each.facts.name), 2),
            "rules": list(each.rules),
            **match_detail(each.match, one.kind),
        }
        for each in listed
    ]
    for detail, sentence in zip(details, sentences(details, called), strict=True):
        yield Doubt(CODES.get(one.kind, DUPLICATE), sentence, detail)


def match_detail(match: Match, kind: str) -> dict[str, Any]:
    """Return a match as stored with a warning or a merge, with all that explains it."""
    return {
        "probability": match.probability,
        "points": [{"field": each.field, "level": each.level, "points": each.points} for each in match.points],
        "prior": match.prior,
        "vetoes": list(match.vetoes),
        "model": weights(kind).version,
    }


def _conflicts(listed: list[Near], apart: set[frozenset[str]], called: Mapping[str, str]) -> Iterator[Doubt]:
    for one, other in combinations(listed, 2):
        pair = frozenset((one.record, other.record))
        if pair in apart:
            detail = {
                "duplicate_of": one.record,
                "records": [one.record, other.record],
                "names": [called.get(each.record, "") for each in (one, other)],
                "model": weights(one.facts.kind).version,
            }
            (sentence,) = sentences([detail], called)
            yield Doubt(CONFLICT, sentence, detail)
