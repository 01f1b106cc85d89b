"""Invented data for the intake benchmark: a full store and a stream of observations.

The store is written with COPY and the pure functions of the product, so that it is what intake would have produced.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gleanery.ids import hex7
from gleanery.resolution.intake.observation_draft import Given, named_by, read
from gleanery.resolution.records.identity import Subject, identity
from gleanery.resolution.records.projection import CurrentObservation, Projection, project

SOURCES = 20
TRUST = 5
#         of twenty things
KINDS = ("event",) * 12 + ("funding",) * 3 + ("service",) * 2 + ("opportunity", "place", "organization")
WORDS = ("Spring", "Jazz", "Youth", "River", "School", "Open", "Night", "Garden", "Science", "Folk", "Winter")
TOWNS = ("Sofia", "Plovdiv", "Varna", "Burgas", "Ruse", "Pleven", "Sliven", "Dobrich", "Shumen")
POPULAR = 100  # venues used by a fifth of all things
AT_A_VENUE = 14
AT_A_TIME = 20_000
NEWS = 1 << 40  # numbers from here are not in the store
PARTS = {"unchanged": 0.5, "updated": 0.1, "merged": 0.1, "created": 0.3}
TODAY = datetime.now(UTC).date()
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = (
    "The evening begins with a short talk of the organisers, goes on with music and readings, and ends late. "
    "Everybody is welcome; seats cannot be kept, so come early and bring your friends."
)


def source_of(number: int) -> int:
    return number // len(KINDS) % SOURCES


def thing(number: int, *, changed: str = "", loudly: bool = False) -> Given:
    """Return the thing with this number; `changed` alters its text, `loudly` the spelling, as in another source."""
    kind = KINDS[number % len(KINDS)]
    name = f"{WORDS[number % 11]} {WORDS[number // 11 % 11]} {number}"
    payload: dict[str, Any] = {
        "name": name.upper() if loudly else name,
        "description": f"{TEXT} {changed}".strip(),
        "url": f"https://site{source_of(number)}.example/{number}",
    }
    if loudly:
        payload["image_url"] = f"https://pictures.example/{number}.jpg"
    payload |= _more(kind, number)
    return Given(kind=kind, external_id=f"{'other ' if loudly else ''}{number}", payload=payload)


def _more(kind: str, number: int) -> dict[str, Any]:
    day = TODAY + timedelta(days=30 + number % 300)
    if kind == "event":
        fields = {"start": f"{day}T19:00:00+02:00", "end": f"{day}T21:30:00+02:00", **_venue(number)}
        return fields | (_by("organizer", number) if number % 3 == 0 else {})
    if kind == "funding":
        return {"deadline": day.isoformat(), "amount_max": 1000 + number % 50 * 100, **_by("funder", number)}
    if kind == "service":
        return {"phone": f"+3592{number % 10**7:07}", **_venue(number), **_by("provider", number)}
    if kind == "opportunity":
        return {"deadline": day.isoformat(), **_venue(number), **_by("organizer", number)}
    if kind == "place":
        return {"address": f"{number % 90 + 1} River Street", "locality": TOWNS[number % 9], "country": "BG"}
    return {"locality": TOWNS[number % 9], "email": f"office{number}@example.org"}


def _venue(number: int) -> dict[str, Any]:
    venue = number % POPULAR if number // 7 % 5 == 0 else POPULAR + number % NEWS // AT_A_VENUE
    where = {"address": f"{venue % 90 + 1} Main Street", "locality": TOWNS[venue % 9], "country": "BG"}
    return {"venue_name": f"{WORDS[venue % 11]} Hall {venue}", **where}


def _by(role: str, number: int) -> dict[str, Any]:
    who = number % NEWS // (3 * AT_A_VENUE)
    return {f"{role}_name": f"{WORDS[who % 11]} Foundation {who}", f"{role}_url": f"https://foundation{who}.example/"}


class News(NamedTuple):
    outcome: str  # expected outcome
    given: Given


def stream(store: Store, batches: int, size: int, seed: int) -> Iterator[tuple[int, list[News]]]:
    """Yield batches of one source each, without things touched by an earlier stream."""
    chance = random.Random(seed)
    counts = {outcome: int(size * part) for outcome, part in PARTS.items()}
    own: list[list[int]] = [[] for _ in range(SOURCES)]
    for number in range(store.stored):
        if number not in store.touched:
            own[source_of(number)].append(number)
    foreign = [iter(chance.sample(own[source - 1], len(own[source - 1]) // 3)) for source in range(SOURCES)]
    known = [iter(chance.sample(each, len(each))) for each in own]
    fresh = iter(range(NEWS * (seed + 1), NEWS * (seed + 2)))
    for batch in range(batches):
        source = batch % SOURCES
        same, changed = ([next(known[source]) for _ in range(counts[each])] for each in ("unchanged", "updated"))
        others = [next(foreign[source]) for _ in range(counts["merged"])]
        store.touched.update(changed, others)
        news = [News("unchanged", thing(number)) for number in same]
        news += [News("updated", thing(number, changed=f"New: {seed}.")) for number in changed]
        news += [News("merged", thing(number, loudly=True)) for number in others]
        news += [News("created", thing(next(fresh))) for _ in range(counts["created"])]
        chance.shuffle(news)
        yield source, news


class Store:
    """Fills the tables and keeps track of the places and organisations created."""

    def __init__(self) -> None:
        from gleanery.resolution.services import source_named

        self.sources = [source_named(f"source {n}", trust=TRUST) for n in range(SOURCES)]
        self.named: dict[bytes, str] = {}
        self.stored = 0
        self.touched: set[int] = set()  # by streams

    def fill(self, until: int) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('observation', 'record', 'occurrence')"
                " AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)"
            )
            indexes = cursor.fetchall()
            for name, _ in indexes:
                cursor.execute(f'DROP INDEX "{name}"')
            cursor.execute("SET session_replication_role = replica")  # references are correct by construction
            for begin in range(self.stored, until, AT_A_TIME):
                self._write(cursor, range(begin, min(begin + AT_A_TIME, until)))
            cursor.execute("SET session_replication_role = origin")
            cursor.execute("SET maintenance_work_mem = '512MB'")
            for _, definition in indexes:
                cursor.execute(definition)
            _remember_likenesses()
            cursor.execute("VACUUM ANALYZE observation, record, occurrence, likeness, likeness_key")
        self.stored = until

    def _write(self, cursor: Any, numbers: range) -> None:
        lines: dict[str, list[str]] = {table: [] for table in COLUMNS}
        for number in numbers:
            self._thing(number, lines)
        for table, columns in COLUMNS.items():
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                copy.write("".join(lines[table]))

    def _thing(self, number: int, lines: dict[str, list[str]]) -> None:
        draft = read(thing(number), "")
        source, first = str(self.sources[source_of(number)].pk), EPOCH + timedelta(microseconds=10 * number)
        found: dict[str, str] = {}
        for named, (kind, key), fields in named_by(draft.kind, draft.external_id, draft.payload):
            found[named.reference] = self._place(kind, key, fields, source, first, lines)
        seen = _seen(hex7(), source, first, draft.external_id, draft.payload, **found)
        record = hex7()
        self._record(record, draft.kind, seen, lines)
        lines["observation"].append(_observation(seen, draft.kind, draft.digest, record))

    def _place(
        self, kind: str, key: str, fields: dict[str, Any], source: str, first: datetime, lines: dict[str, list[str]]
    ) -> str:
        from gleanery.extraction.payload import payload_hash

        seen = _seen(hex7(), source, first, key, fields)
        hashed = identity(kind, Subject(fields))
        assert hashed is not None
        record = self.named.get(hashed)
        if record is None:
            record = self.named[hashed] = hex7()
            self._record(record, kind, seen, lines)
        lines["observation"].append(_observation(seen, kind, payload_hash(kind, fields), record, extractor="named"))
        return record

    def _record(self, record: str, kind: str, seen: CurrentObservation, lines: dict[str, list[str]]) -> None:
        made = project(kind, [seen])
        lines["record"].append(_record(record, kind, made, seen.first))
        for span in made.occurrences:
            values = (hex7(), record, span.start.isoformat(), span.end.isoformat() if span.end else "\\N", span.day)
            lines["occurrence"].append("\t".join(map(str, values)) + "\n")


COLUMNS = {
    "observation": "id, source_id, kind, external_id, original, payload, payload_hash, evidence, extractor,"
    " extractor_version, version, first_seen, last_seen, first_observed, record, resolved_at",
    "record": "id, kind, status, name, fields, provenance, identity_hash, place_id, organization_id, start_date,"
    " deadline, published_at, created_at, updated_at",
    "occurrence": 'id, record_id, start, "end", start_date',
}


def _seen(
    row_id: str, source: str, first: datetime, key: str, payload: dict[str, Any], **named: str
) -> CurrentObservation:
    return CurrentObservation(
        id=_dashed(row_id), source=source, trust=TRUST, first=first, external_id=key, payload=payload, **named
    )


def _dashed(text: str) -> str:
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _observation(seen: CurrentObservation, kind: str, digest: bytes, record: str, extractor: str = "import") -> str:
    payload, at = json.dumps(seen.payload, ensure_ascii=False), seen.first.isoformat()
    original = payload if extractor == "import" else "\\N"
    cells = (seen.id, seen.source, kind, seen.external_id, original, payload, f"\\\\x{digest.hex()}", "{}", extractor)
    return "\t".join((*cells, "1", "1", at, at, at, record, at)) + "\n"


def _record(record: str, kind: str, made: Projection, first: datetime) -> str:
    from gleanery.extraction.values import clock

    hashed = identity(kind, Subject(made.fields, _uuid(made.place), _uuid(made.organization)))
    assert hashed is not None
    days = (clock.day_of(made.fields.get(name), made.fields.get("country", "")) for name in ("start", "deadline"))
    cells = (record, kind, "published", made.fields["name"], _json(made.fields), _json(made.provenance))
    links = (made.place or "\\N", made.organization or "\\N")
    at = first.isoformat()
    return "\t".join((*cells, f"\\\\x{hashed.hex()}", *links, *(str(day or "\\N") for day in days), at, at, at)) + "\n"


def _uuid(text: str | None) -> str | None:
    return _dashed(text) if text else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# Records in order of ids.
RECORDS = """
    SELECT id::text, kind, fields::text, place_id::text, organization_id::text FROM record
    WHERE id > %(after)s ORDER BY id LIMIT %(most)s
"""


def _remember_likenesses() -> None:
    """Index all records for matching, as intake does."""
    from gleanery.matching.facts import facts
    from gleanery.matching.live import stored
    from gleanery.sql import rows

    after = "00000000-0000-0000-0000-000000000000"
    while found := rows(RECORDS, after=after, most=AT_A_TIME):
        records = {
            record: facts(kind, json.loads(fields), place=place, organization=organization)
            for record, kind, fields, place, organization in found
        }
        stored.write(stored.changed(records, records), records)
        after = found[-1][0]
