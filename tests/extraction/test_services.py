"""From stored pages to observations: versions, removal, idempotency, kills, parallel runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from gleanery import pipeline
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry, User
from gleanery.crawling.models import Crawl, Page
from gleanery.discovery.models import Topic
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, Invalid, NotAllowed
from gleanery.extraction import services
from gleanery.extraction.models import Extraction, Flag, Observation, PageContact, Source
from gleanery.extraction.payload import external_id, normalised, payload_hash
from gleanery.extraction.running.extractor_pool import EXTRACTOR_VERSION, Extractor
from gleanery.extraction.storing import statements as storage
from gleanery.judging.models import Candidate, Contact, Run
from gleanery.net.client import Client
from gleanery.review.sources import source_decisions
from gleanery.roles import Role
from tests.extraction import stored_pages

LINES = (
    b"BEGIN:VCALENDAR",
    b"VERSION:2.0",
    b"BEGIN:VEVENT",
    b"UID:1@hall",
    b"DTSTART:20270312T170000Z",
    b"SUMMARY:Spring concert",
    b"END:VEVENT",
    b"END:VCALENDAR",
    b"",
)
ICS = b"\r\n".join(LINES)


@pytest.fixture
def domain(db: None) -> Domain:
    stored_pages.topic()
    return stored_pages.approved()


def current() -> list[Observation]:
    return list(Observation.objects.filter(superseded_at=None).order_by("kind", "external_id"))


def events() -> list[Observation]:
    return [each for each in current() if each.kind == "event"]


def test_a_page_becomes_observations_of_its_source(domain: Domain) -> None:
    page = stored_pages.store_page(domain, "/concert", stored_pages.event())
    summary = services.extract_domain(domain)
    (found,) = events()
    assert (found.source.name, found.source.kind, found.source.trust) == ("hall.example", "crawled", 5)
    assert found.payload["name"] == "Spring concert"
    assert found.evidence["name"]
    assert found.original
    assert (found.version, found.page, found.snapshot_id) == (1, page, page.current_snapshot_id)
    assert bytes(found.payload_hash) == payload_hash("event", found.payload)
    page.refresh_from_db()
    assert page.yielded_at is not None
    assert (summary.pages, summary.kinds["event"], summary.failures) == (1, 1, 0)


def test_an_unchanged_snapshot_is_not_extracted_again(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    before = list(Extraction.objects.values_list("pk", "extracted_at"))
    summary = services.extract_domain(domain)
    assert summary.pages == 0
    assert list(Extraction.objects.values_list("pk", "extracted_at")) == before


def test_the_same_page_gives_the_same_observations(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    (before,) = events()
    summary = services.extract_again(domain)
    (after,) = events()
    assert (summary.pages, summary.new_versions) == (1, 0)
    assert (after.pk, after.external_id, after.version) == (before.pk, before.external_id, 1)


def test_a_change_is_a_new_version_and_the_old_one_stays(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    stored_pages.store_page(domain, "/concert", stored_pages.event(day="14"))
    services.extract_domain(domain)
    new, old = services.versions_of(events()[0])
    assert (new.version, old.version) == (2, 1)
    assert (new.superseded_at, old.superseded_at is not None) == (None, True)
    assert new.payload["start"] != old.payload["start"]
    assert new.external_id == old.external_id


def test_a_page_that_returns_to_earlier_content_is_extracted_again(domain: Domain) -> None:
    for day in ("12", "14", "12"):
        stored_pages.store_page(domain, "/concert", stored_pages.event(day=day))
        services.extract_domain(domain)
    (found,) = events()
    assert found.payload["start"].startswith("2027-03-12")
    assert found.version == 3
    assert Extraction.objects.count() == 2


def test_things_removed_from_a_page_are_marked_until_they_return(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    stored_pages.store_page(domain, "/concert", stored_pages.NOTHING)
    services.extract_domain(domain)
    (found,) = events()
    assert found.not_seen_since is not None
    since = found.not_seen_since
    services.extract_domain(domain)
    assert events()[0].not_seen_since == since
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    (found,) = events()
    assert (found.not_seen_since, found.version) == (None, 1)


def test_observations_of_a_deleted_page_are_marked_until_it_returns(domain: Domain) -> None:
    page = stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    stored_pages.mark_deleted(page)
    services.extract_domain(domain)
    assert events()[0].not_seen_since is not None
    stored_pages.mark_restored(page)
    services.extract_domain(domain)
    assert events()[0].not_seen_since is None


def test_last_seen_is_updated_without_an_extraction(domain: Domain) -> None:
    page = stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    first = events()[0].last_seen
    later = first.replace(year=first.year + 1)
    Page.objects.filter(pk=page.pk).update(last_fetched_at=later)
    services.extract_domain(domain)
    assert events()[0].last_seen == later


def test_two_pages_about_one_thing_do_not_alternate_versions(domain: Domain) -> None:
    rich = stored_pages.event().replace('"location"', '"description": "With the youth choir.", "location"')
    stored_pages.store_page(domain, "/list", stored_pages.event())
    detail = stored_pages.store_page(domain, "/detail", rich)
    services.extract_domain(domain)
    for _ in range(3):
        services.extract_again(domain)
    (found,) = events()
    assert (found.version, found.page) == (1, detail)
    stored_pages.store_page(domain, "/detail", stored_pages.NOTHING)
    services.extract_domain(domain)
    assert events()[0].not_seen_since is None  # the list still has it


def test_another_page_takes_over_when_the_first_drops_the_thing(domain: Domain) -> None:
    rich = stored_pages.event().replace('"location"', '"description": "With the youth choir.", "location"')
    listed = stored_pages.store_page(domain, "/list", stored_pages.event())
    stored_pages.store_page(domain, "/detail", rich)
    services.extract_domain(domain)
    stored_pages.store_page(domain, "/detail", stored_pages.NOTHING)
    stored_pages.store_page(domain, "/list", stored_pages.event(day="15"))
    services.extract_domain(domain)
    (found,) = events()
    assert (found.page, found.version, found.payload["start"][:10]) == (listed, 2, "2027-03-15")


def test_a_calendar_file_is_read_as_a_calendar(domain: Domain) -> None:
    stored_pages.store_page(domain, "/all.ics", ICS, media_type="text/calendar")
    services.extract_domain(domain)
    (found,) = events()
    assert (found.external_id, found.extractor) == ("1@hall", "icalendar")


def test_flags_have_reasons_and_are_updated(domain: Domain) -> None:
    page = stored_pages.store_page(domain, "/concert", stored_pages.event())
    stored_pages.store_page(domain, "/recipes", stored_pages.NOTHING)
    services.extract_domain(domain)
    services.extract_again(domain)
    flag = Flag.objects.get(snapshot=page.current_snapshot_id)
    assert flag.relevant
    assert (flag.by, flag.threshold) == ("rules", Decimal("0.30"))
    assert any("concert" in each["sentence"].lower() for each in flag.reasons)
    other = Flag.objects.exclude(pk=flag.pk).get()
    assert not other.relevant
    assert other.reasons


def test_structured_data_of_a_wanted_kind_is_kept_on_irrelevant_pages(domain: Domain) -> None:
    page = stored_pages.store_page(domain, "/x", stored_pages.event(name="Zzz"))
    Topic.objects.update(page_threshold=Decimal("0.99"))
    services.extract_domain(domain)
    assert not Flag.objects.get(snapshot=page.current_snapshot_id).relevant
    assert [each.payload["name"] for each in events()] == ["Zzz"]
    Topic.objects.update(kinds=["funding"])
    services.extract_again(domain)
    assert events()[0].not_seen_since is not None


def test_without_a_topic_every_page_is_relevant(db: None) -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    assert Flag.objects.get().topic is None
    assert len(events()) == 1


def candidate(domain: Domain) -> Candidate:
    topic = stored_pages.topic(name="of-its-candidate")
    run = Run.objects.create()
    facts = {"status": "approved", "confidence": "0.80", "run": run}
    return Candidate.objects.create(domain=domain, topic=topic, **facts)


def test_contacts_are_copied_once_and_stay_deleted(domain: Domain) -> None:
    row = candidate(domain)
    body = ICS.replace(b"SUMMARY", b"ORGANIZER;CN=Mira Petrova:mailto:mira@hall.example\r\nSUMMARY")
    stored_pages.store_page(domain, "/all.ics", body, media_type="text/calendar")
    stored_pages.store_page(domain, "/more.ics", body.replace(b"1@hall", b"2@hall"), media_type="text/calendar")
    services.extract_domain(domain)
    assert [(each.name, each.email) for each in Contact.objects.filter(candidate=row)] == [
        ("Mira Petrova", "mira@hall.example")
    ]
    assert PageContact.objects.get().evidence
    Contact.objects.all().delete()
    services.extract_again(domain)
    assert not Contact.objects.exists()


def test_contacts_of_a_domain_without_candidate_are_kept_for_staff(domain: Domain) -> None:
    body = ICS.replace(b"SUMMARY", b"ORGANIZER;CN=Mira Petrova:mailto:mira@hall.example\r\nSUMMARY")
    stored_pages.store_page(domain, "/all.ics", body, media_type="text/calendar")
    services.extract_domain(domain)
    assert (PageContact.objects.get().email, Contact.objects.count()) == ("mira@hall.example", 0)
    assert "mira@hall.example" not in str([each.payload for each in current()])


def test_the_topic_of_a_domain_is_that_of_its_candidate(domain: Domain) -> None:
    row = candidate(domain)
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    assert Flag.objects.get().topic == row.topic


def test_extracting_again_makes_no_request(domain: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*given: Any, **facts: Any) -> None:
        raise AssertionError("a request was made")

    monkeypatch.setattr(Client, "fetch", refuse)
    monkeypatch.setattr(Client, "__aenter__", refuse)
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    told: list[int] = []
    assert services.extract_again(domain, told.append).pages == 1
    assert told == [1]


@pytest.fixture
def hanging_extractor(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that switches to an extractor process which hangs or dies."""

    def begin() -> None:
        root = Path(__file__).parents[2]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(root), str(root / "src"))))
        monkeypatch.setattr(Extractor, "module", "tests.extraction.hanging_extractor")

    return begin


