"""How sources enter the queue and leave it undecided: once each, set-based, and never against a person's word."""

import threading
from dataclasses import replace
from uuid import UUID

import pytest
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from gleanery import pipeline
from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.crawling import services as crawling
from gleanery.crawling.models import Crawl
from gleanery.crawling.schedule.refresh import start_waiting_previews
from gleanery.discovery import services as discovery
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.life import APPROVAL
from gleanery.domains.models import Domain
from gleanery.domains.names import domain_of
from gleanery.judging import services as judging
from gleanery.judging.models import Candidate
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.opening import open_sources, supersede_sources
from tests.judging.test_services import GOOD, WEAK, take
from tests.review.shop import proposed, put, topic

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def set_environment(settings: object, **changes: object) -> None:
    settings.ENVIRONMENT = replace(django_settings.ENVIRONMENT, **changes)  # type: ignore[attr-defined]


def registered(count: int) -> list[UUID]:
    seen = registry.see([domain_of(f"source-{number}.bg") for number in range(count)])
    return [each.id for each in seen.values()]


def test_candidates_enter_the_queue_at_once() -> None:
    session = discovery.start_file_session(system(), topic())
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    judging.judge_session(session)
    item = Item.objects.get()
    assert (item.kind, item.status, item.version, str(item)) == ("source", "pending", 1, "iskra.bg")
    domain = registry.find("iskra.bg")
    assert (domain.approval_status, domain.processing_status) == ("pending_review", "pending_crawl")
    assert registry.find("recipes.example").approval_status == "none"
    assert Crawl.objects.get(domain=domain).kind == "preview"
    judging.judge_session(session)
    assert Item.objects.count() == 1


def test_a_lifted_candidate_enters_the_queue() -> None:
    first = discovery.start_file_session(system(), topic())
    take(first, ("https://iskra.bg/soup", WEAK))
    judging.judge_session(first)
    assert not Item.objects.exists()
    later = discovery.start_file_session(system(), topic())
    take(later, ("https://iskra.bg/grants", GOOD))
    judging.judge_session(later)
    assert Item.objects.get().domain == registry.find("iskra.bg")


@pytest.mark.parametrize("state", [state for state in APPROVAL.states if state not in ("none", "pending_review")])
def test_decisions_of_people_are_kept(state: str) -> None:
    domain = put(state)
    entries = JournalEntry.objects.count()
    open_sources([domain.pk])
    domain.refresh_from_db()
    assert domain.approval_status == state
    assert JournalEntry.objects.count() == entries
    assert not Item.objects.filter(status="pending").exists()


def test_a_blacklisted_domain_does_not_enter_the_queue_and_leaves_it() -> None:
    domain = proposed()
    domains.blacklist(system(), domain.name, "spam")
    item = Item.objects.get()
    assert (item.status, item.reason, item.version) == ("superseded", "The domain was blacklisted.", 2)
    assert Crawl.objects.get().status == "cancelled"
    assert JournalEntry.objects.filter(action="supersede", subject_kind="review item").count() == 1
    open_sources([domain.pk])
    supersede_sources([domain.pk])
    assert Item.objects.count() == 1


def test_opening_twice_is_opening_once() -> None:
    ids = registered(3)
    pipeline.happened_to_domains("proposed", ids)
    written = JournalEntry.objects.count()
    pipeline.happened_to_domains("submitted", ids)
    assert (Item.objects.count(), JournalEntry.objects.count()) == (3, written)


def test_submitted_domains_get_an_item_without_a_proposal() -> None:
    domain = registry.register("iskra.bg")
    Domain.objects.update(approval_status="pending_review", submitter_type="public_user")
    pipeline.happened_to_domains("submitted", [domain.pk])
    assert Item.objects.get().domain == domain
    assert not JournalEntry.objects.filter(action="propose", after__has_key="approval_status").exists()
    assert registry.find("iskra.bg").processing_status == "pending_crawl"


@pytest.mark.parametrize("state", ["none", "pending_review"])
def test_a_trusted_domain_is_approved_and_crawled_without_a_review(state: str) -> None:
    domain = registry.register("iskra.bg")
    Domain.objects.update(is_trusted=True, approval_status=state)
    pipeline.happened_to_domains("submitted", [domain.pk])
    domain.refresh_from_db()
    assert (domain.approval_status, str(domain.reviewed_by)) == ("approved", "system")
    assert domain.reviewed_at is not None
    assert not Item.objects.exists()
    assert Crawl.objects.get().kind == "full"
    assert JournalEntry.objects.get(action="pass").reason == "Its domain is trusted, so no review is needed."


def test_a_trusted_suffix_counts_by_label(settings: object) -> None:
    set_environment(settings, trusted_suffixes=("government.bg", "gov"))
    names = ["mon.government.bg", "evil-government.bg", "nasa.gov", "gov.example"]
    ids = [registry.register(name).pk for name in names]
    pipeline.happened_to_domains("proposed", ids)
    approved = set(Domain.objects.filter(approval_status="approved").values_list("name", flat=True))
    assert approved == {"mon.government.bg", "nasa.gov"}
    assert Item.objects.count() == 2


