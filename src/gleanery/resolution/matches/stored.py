"""What is kept of each live record for its likeness to others: its traits, and the keys by which others find it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches import keys
from gleanery.resolution.matches.traits import Traits
from gleanery.sql import array, cell, copy, execute, execute_with_many, line, rows, rows_of_many

COLUMNS = Traits._fields
REFERENCES = ("at", "by")
_TEXTS = tuple(name for name, default in Traits._field_defaults.items() if default == "" and name not in REFERENCES)
_TYPES = {
    **dict.fromkeys(("kind", *_TEXTS), "text"),
    **dict.fromkeys(REFERENCES, "uuid"),
    **dict.fromkeys(("lat", "lon", "least", "most"), "float8"),
    **dict.fromkeys(("day", "last_day", "deadline"), "date"),
    **dict.fromkeys(("minute", "year", "founded"), "int"),
    "begins": "timestamptz",
}
_LISTED = ", ".join(COLUMNS)
_REFERENCES_AT = tuple(COLUMNS.index(name) for name in REFERENCES)
LINE = ("record_id", *COLUMNS, "keys")
_GIVEN = ", ".join(f"coalesce(row.{name}, '')" if name in _TEXTS else f"row.{name}" for name in COLUMNS)
_READ = ", ".join(f"coalesce({name}::text, '')" if name in REFERENCES else name for name in COLUMNS)
_TAKEN = ", ".join(f"{name} = excluded.{name}" for name in (*COLUMNS, "keys", "written"))
_DECLARED = ", ".join(f"{name} {_TYPES[name]}" for name in COLUMNS)

# Traits and keys in one statement; the keys in their order, so that neighbours in the index are written together.
WRITE = f"""
    WITH row AS (
        SELECT * FROM json_to_recordset(%(rows)s) AS given (id uuid, {_DECLARED}, keys text, fresh text)
    ), kept AS (
        INSERT INTO likeness (record_id, {_LISTED}, keys) SELECT row.id, {_GIVEN}, row.keys::bigint[] FROM row
        ON CONFLICT (record_id) DO UPDATE SET {_TAKEN}
    )
    INSERT INTO likeness_key (key, record_id)
    SELECT key, row.id FROM row CROSS JOIN unnest(row.fresh::bigint[]) AS key ORDER BY key
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - the columns are those of Traits
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
READ = f"SELECT record_id::text, {_READ} FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"  # noqa: S608
# Index: likeness_pkey.
READ_WITH_KEYS = f"SELECT record_id::text, keys, {_READ} FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"  # noqa: S608

# Index: likeness_written_since.
LATEST = "SELECT coalesce(max(written), 0) FROM likeness"
# Index: likeness_written_since.
SINCE = "SELECT record_id::text, keys FROM likeness WHERE written > %(mark)s::bigint AND kind = ANY(%(kinds)s::text[])"
# Index: likeness_pkey.
THERE = "SELECT record_id::text FROM likeness WHERE record_id = ANY(%(ids)s::uuid[])"


class Kept(NamedTuple):
    """The traits of a record, its keys, and those of them that are to be stored."""

    traits: Traits
    keys: frozenset[int]
    fresh: frozenset[int]
    stale: frozenset[int] = frozenset()