def test_an_unreadable_page_does_not_affect_others(
    domain: Domain, hanging_extractor: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging_extractor()
    stored_pages.store_page(domain, "/a", stored_pages.event(1))
    stored_pages.store_page(domain, "/b", stored_pages.event(2).replace("<main>", "<main>HANG"))
    stored_pages.store_page(domain, "/c", stored_pages.event(3))
    monkeypatch.setattr(Extractor.__init__, "__kwdefaults__", {"seconds": 0.5})
    summary = services.extract_domain(domain)
    assert (summary.pages, summary.failures, len(events())) == (3, 1, 2)
    assert "0.5 seconds" in Extraction.objects.exclude(problem="").get().problem


def test_a_page_that_becomes_unreadable_keeps_its_observations(
    domain: Domain, hanging_extractor: Callable[[], None]
) -> None:
    stored_pages.store_page(domain, "/a", stored_pages.event(1))
    services.extract_domain(domain)
    stored_pages.store_page(domain, "/a", stored_pages.event(1).replace("<main>", "<main>DIE"))
    hanging_extractor()
    assert services.extract_domain(domain).failures == 1
    assert events()[0].not_seen_since is None


def test_batches_are_committed_separately_and_a_kill_loses_nothing(
    domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BATCH_SIZE", 2)
    for number in range(5):
        stored_pages.store_page(domain, f"/{number}", stored_pages.event(number))

    def die(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        services.extract_domain(domain, die)
    assert len(events()) == 2
    told: list[int] = []
    assert services.count_waiting(domain) == 3
    services.extract_domain(domain, told.append)
    assert (len(events()), told) == (5, [2, 1])


@pytest.mark.django_db(transaction=True)
def test_two_parallel_runs_lose_and_duplicate_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stored_pages.topic()
    domain = stored_pages.approved()
    monkeypatch.setattr(services, "BATCH_SIZE", 2)
    for number in range(6):
        stored_pages.store_page(domain, f"/{number}", stored_pages.event(number))
    pages, problems = [], []

    def run() -> None:
        try:
            pages.append(services.extract_domain(domain).pages)
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not problems
    assert sorted(pages) == [0, 0, 6]
    assert (len(events()), Observation.objects.filter(kind="event").count()) == (6, 6)


def test_a_finished_crawl_starts_the_extraction(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    facts = {"max_depth": 3, "max_pages": 500, "asked_by": system().user, "status": "completed"}
    preview = Crawl.objects.create(domain=domain, kind="preview", **facts)
    services.extract_crawl(preview.pk)
    assert not events()
    services.extract_crawl(Crawl.objects.create(domain=domain, kind="full", **facts).pk)
    assert events()
    assert "gleanery.extraction.tasks.extract_crawl" in pipeline.JOBS["crawl"]


def test_the_trust_of_a_source_follows_its_domain_until_an_admin_sets_it(domain: Domain, admin: Actor) -> None:
    source = services.source_of(domain)
    source_decisions.trust(admin, domain)
    source.refresh_from_db()
    assert source.trust == 8
    services.set_trust(admin, source, 3)
    source_decisions.untrust(admin, domain)
    source.refresh_from_db()
    assert source.trust == 3
    told = JournalEntry.objects.filter(action="set_trust").order_by("id")
    assert [(each.before, each.after) for each in told] == [
        ({"trust": 5}, {"trust": 8}),
        ({"trust": 8}, {"trust": 3}),
    ]


def test_an_unapproved_domain_is_not_extracted(domain: Domain) -> None:
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    Domain.objects.update(approval_status="suspended")
    domain.refresh_from_db()
    with pytest.raises(Conflict, match="not approved"):
        services.extract_domain(domain)
    assert not events()


def test_a_source_whose_name_is_taken_gets_another(domain: Domain) -> None:
    Source.objects.create(kind="import", name=domain.name, trust=3)
    assert services.source_of(domain).name == "hall.example (crawled)"
    assert services.source_of(domain) == services.source_of(domain)


def test_a_trusted_domain_is_a_trusted_source_from_the_start(domain: Domain) -> None:
    Domain.objects.update(is_trusted=True)
    domain.refresh_from_db()
    assert services.source_of(domain).trust == 8


def test_only_an_admin_changes_trust_and_only_within_bounds(
    domain: Domain, admin: Actor, person: Callable[[Role], User]
) -> None:
    source = services.source_of(domain)
    with pytest.raises(NotAllowed):
        services.set_trust(Actor(person(Role.REVIEWER)), source, 9)
    with pytest.raises(Invalid, match="1 to 10"):
        services.set_trust(admin, source, 11)
    with pytest.raises(IntegrityError), transaction.atomic():
        Source.objects.update(trust=0)


def test_the_hash_ignores_offsets_and_order_and_survives_the_database(domain: Domain) -> None:
    one = {"name": "A", "start": "2027-03-12T19:00:00+02:00", "amount_max": 5}
    other = {"amount_max": 5.0, "start": "2027-03-12T17:00:00+00:00", "name": "A"}
    assert payload_hash("event", one) == payload_hash("event", other)
    assert payload_hash("event", one) != payload_hash("funding", one)
    assert payload_hash("event", one) != payload_hash("event", {**one, "start": "2027-03-12T19:00:00"})
    assert normalised({"name": "A\x00", "url": "", "keywords": [], "is_accessible_for_free": False}) == {
        "name": "A",
        "is_accessible_for_free": False,
    }


def test_a_long_id_is_shortened_and_stays_unique() -> None:
    long, other = "x" * 3000, "x" * 2999 + "y"
    assert len(external_id(long)) == 500
    assert external_id(long) != external_id(other)


def test_the_statement_that_finds_waiting_pages_uses_its_indexes(domain: Domain) -> None:
    for number in range(30):
        stored_pages.store_page(domain, f"/{number}", stored_pages.NOTHING)
    services.extract_domain(domain)
    values = {"domain": domain.pk, "version": EXTRACTOR_VERSION, "again": False, "after": storage.FIRST}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {storage.SELECT_WAITING}", {**values, "lasts": "30 days", "most": 40})
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "extraction_latest" in plan
