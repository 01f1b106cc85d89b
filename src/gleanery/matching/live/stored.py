"""Stored features and keys of each live record, by which near duplicates are found."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import date, datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from gleanery.matching.facts import Facts
from gleanery.matching.keys import Key, keys, wanted
from gleanery.sql import array, cell, copy, execute, execute_with_many, line, rows, rows_of_many

LINE = ("record_id", "kind", "facts", "keys")
_DEFAULTS = Facts._field_defaults
# Keys whose counts give the rarity of names, words, phones and addresses.
COUNTED = frozenset(["name", "phone", "address and area", "word"])
_DAYS = ("day", "last_day", "deadline")

# Writes facts and keys in one statement; keys are sorted so that neighbours in the index are written together.
WRITE = """
    WITH row AS (
        SELECT * FROM json_to_recordset(%(rows)s) AS given (id uuid, kind text, facts jsonb, keys text, fresh text)
    ), kept AS (
        INSERT INTO likeness (record_id, kind, facts, keys) SELECT id, kind, facts, keys::bigint[] FROM row
        ON CONFLICT (record_id) DO UPDATE
        SET kind = excluded.kind, facts = excluded.facts, keys = excluded.keys, written = excluded.written
    )
    INSERT INTO likeness_key (key, record_id)
    SELECT key, row.id FROM row CROSS JOIN unnest(row.fresh::bigint[]) AS key ORDER BY key
    ON CONFLICT DO NOTHING
"""
# Index: likeness_key_pkey.
DROP_KEYS = """
    DELETE FROM likeness_key USING unnest(%(keys)s::bigint[], %(records)s::uuid[]) AS gone (key, record_id)
    WHERE likeness_key.key = gone.key AND likeness_key.record_id = gone.record_id
"""
# Indexes: likeness_pkey, likeness_key_pkey.
FORGET = """
    WITH gone AS (DELETE FROM likeness WHERE record_id = ANY(%(ids)s::uuid[]) RETURNING record_id, keys)
    DELETE FROM likeness_key USING (SELECT unnest(keys) AS key, record_id FROM gone) AS listed
    WHERE likeness_key.key = listed.key AND likeness_key.record_id = listed.record_id
"""
# Index: likeness_pkey.
READ = "SELECT record_id::text, kind, facts::text FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"
# Index: likeness_pkey.
READ_WITH_KEYS = """
    SELECT record_id::text, kind, facts::text, keys FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])
