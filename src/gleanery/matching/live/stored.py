"""What is kept of each live record for its likeness to others: its facts, and the keys by which others find it."""

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
# By how many have these keys it is seen how rare names, words, phones and addresses are.
COUNTED = frozenset(["name", "phone", "address and area", "word"])
_DAYS = ("day", "last_day", "deadline")

# Facts and keys in one statement; the keys in their order, so that neighbours in the index are written together.
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
THERE = "SELECT record_id::text FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"


class Kept(NamedTuple):
    """The facts of a record, its keys, and those of them that are to be stored."""

    facts: Facts
    keys: frozenset[int]
    fresh: frozenset[int]
    stale: frozenset[int] = frozenset()


class Keyed(NamedTuple):
    """Under which keys one is kept, and under which others are looked for, each of these with its rule."""

    kept: frozenset[int]
    wanted: Mapping[int, str]


def digest(kind: str, rule: str, value: str) -> int:
    """Return a key as a number of eight bytes that PostgreSQL can keep."""
    hashed = blake2b(f"{kind}\0{rule}\0{value}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(hashed, "big", signed=True)


@lru_cache(maxsize=4_096)  # a batch asks twice or three times about each of its records
def keyed(one: Facts) -> Keyed:
    def of(found: set[Key]) -> dict[int, str]:
        return {digest(one.kind, rule, value): rule for rule, value in found}

    return Keyed(frozenset(of(keys(one))), of(wanted(one)))


def digests(one: Facts) -> frozenset[int]:
    """Return the keys under which it is kept."""
    return keyed(one).kept


def written_out(one: Facts) -> str:
    """Return facts as JSON; what is unknown is left out."""
    told = {name: value for name, value in zip(one._fields, one, strict=True) if value != _DEFAULTS.get(name)}
    return json.dumps(told, ensure_ascii=False, default=lambda each: each.isoformat())


def read_back(kind: str, text: str) -> Facts:
    told: dict[str, Any] = json.loads(text)
    for name in _DAYS:
        if name in told:
            told[name] = date.fromisoformat(told[name])
    if "begins" in told:
        told["begins"] = datetime.fromisoformat(told["begins"])
    if "about" in told:
        told["about"] = tuple(told["about"])
    return Facts(**{"kind": kind, **told})


def read(ids: Collection[str]) -> dict[str, Facts]:
    return {record: read_back(kind, text) for record, kind, text in rows_of_many(READ, ids=array(ids))} if ids else {}


def mark() -> int:
    """Return the number of the last one written: writers take turns, so what comes after has a higher one."""
    ((latest,),) = rows(LATEST)
    return int(latest)


def written_since(mark: int, kinds: Collection[str]) -> dict[str, list[int]]:
    """Return the keys of records that were written after that."""
    return dict(rows_of_many(SINCE, mark=mark, kinds=array(kinds)))


def still_there(ids: Collection[str]) -> set[str]:
    return {record for (record,) in rows_of_many(THERE, ids=array(ids))} if ids else set()


def changed(
    now: Mapping[str, Facts],
    new: Collection[str] = (),
    anyway: Collection[str] = (),
    crowded: Collection[int] = frozenset(),
) -> dict[str, Kept]:
    """Return those of these records whose facts are not what is stored of them; `new` ones have nothing stored.

    `crowded`: keys that too many have already, so that one more would be written for nothing. What is counted is kept
    of all who have it.
    """
    asked = now.keys() - set(new)
    before = {row[0]: row[1:] for row in rows_of_many(READ_WITH_KEYS, ids=array(asked))} if asked else {}
    found = {}
    for record, one in now.items():
        kind, text, had = before.get(record, ("", "", ()))
        if record in anyway or not text or read_back(kind, text) != one:
            mine = keyed(one)
            fresh = mine.kept.difference(had)
            needless = {key for key in fresh.intersection(crowded) if mine.wanted[key] not in COUNTED}
            found[record] = Kept(one, mine.kept, fresh - needless, frozenset(had) - mine.kept)
    return found


def write(kept: Mapping[str, Kept], new: Collection[str] = ()) -> None:
    """Store them; of `new` ones surely nothing is stored yet."""
    fresh = {record: each for record, each in kept.items() if record in new}
    if fresh:
        copy("likeness", LINE, [_line(record, each) for record, each in sorted(fresh.items())])
        listed = sorted((key, record) for record, each in fresh.items() for key in each.fresh)
        copy("likeness_key", ("key", "record_id"), [f"{key}\t{record}\n" for key, record in listed])
    if len(fresh) < len(kept):
        _follow({record: each for record, each in kept.items() if record not in fresh})


def _follow(kept: Mapping[str, Kept]) -> None:
    gone = [(key, record) for record, each in kept.items() for key in each.stale]
    if gone:
        listed, records = zip(*gone, strict=True)
        execute_with_many(DROP_KEYS, keys=array(map(str, listed)), records=array(records))
    execute_with_many(WRITE, rows=json.dumps([_row(*each) for each in sorted(kept.items())], ensure_ascii=False))


def forget(ids: Collection[str]) -> None:
    """Drop what is kept of records that are not live any more."""
    if ids:
        execute(FORGET, ids=array(ids))


def _line(record: str, kept: Kept) -> str:
    return line((record, kept.facts.kind, cell(written_out(kept.facts)), array(kept.keys)))


def _row(record: str, kept: Kept) -> dict[str, Any]:
    return {
        "id": record,
        "kind": kept.facts.kind,
        "facts": json.loads(written_out(kept.facts)),
        "keys": array(map(str, kept.keys)),
        "fresh": array(map(str, kept.fresh)),
    }