def digest(kind: str, rule: str, value: str) -> int:
    """Of a key: eight bytes, as a number that PostgreSQL can keep."""
    hashed = blake2b(f"{kind}\0{rule}\0{value}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(hashed, "big", signed=True)


def digests(one: Traits) -> frozenset[int]:
    """Under which it is kept."""
    return keyed(one).kept


def wanted(one: Traits) -> Mapping[int, str]:
    """Under which others are looked for, each with its rule."""
    return keyed(one).wanted


class Keyed(NamedTuple):
    """Under which keys one is kept, and under which others are looked for, each of these with its rule."""

    kept: frozenset[int]
    wanted: Mapping[int, str]


# Each key costs a place in a large index, at every write and every look-up; these found no labelled pair that others do
# not find. An event that tells its day is looked for among those of that day.
NEEDLESS = {
    "event": frozenset(
        (
            "beginning",
            "two words",
            "word and area",
            "meaning and area",
            "word and owner",
            "cell",
            "cell and word",
            "address",
            "address and area",
            "street",
            "site",
            "site and area",
        )
    ),
    "place": frozenset(("beginning", "two words", "meaning and area")),
}
ALWAYS = frozenset((*keys.COUNTED, "word"))
# Of which keys the neighbours are asked for as well, the days and cells around; elsewhere of all that have some.
AROUND: Mapping[str, tuple[str, ...]] = {"event": (), "place": ("cell",)}


class Rules(NamedTuple):
    """By which the records of a kind are kept, and by which their neighbours are looked for."""

    kept: tuple[str, ...]
    around: tuple[str, ...]


ALL = Rules(tuple(keys.RULES), keys.HAVE_NEIGHBOURS)
RULES = {
    kind: Rules(
        tuple(rule for rule in keys.RULES if rule not in NEEDLESS.get(kind, ())),
        AROUND.get(kind, keys.HAVE_NEIGHBOURS),
    )
    for kind in KINDS
}


@lru_cache(maxsize=4_096)  # a batch asks twice or three times about each of its records
def keyed(one: Traits) -> Keyed:
    pays_less = one.kind == "event" and one.day is None
    rules = ALL if pays_less else RULES[one.kind]
    if one.at or one.by:  # what it names only adds keys to those that it has without
        return _with_references(one, rules, keyed(one._replace(at="", by="")))
    kept = {digest(one.kind, rule, value): rule for rule, value in keys.by_rules(one, rules.kept)}
    around = keys.by_rules(one, rules.around, around=1) if rules.around else ()
    return Keyed(frozenset(kept), kept | {digest(one.kind, rule, value): rule for rule, value in around})


def _with_references(one: Traits, rules: Rules, alone: Keyed) -> Keyed:
    named = [rule for rule in keys.BY_REFERENCE if rule in rules.kept]
    more = {digest(one.kind, rule, value): rule for rule, value in keys.by_rules(one, named)}
    return Keyed(alone.kept | more.keys(), {**alone.wanted, **more})


def read(ids: Collection[str]) -> dict[str, Traits]:
    return {row[0]: Traits._make(row[1:]) for row in rows_of_many(READ, ids=array(ids))} if ids else {}


def mark() -> int:
    """What is written after this was asked has a higher number: writers take turns, and number what they write."""
    ((latest,),) = rows(LATEST)
    return int(latest)


def written_since(mark: int, kinds: Collection[str]) -> dict[str, list[int]]:
    """The keys of records that were written after that."""
    return dict(rows_of_many(SINCE, mark=mark, kinds=array(kinds)))


def still_there(ids: Collection[str]) -> set[str]:
    return {record for (record,) in rows_of_many(THERE, ids=array(ids))} if ids else set()


def changed(
    now: Mapping[str, Traits],
    new: Collection[str] = (),
    anyway: Collection[str] = (),
    crowded: Collection[int] = frozenset(),
) -> dict[str, Kept]:
    """Those of these records whose traits are not what is stored of them; `new` ones have nothing stored.

    `crowded`: keys that too many have already, so that one more would be written for nothing. What is counted is kept
    of all who have it.
    """
    asked = now.keys() - set(new)
    before = (
        {row[0]: (row[1], Traits._make(row[2:])) for row in rows_of_many(READ_WITH_KEYS, ids=array(asked))}
        if asked
        else {}
    )
    found = {}
    for record, one in now.items():
        had, was = before.get(record, ((), None))
        if one != was or record in anyway:
            mine, rules = keyed(one)
            fresh = mine.difference(had)
            needless = {key for key in fresh.intersection(crowded) if rules[key] not in ALWAYS}
            found[record] = Kept(one, mine, fresh - needless, frozenset(had) - mine)
    return found


def write(kept: Mapping[str, Kept], new: Collection[str] = ()) -> None:
    """Of `new` ones surely nothing is stored yet."""
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
    execute_with_many(
        WRITE, rows=json.dumps([_row(*each) for each in sorted(kept.items())], ensure_ascii=False, default=str)
    )


def forget(ids: Collection[str]) -> None:
    """Of records that are not live any more."""
    if ids:
        execute(FORGET, ids=array(ids))


def _line(record: str, kept: Kept) -> str:
    told = [
        None if each is None or (each == "" and at in _REFERENCES_AT) else each for at, each in enumerate(kept.traits)
    ]
    return line((record, *[cell(each) if type(each) is str else each for each in told], array(kept.keys)))


def _row(record: str, kept: Kept) -> dict[str, Any]:
    told = {name: value for name, value in zip(COLUMNS, kept.traits, strict=True) if value not in ("", None)}
    return {"id": record, **told, "keys": array(map(str, kept.keys)), "fresh": array(map(str, kept.fresh))}