def test_the_candidate_of_a_trusted_domain_is_approved_with_it() -> None:
    domain = put("none")
    Domain.objects.update(is_trusted=True)
    pipeline.happened_to_domains("proposed", [domain.pk])
    assert Candidate.objects.get().status == "approved"


def test_a_domain_resubmitted_by_staff_waits_for_review_with_its_candidate() -> None:
    domain = put("rejected")
    Domain.objects.update(approval_status="pending_review")
    pipeline.happened_to_domains("submitted", [domain.pk])
    assert Candidate.objects.get().status == "pending_crawl"
    assert sorted(Item.objects.values_list("status", flat=True)) == ["pending", "rejected"]


def test_thousands_are_opened_in_a_bounded_number_of_statements(settings: object) -> None:
    set_environment(settings, preview_pages=0)
    counts = []
    for number in (50, 5000):
        ids = [each.id for each in registry.see([domain_of(f"n{number}-{each}.bg") for each in range(number)]).values()]
        with CaptureQueriesContext(connection) as queries:
            open_sources(ids)
        counts.append(len(queries))
    assert Item.objects.count() == 5050
    assert counts[0] == counts[1] <= 15


def test_previews_are_capped_by_the_day_and_the_best_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawling, "PREVIEWS_A_DAY", 2)
    weak = registry.register("weak.bg")
    rows = [("weak.bg", "0.61"), ("good.bg", "0.95"), ("fair.bg", "0.75")]
    for name, confidence in rows:
        Candidate.objects.create(
            domain=registry.register(name),
            topic=topic(),
            run_id=judging.Run.objects.create().pk,
            status="pending_crawl",
            confidence=confidence,
        )
    pipeline.happened_to_domains("proposed", list(Domain.objects.values_list("pk", flat=True)))
    assert set(Crawl.objects.values_list("domain__name", flat=True)) == {"good.bg", "fair.bg"}
    assert Item.objects.count() == 3
    assert start_waiting_previews() == 0
    with connection.cursor() as cursor:
        cursor.execute("UPDATE crawl SET created_at = created_at - interval '1 day'")
    assert start_waiting_previews() == 1
    assert Crawl.objects.get(domain=weak).kind == "preview"


def test_a_failing_preview_does_not_affect_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(domain: Domain) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    monkeypatch.setattr(crawling, "preview", broken)
    assert proposed().approval_status == "pending_review"
    assert Item.objects.get().status == "pending"


def test_decisions_about_sibling_domains_give_warnings() -> None:
    put("rejected", "grants.iskra.bg")
    put("approved", "news.iskra.bg")
    domains.blacklist(system(), "casino.iskra.bg", "spam")
    proposed("iskra.bg"), proposed("other.bg")
    found = {each.code: each for each in Row.objects.filter(item__domain__name="iskra.bg")}
    assert set(found) == {"sibling_rejected", "sibling_approved"}
    assert found["sibling_rejected"].sentence == "casino.iskra.bg and 1 more of iskra.bg are rejected or blacklisted."
    assert found["sibling_rejected"].detail == {"count": 2, "domains": ["casino.iskra.bg", "grants.iskra.bg"]}
    assert found["sibling_approved"].sentence == "news.iskra.bg, also of iskra.bg, is already approved."
    assert not Row.objects.filter(item__domain__name="other.bg").exists()


def test_deep_crawls_and_lookalike_names_give_warnings() -> None:
    names = ("iskra.bg", "xn--pypal-4ve.com")
    ids = [registry.register(name).pk for name in names]
    Domain.objects.filter(name="iskra.bg").update(max_crawl_depth=4)
    pipeline.happened_to_domains("submitted", ids)
    found = dict(Row.objects.values_list("item__domain__name", "code"))
    assert found == {"iskra.bg": "deep_crawl", "xn--pypal-4ve.com": "lookalike"}


@pytest.mark.django_db(transaction=True)
def test_concurrent_proposals_open_each_domain_once() -> None:
    ids, gate, problems = registered(40), threading.Barrier(4), []

    def propose(mine: list[UUID]) -> None:
        try:
            gate.wait()
            with transaction.atomic():
                pipeline.happened_to_domains("proposed", mine)
        except Exception as problem:  # told below
            problems.append(problem)
        finally:
            connection.close()

    orders = (ids, ids[::-1], ids[10:], ids[20:] + ids[:20])
    threads = [threading.Thread(target=propose, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not problems
    assert Item.objects.count() == 40
    moved = JournalEntry.objects.filter(action="propose", after__has_key="approval_status")
    assert moved.count() == 40


def test_a_failure_after_proposing_leaves_no_item() -> None:
    ids = registered(2)
    with transaction.atomic():
        pipeline.happened_to_domains("proposed", ids)
        assert Item.objects.count() == 2
        transaction.set_rollback(True)
    assert not Item.objects.exists()
    assert set(Domain.objects.values_list("approval_status", flat=True)) == {"none"}
