"""Judging in the database: every result once, one candidate per domain, and changed domain states."""

import threading
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.discovery import services as discovery
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Session, Topic
from gleanery.discovery.screening import screen
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.judging import numbers, services
from gleanery.judging.models import Candidate, Contact, Judgement, Run

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GOOD = ("Грантове за училища – Фондация „Искра“", "Фондацията обяви конкурс за грантове; краен срок за кандидатстване.")
WEAK = ("Ten weekend recipes", "Our readers share what they cooked on Saturday and how they liked the soup.")


@pytest.fixture
def topic() -> Topic:
    return discovery.add_topic(system(), "funding", "Bulgaria")


@pytest.fixture
def session(topic: Topic) -> Session:
    return discovery.start_file_session(system(), topic)


def take(session: Session, *hits: tuple[str, tuple[str, str]], first: int = 1) -> None:
    made = [Hit("grants", url, *text, position) for position, (url, text) in enumerate(hits, first)]
    store_hits(session.pk, "searxng", [screen(hit) for hit in made])


def add_up(found: dict[str, int]) -> int:
    """Add up the outcomes, of which every result has exactly one."""
    skipped = ("low_confidence", "domain_already_processed", "blacklisted")
    return sum(
        found[name] for name in ("created", "further_evidence", "failures", *(f"skipped_{each}" for each in skipped))
    )


def test_every_result_is_judged_once_with_explanations(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    run = services.judge_session(session)
    good, weak = Judgement.objects.order_by("result__position")
    assert good.should_crawl
    assert not weak.should_crawl
    assert (good.threshold, good.confidence) >= (Decimal("0.60"), Decimal("0.60"))
    assert [each["name"] for each in good.scores] == ["keywords", "credibility", "geography", "organisation_type"]
    assert all(each["explanation"].strip() for each in good.scores)
    services.judge_session(session)
    assert Judgement.objects.count() == 2
    assert numbers.of_run(run.pk).total == 2


def test_good_and_low_candidates_are_stored_and_good_ones_proposed(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    services.judge_session(session)
    status = dict(Candidate.objects.values_list("domain__name", "status"))
    assert status == {"iskra.bg": "pending_crawl", "recipes.example": "skipped_low_confidence"}
    assert registry.find("iskra.bg").processing_status == "pending_crawl"
    assert registry.find("recipes.example").processing_status == "discovered"
    entry = JournalEntry.objects.get(action="propose", after__has_key="processing_status")
    assert (entry.subject_name, entry.actor.username) == ("iskra.bg", "system")
    assert entry.after == {"processing_status": "pending_crawl"}


def test_further_results_add_evidence_and_the_best_one_counts(session: Session) -> None:
    take(session, ("https://iskra.bg/soup", WEAK), ("https://iskra.bg/grants", GOOD), ("https://iskra.bg/x", WEAK))
    services.judge_session(session)
    candidate = Candidate.objects.get()
    said = services.evidence_of(candidate)
    assert len(said) == 3
    assert candidate.confidence == said[0].confidence == max(each.confidence for each in said if each.confidence)


def test_new_evidence_lifts_a_skipped_candidate_and_is_journalled(topic: Topic, session: Session) -> None:
    take(session, ("https://iskra.bg/soup", WEAK))
    services.judge_session(session)
    assert Candidate.objects.get().status == "skipped_low_confidence"
    later = discovery.start_file_session(system(), topic)
    take(later, ("https://iskra.bg/grants", GOOD))
    services.judge_session(later)
    candidate = Candidate.objects.get()
    assert candidate.status == "pending_crawl"
    assert candidate.confidence >= topic.threshold
    assert JournalEntry.objects.get(action="lift", subject_kind="candidate").subject_name == "iskra.bg"
    assert "history" in [each["name"] for each in services.evidence_of(candidate)[0].scores]


def test_decisions_of_people_are_kept(topic: Topic, session: Session) -> None:
    take(session, ("https://iskra.bg/soup", WEAK))
    services.judge_session(session)
    Candidate.objects.update(status="rejected", rejection_reason="we know them")
    later = discovery.start_file_session(system(), topic)
    take(later, ("https://iskra.bg/grants", GOOD))
    services.judge_session(later)
    assert Candidate.objects.get().status == "rejected"
    assert registry.find("iskra.bg").processing_status == "discovered"


def test_three_low_pages_without_a_high_one_make_a_domain_low_quality(session: Session) -> None:
    take(session, ("https://recipes.example/1", WEAK), ("https://recipes.example/2", WEAK))
    services.judge_session(session)
    assert registry.find("recipes.example").processing_status == "discovered"
    take(session, ("https://recipes.example/2", WEAK), first=3)
    services.judge_session(session)
    assert registry.find("recipes.example").processing_status == "discovered", "the same page again is no third one"
    take(session, ("https://recipes.example/3", WEAK), first=4)
    services.judge_session(session)
    assert registry.find("recipes.example").processing_status == "processed_low_quality"


def test_one_high_page_prevents_low_quality(session: Session) -> None:
    take(session, *((f"https://iskra.bg/{n}", WEAK) for n in range(4)), ("https://iskra.bg/grants", GOOD))
    services.judge_session(session)
    assert registry.find("iskra.bg").processing_status == "pending_crawl"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("processing_status = 'processed_low_quality'", "processed_low_quality"),
        ("processing_status = 'no_funds_this_year', no_funds_year = extract(year FROM now())", "no_funds_this_year"),
        (
            "processing_status = 'processing_failed', failure_reason = 'x', last_processed_at = now(),"
            " retry_after = now() + interval '1 h'",
            "before_retry",
        ),
    ],
)
def test_results_of_inactive_domains_are_skipped_with_the_reason(session: Session, change: str, reason: str) -> None:
    take(session, ("https://iskra.bg/", GOOD))
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE domain SET {change}")  # noqa: S608  # constants of this test
    run = services.judge_session(session)
    said = Judgement.objects.get()
    assert (said.skipped, said.confidence) == (reason, None)
    assert not Candidate.objects.exists()
    found = numbers.of_run(run.pk).as_dict()
    part = {"processed_low_quality": "low_quality", "no_funds_this_year": "no_funds"}.get(reason, reason)
    assert (found["total"], found[f"skipped_{part}"], found["skipped_domain_already_processed"]) == (1, 1, 1)
    assert add_up(found) == 1


