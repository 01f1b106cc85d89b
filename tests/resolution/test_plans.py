"""Query plans of intake, merging and trust: each statement uses the indexes that its comment names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from gleanery import pipeline
from gleanery.accounts import services as accounts
from gleanery.accounts.actor import Actor, system
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Source
from gleanery.matching.live import candidates, counting, stored
from gleanery.resolution import services
from gleanery.resolution.decisions import chains
from gleanery.resolution.intake import batch as taking
from gleanery.resolution.intake import blacklisting, dependents, publication, statements, trust, withdrawal
from gleanery.resolution.models import Record
from gleanery.resolution.near import auto_merge, different_pairs, flagging
from gleanery.review.records import reasons
from gleanery.roles import Role
from tests.resolution.shop import given, source

# Filled once, so one process should run them.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("plans")]

MODULES: tuple[ModuleType, ...] = (statements, chains, dependents, trust, taking, publication, reasons)
MODULES += (withdrawal, blacklisting, stored, candidates, counting, different_pairs, flagging, auto_merge)
MANY = 20_000
# Of a source that PostgreSQL has not counted yet they must not read everything for each thing of a batch.
ONE_BY_ONE = ("CURRENT_VERSIONS", "PREVIOUS_VERSIONS", "MARK_NOT_SEEN", "ATTACH")
# As many as a young installation has, told by other sources; what else is in the tables is what the test does.
FILL = """
    INSERT INTO source (id, kind, name) SELECT md5('source' || n)::uuid, 'import', 'source ' || n
    FROM generate_series(1, 20) AS n;
    INSERT INTO record (id, kind, status, name, fields, provenance, identity_hash, published_at, place_id, start_date)
    SELECT md5('record' || n)::uuid, CASE WHEN n %% 4 = 0 THEN 'place' ELSE 'event' END, 'published', 'Thing ' || n,
           jsonb_build_object('name', 'Thing ' || n, 'description', repeat('x ', 150)), '{}', sha256(n::text::bytea),
           now(), CASE WHEN n %% 4 <> 0 THEN md5('record' || n / 40 * 4 + 4)::uuid END, '2027-01-01'::date + n %% 300
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO observation (id, source_id, kind, external_id, payload, payload_hash, evidence, extractor,
                             extractor_version, record, resolved_at)
    SELECT md5('observation' || n)::uuid, md5('source' || n %% 20 + 1)::uuid,
           CASE WHEN n %% 4 = 0 THEN 'place' ELSE 'event' END, n::text,
           jsonb_build_object('name', 'Thing ' || n, 'description', repeat('x ', 150)), sha256(n::text::bytea),
           '{}', 'import', 1, md5('record' || n)::uuid, now()
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO occurrence (id, record_id, start, start_date)
    SELECT md5('occurrence' || n)::uuid, md5('record' || n)::uuid, now() + n * interval '1 hour', '2027-01-01'
    FROM generate_series(1, %(many)s) AS n WHERE n %% 4 <> 0;
    INSERT INTO other_identity (record_id, identity_hash, place_id, organization_id)
    SELECT md5('record' || n)::uuid, sha256(('other' || n)::bytea), md5('record' || n / 40 * 4 + 4)::uuid,
           md5('record' || n / 40 * 4 + 4)::uuid
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO edit (id, record_id, field, value, by_id)
    SELECT md5('edit' || n)::uuid, md5('record' || n)::uuid, 'name', '"x"', %(by)s
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO review_item (id, kind, record_id)
    SELECT md5('item' || n)::uuid, 'record', md5('record' || n)::uuid FROM generate_series(1, %(many)s) AS n;
    INSERT INTO review_warning (id, item_id, code, sentence, detail)
    SELECT md5('warning' || n)::uuid, md5('item' || n)::uuid, 'potential_duplicate', 'Alike.',
           jsonb_build_object('by', 'identity', 'duplicate_of', md5('record' || n + 1)::uuid)
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO likeness (record_id, kind, facts, keys)
    SELECT md5('record' || n)::uuid, CASE WHEN n %% 4 = 0 THEN 'place' ELSE 'event' END,
           jsonb_build_object('name', 'thing ' || n, 'street', repeat('street ', 8), 'venue', repeat('venue ', 8)),
           ARRAY(SELECT hashint8extended(n, key) FROM generate_series(1, 10) AS key)
    FROM generate_series(1, %(many)s) AS n;
    INSERT INTO likeness_key (key, record_id) SELECT unnest(keys), record_id FROM likeness;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
    ANALYZE likeness, likeness_key, source, record, observation, occurrence, other_identity, edit, review_item,
            review_warning;
