"""Rarity of the words and names of given records among all stored records of their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings

from gleanery.matching.facts import Facts, significant_words
from gleanery.matching.keys import Key, keys
from gleanery.matching.live.stored import digest
from gleanery.matching.rarity import Rarity, shared
from gleanery.sql import array, rows, rows_of_many

MOST_COUNTED = 1_000  # counting stops here: a word with so many records is common

# Counts the records of each key. Index: likeness_key_pkey.
COUNT = f"""
    SELECT wanted.key, found.many
    FROM unnest(%(keys)s::bigint[]) AS wanted (key)
         CROSS JOIN LATERAL (
             SELECT count(*) AS many
             FROM (SELECT FROM likeness_key WHERE likeness_key.key = wanted.key LIMIT {MOST_COUNTED}) AS several
         ) AS found
    WHERE found.many > 1
"""  # noqa: S608 - a number of ours
# A small table is counted; for a large one the estimate of PostgreSQL is good enough.
SIZE = "SELECT pg_relation_size('likeness'), reltuples FROM pg_class WHERE oid = 'likeness'::regclass"
SMALL = 4 << 20
COUNT_KINDS = "SELECT kind, count(*) FROM likeness GROUP BY kind"
SHARES = """
    SELECT kind, share
    FROM pg_stats, unnest(most_common_vals::text::text[], most_common_freqs) AS common (kind, share)
    WHERE schemaname = current_schema AND tablename = 'likeness' AND attname = 'kind'
"""


def rarities(records: Iterable[Facts]) -> dict[str, Rarity]:
    """Return per kind how rare the words, names, phones and addresses of these records are."""
    listed = list(dict.fromkeys(records))
    if not listed:
        return {}
    wanted: dict[int, tuple[str, Key]] = {}
    for one in listed:
        for key in _counted(one):
            wanted[_key(one.kind, *key)] = (one.kind, key)
    counted: defaultdict[str, dict[Key, int]] = defaultdict(dict)
    for number, many in rows_of_many(COUNT, keys=array(wanted)) if wanted else ():
        kind, key = wanted[number]
        counted[kind][key] = many
    totals = _totals()
    return {
        kind: _rarity(totals.get(kind, 0), counted[kind], [one for one in listed if one.kind == kind])
        for kind in {one.kind for one in listed}
    }


def _counted(one: Facts) -> list[Key]:
    words = {word for name in (one.name, one.also, one.venue, one.run_by) if name for word in significant_words(name)}
    others = [key for key in keys(one) if key.rule in ("name", "phone", "address and area")]
    return [*(Key("word", word) for word in words), *others]


def _rarity(total: int, counted: dict[Key, int], records: list[Facts]) -> Rarity:
    words = {key.value: many for key, many in counted.items() if key.rule == "word"}
    names = {one.name: counted.get(key, 1) for one in records for key in _names(one)}
    crowds = {
        (what, value): many
        for one in records
        for what, value in shared(one)
        if (many := max((counted.get(key, 0) for key in _crowd_keys(one, what)), default=0))
    }
    for one in records:  # the dates of a series count once
        for word in significant_words(one.name) if one.kind == "event" and names.get(one.name, 1) > 1 else ():
            words[word] = min(words.get(word, 1), max(1, counted.get(Key("word", word), 1) - names[one.name] + 1))
    alike = float(settings.ENVIRONMENT.near_duplicate_threshold)
    return Rarity(total, words, names, crowds, alike)


def _names(one: Facts) -> list[Key]:
    return [Key("name", "".join(sorted(significant_words(one.name))))] if one.name else []


def _crowd_keys(one: Facts, what: str) -> list[Key]:
    rule = {"phone": "phone", "address": "address and area"}.get(what, "")
    return [key for key in keys(one) if key.rule == rule] if rule else []


@lru_cache(maxsize=65_536)
def _key(kind: str, rule: str, value: str) -> int:
    return digest(kind, rule, value)


def _totals() -> dict[str, int]:
    ((size, believed),) = rows(SIZE)
    if size <= SMALL or believed <= 0:
        return dict(rows(COUNT_KINDS))
    return {kind: round(believed * share) for kind, share in rows(SHARES)}