def test_a_domain_blacklisted_after_it_was_found_is_skipped(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD))
    domains.blacklist(system(), "iskra.bg", "a mistake")
    run = services.judge_session(session)
    assert numbers.of_run(run.pk).skipped_blacklisted == 1


def test_a_domain_without_funds_last_year_is_judged_again(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD))
    Domain.objects.update(processing_status="no_funds_this_year", no_funds_year=2020)
    services.judge_session(session)
    assert Candidate.objects.get().status == "pending_crawl"


def test_the_statistics_of_a_run_count_created_candidates(topic: Topic, session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD), ("https://iskra.bg/2", GOOD), ("https://recipes.example/", WEAK))
    found = numbers.of_run(services.judge_session(session).pk)
    assert (found.total, found.created, found.further_evidence, found.skipped_low_confidence) == (3, 1, 1, 1)
    assert add_up(found.as_dict()) == found.total
    assert found.seconds is not None
    later = discovery.start_file_session(system(), topic)
    take(later, ("https://iskra.bg/3", GOOD))
    again = numbers.of_run(services.judge_session(later).pk)
    assert (again.created, again.further_evidence) == (0, 1), "it was a candidate before"
    assert again.average_confidence is None


def test_the_confidence_of_a_run_covers_created_candidates(session: Session) -> None:
    """Each new candidate counts with its best confidence; skipped results are counted separately."""
    hits = (("https://iskra.bg/", GOOD), ("https://iskra.bg/2", GOOD), ("https://svetlina.bg/", GOOD))
    take(session, *hits, ("https://recipes.example/", WEAK))
    run = services.judge_session(session)
    for address, confidence in zip(
        (*hits, ("https://recipes.example/",)), ("0.70", "0.90", "0.61", "0.20"), strict=True
    ):
        Judgement.objects.filter(result__url=address[0]).update(confidence=confidence)
    found = numbers.of_run(run.pk)
    created = (found.average_confidence, found.max_confidence, found.min_confidence)
    assert [str(each) for each in created] == ["0.76", "0.90", "0.61"]
    of_results = (found.average_confidence_of_results, found.max_confidence_of_results, found.min_confidence_of_results)
    assert [str(each) for each in of_results] == ["0.60", "0.90", "0.20"]


