"""`python -m tests.publishing.change_writer DSN SEED TIMES [STOP]`: changes records at random.

With STOP it waits in the middle of its last transaction, for whoever started it to kill it.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any
from uuid import UUID

import psycopg

LEAVE = ("withdrawn", "deleted", "merged")
ADD = """
    INSERT INTO record (id, kind, status, name, fields, provenance, published_at)
    VALUES (%s, 'place', 'published', 'New', '{"name": "New"}', '{}', now())
"""
SAY = "UPDATE record SET fields = fields || %s::jsonb, version = version + 1 WHERE id = %s"
MOVE = """
    UPDATE record SET status = %s, merged_into_id = %s, published_at = coalesce(published_at, now()) WHERE id = %s
"""
KNOWN = "SELECT id FROM record WHERE name = 'Known' ORDER BY id"
LOCKED = "SELECT id, status FROM record WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"


def write(connection: psycopg.Connection[Any], chance: random.Random, known: list[UUID]) -> None:
    if chance.random() < 0.2:
        connection.execute(ADD, [UUID(int=chance.getrandbits(128))])
    chosen = connection.execute(LOCKED, [chance.sample(known, 3)]).fetchall()
    for record, status in chosen:
        if status != "published":
            connection.execute(MOVE, ["published", None, record])
        elif chance.random() < 0.6:
            connection.execute(SAY, [json.dumps({"cost": str(chance.random())}), record])
        else:
            goes = chance.choice(LEAVE)
            other = chance.choice([each for each in known if each != record]) if goes == "merged" else None
            connection.execute(MOVE, [goes, other, record])


def main(dsn: str, seed: str, times: str, stop: str = "") -> None:
    chance = random.Random(int(seed))
    with psycopg.connect(dsn, autocommit=True) as connection:
        known = [record for (record,) in connection.execute(KNOWN).fetchall()]
        for turn in range(int(times)):
            with connection.transaction():
                write(connection, chance, known)
                if stop and turn == int(times) - 1:
                    print("inside", flush=True)  # noqa: T201 - whoever started it reads this
                    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
