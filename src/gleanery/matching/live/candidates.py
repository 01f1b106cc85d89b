"""Near duplicates of many records at once: finds records that share keys and scores the most promising ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from gleanery.matching.facts import Facts
from gleanery.matching.live import counting, stored
from gleanery.matching.live.stored import COUNTED
from gleanery.matching.scoring import LISTED, Match, compare_if_likely
from gleanery.sql import array, rows_of_many

MOST_SCORED = 8  # candidates scored per record, those with the rarest common keys
MOST_SHARING = 20  # keys with more records are ignored
LEAST_VOTE = 0.26  # a single key shared with four others is not enough

# Records of each key; no ids if there are too many. Index: likeness_key_pkey.
LOOK = f"""
    SELECT wanted.key, CASE WHEN found.many <= {MOST_SHARING} THEN found.ids END
    FROM unnest(%(keys)s::bigint[]) AS wanted (key)
         CROSS JOIN LATERAL (
             SELECT count(*) AS many, string_agg(record_id::text, ' ') AS ids
             FROM (SELECT record_id FROM likeness_key WHERE likeness_key.key = wanted.key LIMIT {MOST_SHARING + 1})
                  AS several
         ) AS found
    WHERE found.many > 0
"""  # noqa: S608 - a number of ours


class Near(NamedTuple):
    """Possible duplicate: its facts, the rules of the common keys, and the match."""

    record: str
    facts: Facts
    rules: tuple[str, ...]
    match: Match


class Holders(NamedTuple):
    """Records per key, keys with too many records, and the number of further records per key."""

    of: dict[int, list[str]]
    crowded: set[int]
    besides: Mapping[int, int]

    def many(self, key: int) -> int:
        return MOST_SHARING + 1 if key in self.crowded else len(self.of.get(key, ())) + self.besides.get(key, 0)


class Precomputed(NamedTuple):
    """Near duplicates found before the write lock was taken; `mark` separates them from what was written since."""

    facts: Facts
    mark: int
    near: list[Near]
    there: Holders  # of all keys looked up in the same batch


Wanted = Mapping[str, Mapping[int, str]]
Own = Mapping[int, tuple[str, ...]]  # records of the batch per key


def precompute(asked: Mapping[str, Facts], least: float) -> dict[str, Precomputed]:
    """Return what `near` would find in the records stored now."""
    mark = stored.mark()
    keyed = {record: stored.key_sets(one) for record, one in asked.items()}
    wanted = {record: each.wanted for record, each in keyed.items()}
    there = _holders({}, {*chain.from_iterable(wanted.values())}, {}, ())
    itself = dict.fromkeys(chain.from_iterable(each.kept for each in keyed.values()), 1)
    found = _scored(asked, wanted, there._replace(besides=itself), least)
    return {record: Precomputed(one, mark, found.get(record, []), there) for record, one in asked.items()}


def crowded(asked: Collection[Facts]) -> set[int]:
    """Return those keys of these records that too many records share."""
    return _holders({}, {key for one in asked for key in stored.digests(one)}, {}, ()).crowded


def near(
    asked: Mapping[str, Facts],
    least: float = LISTED,
    precomputed: Mapping[str, Precomputed] | None = None,
) -> dict[str, list[Near]]:
    """Return near duplicates per record with a probability of at least `least`, best first.

    If both records of a pair are in `asked`, it is listed under the later one. For `precomputed` records only those
    written since are looked up.
    """
    keyed = {record: stored.key_sets(one) for record, one in asked.items()}
    own = _own(keyed)
    wanted = {record: each.wanted for record, each in keyed.items()}
    since = _written_since(precomputed) if precomputed else {}
    touched = {key for listed in since.values() for key in listed}
    known = _still_valid(precomputed, own, wanted, touched) if precomputed else {}
    wanted = {record: keys for record, keys in wanted.items() if not _is_complete(record, keys, known, own, touched)}
    looked_for = {key for record, listed in wanted.items() for key in listed if record not in known or key in touched}
    besides = {
        key: known[record].there.many(key)
        for record in wanted.keys() & known.keys()
        for key in wanted[record]
        if key not in looked_for
    }
    around = {key for record, listed in wanted.items() for key in listed.keys() - keyed[record].kept}
    holders = _holders(own, looked_for, besides, around)
    recent = since.keys() | asked.keys()
    found = _scored(asked, wanted, holders, least, dict.fromkeys(known, recent))
    there = stored.existing({each.record for before in known.values() for each in before.near})
    for record, before in known.items():
        if still := [each for each in before.near if each.record in there and each.record not in recent]:
            found[record] = sorted([*still, *found.get(record, ())], key=_likeliest)
    return found


def _written_since(precomputed: Mapping[str, Precomputed]) -> dict[str, list[int]]:
    return stored.written_since(
        min(each.mark for each in precomputed.values()), {each.facts.kind for each in precomputed.values()}
    )


def _still_valid(
    precomputed: Mapping[str, Precomputed], own: Own, wanted: Wanted, touched: Collection[int]
) -> dict[str, Precomputed]:
    """Return the results that still hold: the name, phone and address have not become more common since."""
    return {
        record: before
        for record, before in precomputed.items()
        if not any(
            rule in COUNTED and (key in touched or len(own.get(key, ())) > 1) for key, rule in wanted[record].items()
        )
    }


def _is_complete(
    record: str, keys: Iterable[int], known: Mapping[str, Precomputed], own: Own, touched: Collection[int]
) -> bool:
    """Return True if no record written since, or in the same batch, shares a useful key with this one."""
    if record not in known:
        return False
    crowded, alone = known[record].there.crowded, (record,)
    return not any((own.get(key, alone) != alone or key in touched) and key not in crowded for key in keys)


def _scored(
    asked: Mapping[str, Facts],
    wanted: Wanted,
    holders: Holders,
    least: float,
    among_only: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[Near]]:
    promising = _promising(asked, wanted, holders, among_only or {})
    there = stored.read({each for listed in promising.values() for each in listed} - asked.keys())
    there.update(asked)
    worth = [(record, each) for record, listed in promising.items() for each in listed if each in there]
    among = counting.rarities(there[each] for pair in worth for each in pair)
    found: defaultdict[str, list[Near]] = defaultdict(list)
    for record, each in worth:
        one, other = asked[record], there[each]
        match = compare_if_likely(least, one, other, among[one.kind])
        if match is not None:
            rules = {rule for key, rule in wanted[record].items() if each in holders.of.get(key, ())}
            found[record].append(Near(each, other, tuple(sorted(rules)), match))
    return {record: sorted(listed, key=_likeliest) for record, listed in found.items()}


def _likeliest(near: Near) -> tuple[float, str]:
    return -near.match.probability, near.record


def _holders(own: Own, looked_for: Collection[int], besides: Mapping[int, int], around: Collection[int]) -> Holders:
    """Return the records of each key, from the store and from the batch itself.

    `around` are keys that a record of the batch looks up but is not stored under.
    """
    of: dict[int, list[str]] = {}
    crowded: set[int] = set()
    for key, ids in rows_of_many(LOOK, keys=array(sorted(looked_for))) if looked_for else ():
        if ids is None:
            crowded.add(key)
        else:
            of[key] = ids.split()
    for key, mine in own.items():
        if key in crowded or (len(mine) == 1 and key not in of and key not in around):
            continue
        sharing = sorted({*mine, *of.get(key, ())})
        if len(sharing) + besides.get(key, 0) > MOST_SHARING:
            crowded.add(key)
            of.pop(key, None)
        else:
            of[key] = sharing
    return Holders(of, crowded, besides)


def _own(keyed: Mapping[str, stored.KeySets]) -> Own:
    """Return the records of the batch per key; most keys have only one."""
    own: dict[int, tuple[str, ...]] = {}
    for record, each in keyed.items():
        alone = (record,)
        for key in each.kept:
            own[key] = (*own[key], record) if key in own else alone
    return own


def _promising(
    asked: Mapping[str, Facts],
    wanted: Wanted,
    holders: Holders,
    among_only: Mapping[str, Collection[str]],
) -> dict[str, list[str]]:
    """Return candidates per record: those that share its rarest keys."""
    place = {record: number for number, record in enumerate(asked)}
    of, _, besides = holders
    found = {}
    for record, listed in wanted.items():
        votes: defaultdict[str, float] = defaultdict(float)
        for key in listed:
            if sharing := of.get(key):
                vote = 1 / (len(sharing) + besides.get(key, 0))
                for each in sharing:
                    votes[each] += vote
        mine, only = place[record], among_only.get(record)
        promising = [
            (vote, each)
            for each, vote in votes.items()
            if vote >= LEAST_VOTE and place.get(each, -1) < mine and (only is None or each in only)
        ]
        if promising:
            found[record] = [each for _, each in nlargest(MOST_SCORED, promising)]
    return found
