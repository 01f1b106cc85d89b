"""Invented data for the look-up benchmark: places and events with realistic names, and a full store.

Word frequencies are realistic: few words are in very many names, most in hardly any. The store is written with COPY and
the pure functions of the product, by one process per core.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

SYLLABLES = (
    "ba bo da de di do fa ga go ka ki ko la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se ta te ti va vi za"
)
SORTS = (
    "Hall,Theatre,Gallery,Museum,Library,School,Centre,Church,Club,Hotel,Restaurant,Bar,Park,Studio,Cafe,House,Kitchen"
)
GENRES = "Concert,Festival,Workshop,Exhibition,Reading,Evening,Market,Tour,Lecture,Night,Premiere,Quiz,Fair,Course,Jam"
WORDS, TOWNS, STREETS = 30_000, 400, 4_000
DAYS = 365
TODAY = datetime.now(UTC).date()
AT = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
AT_A_TIME = 5_000
MANY_SORTS, MANY_GENRES = SORTS.split(","), GENRES.split(",")


def word(number: int) -> str:
    """Return a unique pronounceable word for a number."""
    parts, rest = [], number + 40
    listed = SYLLABLES.split()
    while rest:
        rest, digit = divmod(rest, len(listed))
        parts.append(listed[digit])
    return "".join(parts).capitalize()


def uneven(chance: random.Random, many: int) -> int:
    """Return a random number; low numbers are much more frequent."""
    return int(many ** chance.random()) - 1


def place(number: int) -> dict[str, Any]:
    chance = random.Random(number)
    town = uneven(chance, TOWNS)
    names = [word(uneven(chance, WORDS)) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    if chance.random() < 0.8 or len(names) == 1:
        names.append(chance.choice(MANY_SORTS))
    lat, lon = 36 + town % 20 + chance.gauss(0, 0.03), 5 + town // 20 + chance.gauss(0, 0.04)
    fields = {
        "name": " ".join(names),
        "address": f"{1 + uneven(chance, 200)} {word(uneven(chance, STREETS))} Street",
        "locality": f"{word(WORDS + town)}",
        "postal_code": f"{1000 + town * 7 + chance.randrange(7)}",
        "country": "BG",
        "lat": round(lat, 5),
        "lon": round(lon, 5),
    }
    if chance.random() < 0.6:
        fields["phone"] = f"+3592{chance.randrange(10**7):07}"
    if chance.random() < 0.4:
        fields["url"] = f"https://{names[0].lower()}{number}.example/"
    return fields


def event(number: int, places: int) -> tuple[dict[str, Any], int]:
    """Return an event and the number of its venue."""
    chance = random.Random(-1 - number)
    venue = uneven(chance, places)
    where = place(venue)
    names = [word(uneven(chance, WORDS)) for _ in range(chance.choice((1, 2, 2, 3)))]
    day = TODAY + timedelta(days=30 + chance.randrange(DAYS))
    fields = {
        "name": f"{' '.join(names)} {chance.choice(MANY_GENRES)}",
        "description": "Everybody is welcome; come early and bring your friends.",
        "start": f"{day}T{chance.randrange(9, 22):02}:00:00+02:00",
        "venue_name": where["name"],
        **{name: where[name] for name in ("address", "locality", "postal_code", "country", "lat", "lon")},
    }
    return fields, venue


def blurred(fields: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a variant as in another source: a typo, a word added or missing, another order, a missing field."""
    words = fields["name"].split()
    how = chance.randrange(4)
    if how == 0:
        at = chance.randrange(1, len(words[0]))
        words[0] = words[0][:at] + words[0][at - 1] + words[0][at:]
    elif how == 1:
        words = [*words, "Varna"] if len(words) < 3 else words[:-1]
    elif how == 2:
        words = words[1:] + words[:1]
    else:
        words = ["The", *words]
    return {name: value for name, value in fields.items() if name not in ("phone", "lat", "lon")} | {
        "name": " ".join(words)
    }


def record_id(kind: str, number: int) -> str:
    return f"0190000{'1' if kind == 'event' else '0'}-0000-7000-8000-{number:012x}"


def lines(kind: str, numbers: range, places: int, holders: Counter[int]) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of record, likeness and likeness_key for each thing, without keys that are too common."""
    from gleanery.extraction.values import clock
    from gleanery.matching.facts import facts
    from gleanery.matching.live import stored
    from gleanery.matching.live.candidates import MOST_SHARING
    from gleanery.resolution.records.identity import Subject, identity
    from gleanery.sql import cell

    for number in numbers:
        record = record_id(kind, number)
        fields, venue = event(number, places) if kind == "event" else (place(number), None)
        at = None if venue is None else record_id("place", venue)
        one = facts(kind, fields, place=at)
        keys, rules = stored.digests(one), stored.key_sets(one).wanted
        holders.update(keys)
        listed_under = [key for key in keys if holders[key] <= MOST_SHARING + 1 or rules[key] in stored.COUNTED]
        hashed = (identity(kind, Subject(fields, at)) or b"").hex()
        day = clock.day_of(fields.get("start"), "BG") or "\\N"
        cells = (
            record,
            kind,
            "published",
            fields["name"],
            json.dumps(fields, ensure_ascii=False),
            "{}",
            f"\\\\x{hashed}",
        )
        listed = "{" + ",".join(map(str, keys)) + "}"
        yield (
            "\t".join((*cells, at or "\\N", str(day), AT, AT, AT)) + "\n",
            "\t".join((record, kind, cell(stored.facts_json(one)), listed)) + "\n",
            "".join(f"{key}\t{record}\n" for key in listed_under),
        )


COPIES = (
    "COPY record (id, kind, status, name, fields, provenance, identity_hash, place_id, start_date, published_at,"
    " created_at, updated_at) FROM STDIN",
    "COPY likeness (record_id, kind, facts, keys) FROM STDIN",
    "COPY likeness_key (key, record_id) FROM STDIN",
)


def fill(places: int, events: int) -> None:
    """Fill the store without indexes, which are built at the end."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('record', 'likeness', 'likeness_key')"
            " AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)"
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        cursor.execute("ALTER TABLE likeness_key DROP CONSTRAINT likeness_key_pkey")
        workers = [_start(number, places, events) for number in range(os.cpu_count() or 1)]
        for each in workers:
            assert each.wait() == 0
        cursor.execute("SET maintenance_work_mem = '1GB'")
        cursor.execute("ALTER TABLE likeness_key ADD PRIMARY KEY (key, record_id)")
        for _, definition in indexes:
            cursor.execute(definition)
        cursor.execute("VACUUM ANALYZE record, likeness, likeness_key")
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("SELECT count(key) FROM likeness_key")  # loads the index into memory


def _start(part: int, places: int, events: int) -> subprocess.Popen[bytes]:
    arguments = (part, os.cpu_count() or 1, places, events)
    return subprocess.Popen([sys.executable, __file__, *map(str, arguments)])  # noqa: S603 - this very file


def write(part: int, parts: int, places: int, events: int) -> None:
    import django

    django.setup()
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # references are correct by construction
        cursor.execute("SET synchronous_commit = off")
        holders: Counter[int] = Counter()
        for kind, many in (("place", places), ("event", events)):
            for begin in range(part * AT_A_TIME, many, parts * AT_A_TIME):
                numbers = range(begin, min(begin + AT_A_TIME, many))
                columns = zip(*lines(kind, numbers, places, holders), strict=True)
                for statement, texts in zip(COPIES, columns, strict=True):
                    with cursor.copy(statement) as copy:
                        copy.write("".join(texts))


if __name__ == "__main__":
    write(*map(int, sys.argv[1:]))