"""
FILLED = re.compile(
    r"Seq Scan on (observation|record|occurrence|other_identity|edit|review_item|review_warning|likeness|"
    r"likeness_key)\b"
)


@pytest.fixture(scope="module")
def filling(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Written once for all tests of this file, each of which then goes back to here, and taken back in the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        owner = accounts.create_user(system(), f"some-{Role.ADMIN}", Role.ADMIN)
        with connection.cursor() as cursor:
            # Triggers write for search and the change feed; no statement here reads what they write.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(FILL, {"many": MANY, "by": owner.pk})
            cursor.execute("SET LOCAL session_replication_role = origin")
        with django_db_blocker.block():
            yield
        transaction.set_rollback(True)


@pytest.fixture
def filled(filling: None, db: None) -> None:
    """Fill the tables before the transaction of a test begins."""


def named() -> dict[str, tuple[str, list[str]]]:
    """Return each statement of the modules with its name and the indexes in the comment above it."""
    found = {}
    for module in MODULES:
        comment = ""
        for line in inspect.getsource(module).splitlines():
            if line.startswith("#"):
                comment += line.removeprefix("#")
                continue
            if (match := re.match(r"([A-Z][A-Z_]*) = ", line)) and isinstance(getattr(module, match[1]), str):
                _, _, told = comment.partition("Index")
                found[getattr(module, match[1])] = match[1], re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", told)
            comment = ""
    return found


@contextmanager
def captured() -> Iterator[dict[str, tuple[str, Any]]]:
    """Collect the statements that run meanwhile, each once, with its last values."""
    run: dict[str, tuple[str, Any]] = {}

    def keep(execute: Callable[..., Any], sql: Any, values: Any, many: bool, context: Any) -> Any:
        text = sql if isinstance(sql, str) else sql.as_string(connection.connection)
        if text.lstrip().startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")):
            run[text] = sql, values
        return execute(sql, values, many, context)

    with connection.execute_wrapper(keep):
        yield run


def plan(sql: Any, values: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}" if isinstance(sql, str) else "EXPLAIN " + sql.as_string(cursor), values)
        return "\n".join(line for (line,) in cursor.fetchall())


def check(run: dict[str, tuple[str, Any]]) -> set[str]:
    """No large table is read as a whole, and each statement goes by the indexes that it names; the names of all."""
    known, seen = named(), set()
    for text, (sql, values) in run.items():
        told = plan(sql, values)
        name, indexes = known.get(text, ("", []))
        indexes += ["observation_version"] if "observation_current_once" in indexes else []  # begins with the same
        assert not FILLED.search(told), f"{name or text}\n{told}"
        assert not indexes or any(index in told for index in indexes), f"{name} names {indexes}\n{told}"
        if "(source_id = " in told and name in ONE_BY_ONE:
            assert told.count("(source_id = ") == len(re.findall(r"\(source_id = .*external_id", told)), (
                f"{name}\n{told}"
            )
        seen.add(name)
    return seen - {""}


def things(*, said: str, begin: int, end: int, mark: str = "") -> list[Any]:
    where = {"venue_name": "Hall", "locality": "Sofia", "organizer_name": "Club"}
    drafts = []
    for n in range(begin, end):
        told = {"name": f"Night {n}", "start": f"2027-03-{n % 28 + 1:02}T19:00:00+02:00", "description": said}
        drafts.append(given("event", f"{mark}e{n}", **told, **where))
        call = {"name": f"Grant {n}", "funder_name": f"Fund {n}", "deadline": "2027-05-01", "description": said}
        drafts.append(given("funding", f"{mark}f{n}", **call))
        drafts.append(given("place", f"{mark}p{n}", name=f"House {n}", locality="Ruse", description=said))
    return drafts


@pytest.mark.usefixtures("filled")
def test_what_a_batch_of_intake_asks_goes_by_indexes() -> None:
    services.intake(source("a"), things(said="One.", begin=0, end=20))
    services.intake(source("b"), things(said="One.", begin=0, end=5, mark="x"))
    with captured() as run:
        mixed = things(said="One.", begin=0, end=10) + things(said="Two.", begin=10, end=15)
        mixed += things(said="New.", begin=30, end=36)
        outcomes = {each.outcome for each in services.intake(source("a"), mixed)}
        services.intake(source("b"), things(said="Other.", begin=10, end=15, mark="x"))
        moved = [given("event", f"e{n}", name="Night", start="2027-03-01", venue_name="Barn") for n in range(3)]
        services.intake(source("a"), moved)
    assert outcomes >= {"unchanged", "updated", "created"}
    hot = {
        "CURRENT_VERSIONS",
        "MARK_SEEN",
        "PREVIOUS_VERSIONS",
        "SUPERSEDE",
        "RECORDS",
        "LOCK",
        "OBSERVATIONS",
        "REFERENCES",
    }
    hot |= {"EDITS", "OCCURRENCES", "UPDATE", "CLEAR_OCCURRENCES", "MARK_NOT_SEEN"}
    hot |= {"TAKEN_FOR_ANOTHER"}
    assert check(run) >= hot


@pytest.mark.usefixtures("filled")
def test_all_that_records_answer_to_is_looked_up_in_one_statement_by_its_indexes() -> None:
    with captured() as run:
        services.intake(source("a"), things(said="One.", begin=0, end=300))
    asked = [each for text, each in run.items() if "other_identity" in text and text.lstrip().startswith("SELECT")]
    (lookup,) = asked
    used = set(re.findall(r"(?:using|on) (\w+)", plan(*lookup)))
    assert used >= {"record_identity", "other_identity_found", "other_identity_record"}


@pytest.mark.usefixtures("filled")
def test_what_the_stage_before_has_stored_is_found_by_an_index() -> None:
    services.intake(source("a"), things(said="One.", begin=0, end=20))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE observation SET record = NULL, resolved_at = NULL WHERE external_id LIKE 'f%'")
    with captured() as run:
        assert services.resolve(source("a")) == 40, "with those who fund"
    assert check(run) >= {"UNRESOLVED", "ATTACH"}


@pytest.mark.usefixtures("filled")
def test_what_merging_and_splitting_ask_goes_by_indexes(admin: Actor) -> None:
    services.intake(source("a"), things(said="One.", begin=0, end=10))
    one, other = Record.objects.filter(kind="place", name__startswith="House").order_by("pk")[:2]
    hall = Record.objects.get(kind="place", name="Hall")
    with captured() as run:
        services.merge(admin, one, other)
        services.merge(admin, hall, other)
        services.unmerge(admin, one)
        services.unmerge(admin, hall)
    assert check(run) >= {
        "CHAINS",
        "MOVE",
        "LATER",
        "REFERERS",
        "SURVIVORS",
        "BY_WHAT_WAS_UNDONE",
        "TAKEN_FOR_ANOTHER",
        "LIKE_ONE_GONE",
    }


@pytest.mark.usefixtures("filled")
def test_what_a_change_of_trust_asks_goes_by_indexes(admin: Actor) -> None:
    services.intake(source("a"), things(said="One.", begin=0, end=10))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE observation")
    with captured() as run:
        extraction.set_trust(admin, source("a"), 9)
    assert check(run) >= {"NEXT"}


@pytest.mark.usefixtures("filled")
def test_what_blacklisting_asks_goes_by_indexes(admin: Actor) -> None:
    site = source("a")
    domain = registry.register("spam.example")
    Source.objects.filter(pk=site.pk).update(domain=domain, kind="crawled")
    services.intake(site, things(said="One.", begin=0, end=10))
    with captured() as run:
        pipeline.foresee_blacklisting([domain.pk])
        domains.lift(admin, domains.blacklist(admin, domain.name, "Lies."), "Mended.")
    assert check(run) >= {"ONLY_BLACKLISTED", "RECORDS_OF", "AFFECTED", "OBSERVATIONS", "FORGET"}


@pytest.mark.usefixtures("filled")
def test_near_duplicates_are_looked_for_by_indexes(admin: Actor) -> None:
    hall = {"name": "Kobalt Theatre", "address": "12 River Street", "locality": "Ruse", "phone": "+359 82 123 456"}
    services.intake(source("a"), [given("place", "1", **hall), *things(said="One.", begin=0, end=20)])
    with captured() as run:
        news = [given("place", "2", **{**hall, "name": "Kobalt Teatre"}), *things(said="Two.", begin=40, end=60)]
        services.intake(source("b"), news)
        services.intake(
            source("a"), [given("place", "1", **{**hall, "name": "Kobalt House", "address": "Other Street 7"})]
        )
        loser = Record.objects.filter(status="merged").get()
        survivor = str(loser.merged_into_id)
        services.unmerge(admin, loser)
        assert different_pairs.judged_different({str(loser.pk), survivor})
        services.delete(admin, loser, "No good.")
    hot = {
        "LOOK",
        "READ",
        "READ_WITH_KEYS",
        "WRITE",
        "DROP_KEYS",
        "FORGET",
        "COUNT",
        "JUDGED_DIFFERENT",
        "INSERT_MERGED",
    }
    assert check(run) >= hot
