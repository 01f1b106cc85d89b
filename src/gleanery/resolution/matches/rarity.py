"""How common the words and names at hand are among all records of their kind, as far as that matters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from gleanery.resolution.matches.corpus import CROWD, FEWEST, Corpus
from gleanery.resolution.matches.keys import Key, crowding, keys
from gleanery.resolution.matches.names import COMMON, name
from gleanery.resolution.matches.stored import digest
from gleanery.resolution.matches.traits import Traits
from gleanery.sql import array, rows, rows_of_many

MOST_COUNTED = 1_000  # a word that so many have is common, however many they are

# How many have each of these keys. Index: likeness_key_pkey.
COUNT = f"""
    SELECT wanted.key, found.many
    FROM unnest(%(keys)s::bigint[]) AS wanted (key)
         CROSS JOIN LATERAL (
             SELECT count(*) AS many
             FROM (SELECT FROM likeness_key WHERE likeness_key.key = wanted.key LIMIT {MOST_COUNTED}) AS several
         ) AS found
    WHERE found.many > 1
"""  # noqa: S608 - a number of ours
# A table of few pages is counted; of a large one what PostgreSQL believes is near enough.
SIZE = "SELECT pg_relation_size('likeness'), reltuples FROM pg_class WHERE oid = 'likeness'::regclass"
SMALL = 4 << 20
COUNT_KINDS = "SELECT kind, count(*) FROM likeness GROUP BY kind"
SHARES = """
    SELECT kind, share
    FROM pg_stats, unnest(most_common_vals::text::text[], most_common_freqs) AS common (kind, share)
    WHERE schemaname = current_schema AND tablename = 'likeness' AND attname = 'kind'
"""


def corpus_of(one: Traits, other: Traits) -> Corpus:
    """What scoring these two asks: the same as intake sees."""
    named = {
        digest(each.kind, key.rule, key.value): (each.kind, each.name)
        for each in (one, other)
        for key in keys(each)
        if key.rule == "name"
    }
    shared = {digest(each.kind, *key): key for each in (one, other) for _, key in crowding(each)}
    counted = dict(rows_of_many(COUNT, keys=array([*named, *shared]))) if named or shared else {}
    crowds = {key for each, key in shared.items() if counted.get(each, 1) > CROWD}
    return corpora([(one, other)], {name: counted.get(key, 1) for key, name in named.items()}, crowds)[one.kind]


def corpora(
    pairs: Iterable[tuple[Traits, Traits]], names: Mapping[tuple[str, str], int], crowds: Collection[Key]
) -> dict[str, Corpus]:
    """For each kind what scoring the pairs asks; `names` says how many have a whole name."""
    told: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        told[pair[0].kind].update(text for one in pair for text in (one.name, one.also) if text)
    totals = _totals() if told else {}
    wanted = {
        _word_key(kind, sound): (kind, sound)
        for kind, texts in told.items()
        if totals.get(kind, 0) >= FEWEST
        for sound in {word.sound for text in texts for word in name(text).words if word.weight >= COMMON}
    }
    words: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for key, many in rows_of_many(COUNT, keys=array(wanted)) if wanted else ():
        kind, sound = wanted[key]
        words[kind][sound] = many
    whole: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (kind, text), many in names.items():
        whole[kind][text] = many
    return {kind: Corpus(totals.get(kind, 0), words[kind], whole[kind], crowds) for kind in told}


@lru_cache(maxsize=65_536)
def _word_key(kind: str, sound: str) -> int:
    return digest(kind, "word", sound)


def _totals() -> dict[str, int]:
    ((size, believed),) = rows(SIZE)
    if size <= SMALL or believed <= 0:
        return dict(rows(COUNT_KINDS))
    return {kind: round(believed * share) for kind, share in rows(SHARES)}