"""
# Index: likeness_written_since.
LATEST = "SELECT coalesce(max(written), 0) FROM likeness"
# Index: likeness_written_since.
SINCE = "SELECT record_id::text, keys FROM likeness WHERE written > %(mark)s::bigint AND kind = ANY(%(kinds)s::text[])"
# Index: likeness_pkey.
EXISTING = "SELECT record_id::text FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"


class LikenessUpdate(NamedTuple):
    """Change to store for a record: its facts, all its keys, the keys to add and those to drop."""

    facts: Facts
    keys: frozenset[int]
    fresh: frozenset[int]
    stale: frozenset[int] = frozenset()


class KeySets(NamedTuple):
    """Keys under which a record is stored, and keys to look up for it with their rules."""

    kept: frozenset[int]
    wanted: Mapping[int, str]


def digest(kind: str, rule: str, value: str) -> int:
    """Return the hash of a key as a bigint."""
    hashed = blake2b(f"{kind}\0{rule}\0{value}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(hashed, "big", signed=True)


@lru_cache(maxsize=4_096)  # a batch looks up each of its records two or three times
def key_sets(one: Facts) -> KeySets:
    def of(found: set[Key]) -> dict[int, str]:
        return {digest(one.kind, rule, value): rule for rule, value in found}

    return KeySets(frozenset(of(keys(one))), of(wanted(one)))


def digests(one: Facts) -> frozenset[int]:
    """Return the keys under which a record is stored."""
    return key_sets(one).kept


def facts_json(one: Facts) -> str:
    """Return facts as JSON without unknown ones."""
    known = {name: value for name, value in zip(one._fields, one, strict=True) if value != _DEFAULTS.get(name)}
    return json.dumps(known, ensure_ascii=False, default=lambda each: each.isoformat())


def parse_facts(kind: str, text: str) -> Facts:
    parsed: dict[str, Any] = json.loads(text)
    for name in _DAYS:
        if name in parsed:
            parsed[name] = date.fromisoformat(parsed[name])
    if "begins" in parsed:
        parsed["begins"] = datetime.fromisoformat(parsed["begins"])
    if "about" in parsed:
        parsed["about"] = tuple(parsed["about"])
    return Facts(**{"kind": kind, **parsed})


def read(ids: Collection[str]) -> dict[str, Facts]:
    return {record: parse_facts(kind, text) for record, kind, text in rows_of_many(READ, ids=array(ids))} if ids else {}


def mark() -> int:
    """Return the number of the latest write; later writes get higher numbers because writers are serialised."""
    ((latest,),) = rows(LATEST)
    return int(latest)


def written_since(mark: int, kinds: Collection[str]) -> dict[str, list[int]]:
    """Return the keys of records written after `mark`."""
    return dict(rows_of_many(SINCE, mark=mark, kinds=array(kinds)))


def existing(ids: Collection[str]) -> set[str]:
    return {record for (record,) in rows_of_many(EXISTING, ids=array(ids))} if ids else set()


def changed(
    now: Mapping[str, Facts],
    new: Collection[str] = (),
    anyway: Collection[str] = (),
    crowded: Collection[int] = frozenset(),
) -> dict[str, LikenessUpdate]:
    """Return updates for the records whose facts differ from the stored ones; `new` records have nothing stored.

    `crowded` keys have too many records to be useful and are not written again, except those needed for counts.
    """
    asked = now.keys() - set(new)
    before = {row[0]: row[1:] for row in rows_of_many(READ_WITH_KEYS, ids=array(asked))} if asked else {}
    found = {}
    for record, one in now.items():
        kind, text, had = before.get(record, ("", "", ()))
        if record in anyway or not text or parse_facts(kind, text) != one:
            mine = key_sets(one)
            fresh = mine.kept.difference(had)
            needless = {key for key in fresh.intersection(crowded) if mine.wanted[key] not in COUNTED}
            found[record] = LikenessUpdate(one, mine.kept, fresh - needless, frozenset(had) - mine.kept)
    return found


def write(kept: Mapping[str, LikenessUpdate], new: Collection[str] = ()) -> None:
    """Store updates; `new` records are known to have nothing stored yet."""
    fresh = {record: each for record, each in kept.items() if record in new}
    if fresh:
        copy("likeness", LINE, [_line(record, each) for record, each in sorted(fresh.items())])
        listed = sorted((key, record) for record, each in fresh.items() for key in each.fresh)
        copy("likeness_key", ("key", "record_id"), [f"{key}\t{record}\n" for key, record in listed])
    if len(fresh) < len(kept):
        _update({record: each for record, each in kept.items() if record not in fresh})


def _update(kept: Mapping[str, LikenessUpdate]) -> None:
    gone = [(key, record) for record, each in kept.items() for key in each.stale]
    if gone:
        listed, records = zip(*gone, strict=True)
        execute_with_many(DROP_KEYS, keys=array(map(str, listed)), records=array(records))
    execute_with_many(WRITE, rows=json.dumps([_row(*each) for each in sorted(kept.items())], ensure_ascii=False))


def forget(ids: Collection[str]) -> None:
    """Delete records that are no longer live from the index."""
    if ids:
        execute(FORGET, ids=array(ids))


def _line(record: str, kept: LikenessUpdate) -> str:
    return line((record, kept.facts.kind, cell(facts_json(kept.facts)), array(kept.keys)))


def _row(record: str, kept: LikenessUpdate) -> dict[str, Any]:
    return {
        "id": record,
        "kind": kept.facts.kind,
        "facts": json.loads(facts_json(kept.facts)),
        "keys": array(map(str, kept.keys)),
        "fresh": array(map(str, kept.fresh)),
    }