def test_the_dashboard_counts_domains_and_candidates(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    services.judge_session(session)
    found = numbers.quality()
    assert dict(found.statuses) == {"pending_crawl": 1, "discovered": 1}
    assert sum(found.histogram) == 2
    assert found.best[0]["domain"] == "iskra.bg"
    assert found.providers == [{"provider": "searxng", "good": 1, "domains": 2, "results": 2}]
    assert found.queries[0]["query"] == "grants"


@pytest.mark.parametrize("confidence", ["1.01", "-0.01"])
def test_the_database_refuses_a_confidence_out_of_range(session: Session, confidence: str) -> None:
    take(session, ("https://iskra.bg/", GOOD))
    services.judge_session(session)
    for table in ("candidate", "judgement"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET confidence = %s", [confidence])  # noqa: S608  # names of this test


def test_contacts_belong_to_the_candidate(session: Session) -> None:
    take(session, ("https://iskra.bg/", GOOD))
    services.judge_session(session)
    Contact.objects.create(candidate=Candidate.objects.get(), name="Programme desk", role="grants", email="a@iskra.bg")
    assert Candidate.objects.get().contacts.get().name == "Programme desk"


def test_the_end_of_a_session_starts_judging(topic: Topic) -> None:
    session = discovery.start_file_session(system(), topic)
    discovery.close_session(session)
    with connection.cursor() as cursor:
        cursor.execute("SELECT task_name, args ->> 'session' FROM procrastinate_jobs")
        jobs = cursor.fetchall()
    assert jobs == [("gleanery.judging.tasks.judge_session", str(session.pk))]
    assert not Run.objects.exists()


def test_a_kill_after_any_batch_leaves_no_partial_work(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgements and their consequences share one transaction; a later run does the rest."""
    monkeypatch.setattr(services, "AT_ONCE", 1)
    take(session, ("https://iskra.bg/", GOOD), ("https://svetlina.bg/", GOOD))

    def die(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        services.judge_session(session, die)
    assert Judgement.objects.count() == 1
    assert Domain.objects.filter(processing_status="pending_crawl").count() == 1
    services.judge_session(session)
    assert Domain.objects.filter(processing_status="pending_crawl").count() == 2


def test_spellings_of_one_address_count_as_one_page(session: Session) -> None:
    spellings = (
        "http://recipes.example/1",
        "https://www.recipes.example/1/",
        "https://recipes.example/1?utm_source=x#y",
    )
    take(session, *((url, WEAK) for url in spellings))
    services.judge_session(session)
    assert registry.find("recipes.example").processing_status == "discovered"


@pytest.mark.django_db(transaction=True)
def test_two_judging_runs_and_a_search_lose_nothing_and_do_not_deadlock() -> None:
    topic = discovery.add_topic(system(), "funding", "Bulgaria")
    sessions = [discovery.start_file_session(system(), topic) for _ in range(3)]
    names = [f"site{number}.bg" for number in range(60)]
    for session in sessions[:2]:
        take(session, *((f"https://{name}/{session.pk}", GOOD if n % 2 else WEAK) for n, name in enumerate(names)))
    problems: list[Exception] = []

    def attempt(act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    def search() -> None:
        for number in range(20):
            take(sessions[2], *((f"https://{name}/x", WEAK) for name in reversed(names)), first=1 + 100 * number)

    acts = [search, *(lambda session=session: services.judge_session(session) for session in [*sessions[:2]] * 2)]
    threads = [threading.Thread(target=attempt, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert Judgement.objects.filter(result__session__in=sessions[:2]).count() == 120
    assert Domain.objects.filter(processing_status="pending_crawl").count() == 30
