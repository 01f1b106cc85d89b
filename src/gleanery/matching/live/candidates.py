"""Near duplicates of many records at once: who shares a key with them, and how alike the most promising ones are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from gleanery.matching.facts import Facts
from gleanery.matching.live import counting, stored
from gleanery.matching.live.stored import COUNTED
from gleanery.matching.scoring import LISTED, Match, compare_from
from gleanery.sql import array, rows_of_many

MOST_SCORED = 8  # of those who share keys, the ones that share the most telling ones
MOST_SHARING = 20  # a key that more have says nothing: its votes do not add up to anything
LEAST_VOTE = 0.26  # what four others have as well, and nothing more, is hardly ever a sign

# Who has these keys; of a key that too many have only that. Index: likeness_key_pkey.
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
    """One that may be the same, why it was looked at, and what the two agree in."""

    record: str
    facts: Facts
    rules: tuple[str, ...]
    match: Match


class Holders(NamedTuple):
    """Who has which key, the keys that too many have, and how many have a key beside those who are listed."""

    of: dict[int, list[str]]
    crowded: set[int]
    besides: Mapping[int, int]

    def many(self, key: int) -> int:
        return MOST_SHARING + 1 if key in self.crowded else len(self.of.get(key, ())) + self.besides.get(key, 0)


class Foreseen(NamedTuple):
    """What was found of one before the turn to write it, and when: by its mark what was written since is told apart."""

    facts: Facts
    mark: int
    near: list[Near]
    there: Holders  # of all keys that were looked for with it


Wanted = Mapping[str, Mapping[int, str]]
Own = Mapping[int, tuple[str, ...]]  # of each key, who of those that are asked about has it


def foresee(asked: Mapping[str, Facts], least: float) -> dict[str, Foreseen]:
    """What `near` would find in what is stored now."""
    mark = stored.mark()
    keyed = {record: stored.keyed(one) for record, one in asked.items()}
    wanted = {record: each.wanted for record, each in keyed.items()}
    there = _holders({}, {*chain.from_iterable(wanted.values())}, {}, ())
    itself = dict.fromkeys(chain.from_iterable(each.kept for each in keyed.values()), 1)
    found = _found(asked, wanted, there._replace(besides=itself), least)
    return {record: Foreseen(one, mark, found.get(record, []), there) for record, one in asked.items()}


def crowded(asked: Collection[Facts]) -> set[int]:
    """The keys of these that too many have."""
    return _holders({}, {key for one in asked for key in stored.digests(one)}, {}, ()).crowded


def near(
    asked: Mapping[str, Facts],
    least: float = LISTED,
    foreseen: Mapping[str, Foreseen] | None = None,
) -> dict[str, list[Near]]:
    """Of each its near duplicates, the likeliest first. Of two that are both asked about, the later has the earlier.

    Those of a probability of `least` or more. Of what was `foreseen` only that is looked at which was written since.
    """
    keyed = {record: stored.keyed(one) for record, one in asked.items()}
    own = _own(keyed)
    wanted = {record: each.wanted for record, each in keyed.items()}
    since = _since(foreseen) if foreseen else {}
    touched = {key for listed in since.values() for key in listed}
    known = _that_holds(foreseen, own, wanted, touched) if foreseen else {}
    wanted = {record: keys for record, keys in wanted.items() if not _is_told(record, keys, known, own, touched)}
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
    found = _found(asked, wanted, holders, least, dict.fromkeys(known, recent))
    there = stored.still_there({each.record for before in known.values() for each in before.near})
    for record, before in known.items():
        if still := [each for each in before.near if each.record in there and each.record not in recent]:
            found[record] = sorted([*still, *found.get(record, ())], key=_likeliest)
    return found


def _since(foreseen: Mapping[str, Foreseen]) -> dict[str, list[int]]:
    return stored.written_since(
        min(each.mark for each in foreseen.values()), {each.facts.kind for each in foreseen.values()}
    )


def _that_holds(
    foreseen: Mapping[str, Foreseen], own: Own, wanted: Wanted, touched: Collection[int]
) -> dict[str, Foreseen]:
    """Not of those whose name, phone or address others have who came since or come with them: then it tells less."""
    return {
        record: before
        for record, before in foreseen.items()
        if not any(
            rule in COUNTED and (key in touched or len(own.get(key, ())) > 1) for key, rule in wanted[record].items()
        )
    }


def _is_told(
    record: str, keys: Iterable[int], known: Mapping[str, Foreseen], own: Own, touched: Collection[int]
) -> bool:
    """Whether all was told before: nobody came since, or comes with it, who has a key of it that is worth a look."""
    if record not in known:
        return False
    crowded, alone = known[record].there.crowded, (record,)
    return not any((own.get(key, alone) != alone or key in touched) and key not in crowded for key in keys)


def _found(
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
        match = compare_from(least, one, other, among[one.kind])
        if match is not None:
            rules = {rule for key, rule in wanted[record].items() if each in holders.of.get(key, ())}
            found[record].append(Near(each, other, tuple(sorted(rules)), match))
    return {record: sorted(listed, key=_likeliest) for record, listed in found.items()}


def _likeliest(near: Near) -> tuple[float, str]:
    return -near.match.probability, near.record


def _holders(own: Own, looked_for: Collection[int], besides: Mapping[int, int], around: Collection[int]) -> Holders:
    """What is stored under the keys that are looked for, and what those who are asked about have themselves.

    `around`: keys that one of them looks for and does not have.
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


def _own(keyed: Mapping[str, stored.Keyed]) -> Own:
    """Most keys are one record's alone."""
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
    """Of each those who share its most telling keys: the fewer have a key, the more it tells."""
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
        telling = [
            (vote, each)
            for each, vote in votes.items()
            if vote >= LEAST_VOTE and place.get(each, -1) < mine and (only is None or each in only)
        ]
        if telling:
            found[record] = [each for _, each in nlargest(MOST_SCORED, telling)]
    return found
