"""Storing pages of hits, and their outcomes."""

import threading
from dataclasses import replace
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from gleanery import sql
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry
from gleanery.discovery import intake, numbers, services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Result, Session
from gleanery.discovery.screening import ScreenedHit, screen
from gleanery.domains import registry
from gleanery.domains import services as domain_services
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, NotAllowed
from gleanery.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HONEST = "The foundation opens its yearly call for school projects; teachers may apply until March."
CASINO = "Play online casino slots with free spins and a welcome bonus, deposit now and win real money today."


def hit(
    url: str, position: int, *, text: str = HONEST, title: str = "Grants for schools", query: str = "grants"
) -> Hit:
    return Hit(query, url, title, text, position)


@pytest.fixture
def session(db: None) -> Session:
    topic = services.add_topic(system(), "funding", "Bulgaria")
    return services.start_file_session(system(), topic)


def take(session: Session, *hits: Hit, provider: str = "searxng") -> dict[str, int]:
    return dict(store_hits(session.pk, provider, [screen(each) for each in hits]))


def make_older(days: int) -> None:
    """Make a result older, bypassing the trigger that forbids changes."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE result SET discovered_at = now() - make_interval(days => %s)", [days])
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_first_hit_on_a_domain_is_new_and_the_others_are_duplicates(session: Session) -> None:
    outcomes = take(
        session,
        hit("https://us-bulgaria.org/programs/education-grant", 1),
        hit("https://us-bulgaria.org/about/mission", 2),
        hit("https://www.us-bulgaria.org/contact", 3),
    )
    assert outcomes == {"new": 1, "duplicate": 2}
    domain = Domain.objects.get()
    assert domain.first_session == session.pk
    rows = list(Result.objects.order_by("position"))
    assert [row.is_duplicate for row in rows] == [False, True, True]
    assert [row.duplicate_of_domain for row in rows] == [None, domain.pk, domain.pk]


def test_a_domain_known_from_before_makes_every_hit_a_duplicate(session: Session) -> None:
    registry.register("example.org")
    assert take(session, hit("https://example.org/a", 1)) == {"duplicate": 1}


def test_a_page_stored_twice_counts_once(session: Session) -> None:
    page = [hit("https://a.example/", 1), hit("https://b.example/", 2), hit("https://127.0.0.1/", 3)]
    assert take(session, *page) == {"new": 2, "invalid": 1}
    assert take(session, *page) == {}
    totals = numbers.of_session(session.pk).totals
    assert (totals.returned, totals.new_domains, totals.invalid) == (3, 2, 1)


def test_a_page_is_stored_as_a_whole_or_not_at_all(session: Session) -> None:
    page = [screen(hit(f"https://site{n}.example/", n)) for n in (1, 2, 3)]
    page[1] = replace(page[1], position=0)  # what the database refuses, after the domains were registered
    with pytest.raises(IntegrityError):
        store_hits(session.pk, "searxng", page)
    assert not Result.objects.exists()
    assert not Domain.objects.exists()
    page[1] = replace(page[1], position=2)
    assert store_hits(session.pk, "searxng", page) == {"new": 3}


def test_a_larger_page_needs_no_more_statements(
    session: Session, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    domain_services.blacklist(system(), "blocked.example", "spam")

    def page(count: int, query: str) -> list[ScreenedHit]:
        """Return hits of every outcome: new, known, blacklisted, spam, invalid."""
        hits = [hit(f"https://site{n}.example/", n, query=query) for n in range(1, count)]
        hits += [hit("https://blocked.example/", count + n, query=query) for n in range(count)]
        hits += [
            hit(f"https://lucky{n}.example/", 2 * count + n, query=query, text=CASINO, title="Casino bonus")
            for n in range(count)
        ]
        hits += [hit("nonsense", 3 * count + n, query=query) for n in range(count)]
        return [screen(each) for each in hits]

    with django_assert_num_queries(5):  # a savepoint and its end, domains, results, those who sell
        store_hits(session.pk, "searxng", page(2, "few"))
    with django_assert_num_queries(5):
        outcomes = store_hits(session.pk, "searxng", page(100, "many"))
    assert outcomes == {"new": 98, "duplicate": 1, "blacklisted": 100, "spam": 100, "invalid": 100}


def test_blacklisted_domains_are_skipped_and_counted(session: Session) -> None:
    domain_services.blacklist(system(), "b.example", "spam")
    assert take(session, hit("https://a.example/", 1), hit("https://www.b.example/x", 2)) == {
        "new": 1,
        "blacklisted": 1,
    }
    row = Result.objects.get(outcome="blacklisted")
    assert row.domain is None
    assert "b.example is blacklisted" in row.reason


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (hit("http://127.0.0.1/", 1), "127.0.0.1"),
        (hit("javascript:alert(1)", 1), ""),
        (hit("", 1), ""),
        (hit("https://example.org/" + "a" * 2000, 1), "2000"),
        (hit("https://example.org/", 1, text="", title=" \x00 "), "neither a title nor a description"),
        (hit("https://example.org/", -3), "position is -3"),
    ],
)
def test_a_bad_hit_is_counted_as_invalid_with_its_reason(session: Session, bad: Hit, says: str) -> None:
    assert take(session, bad) == {"invalid": 1}
    row = Result.objects.get()
    assert row.reason
    assert says in row.reason
    assert not Domain.objects.exists()


def test_long_and_dirty_text_is_cut_and_cleaned(session: Session) -> None:
    dirty = Hit("q" * 600, "https://example.org/", "t\x00itle " * 200, "d\ud800 " * 900, 1)
    assert sum(take(session, dirty).values()) == 1
    row = Result.objects.get()
    assert (len(row.query), len(row.title), len(row.description)) == (500, 500, 1000)
    assert row.title.startswith("title title")
    assert row.title.endswith("…")


def test_spam_goes_to_the_spam_bin_with_its_rule_and_creates_no_domain(session: Session) -> None:
    assert take(session, hit("https://lucky.example/", 1, text=CASINO, title="Casino bonus")) == {"spam": 1}
    row = Result.objects.get()
    assert row.rule == "cross_category"
    assert row.reason
    assert not Domain.objects.exists()


def test_a_domain_is_blacklisted_after_three_cross_category_and_no_honest_results(session: Session) -> None:
    sale = [hit(f"https://lucky.example/{n}", n, text=CASINO, title="Casino bonus") for n in (1, 2, 3)]
    take(session, *sale[:2])
    assert not registry.is_blacklisted("lucky.example")
    take(session, sale[2])
    assert registry.is_blacklisted("lucky.example")
    assert JournalEntry.objects.get(action="blacklist").actor.username == "system"
    assert take(session, hit("https://lucky.example/4", 4)) == {"blacklisted": 1}


def test_a_blacklisted_seller_needs_no_more_statements(
    session: Session, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sales = [
        screen(hit(f"https://lucky{n % 3}.example/{n}", n, text=CASINO, title="Casino bonus")) for n in range(1, 19)
    ]
    store_hits(session.pk, "searxng", sales[:9])
    assert Domain.objects.filter(processing_status="blacklisted").count() == 3
    with django_assert_num_queries(5):
        store_hits(session.pk, "searxng", sales[9:])


def test_a_domain_is_not_blacklisted_again_after_a_person_lifted_it(session: Session, admin: Actor) -> None:
    take(session, *(hit(f"https://lucky.example/{n}", n, text=CASINO, title="Casino bonus") for n in (1, 2, 3)))
    domain_services.lift(admin, registry.find("lucky.example"), "it is the old theatre")
    take(session, hit("https://lucky.example/4", 4, text=CASINO, title="Casino bonus"))
    assert not registry.is_blacklisted("lucky.example")


def test_one_honest_result_keeps_a_domain_from_being_blacklisted(session: Session) -> None:
    take(session, hit("https://lucky.example/", 9))
    take(session, *(hit(f"https://lucky.example/{n}", n, text=CASINO, title="Casino bonus") for n in (1, 2, 3, 4)))
    assert not registry.is_blacklisted("lucky.example")


def test_a_rescued_result_goes_through_the_pipeline_and_counts_as_a_mistake_of_the_rule(
    session: Session, admin: Actor, person: object
) -> None:
    take(session, hit("https://old-casino.example/", 1, text=CASINO, title="Casino bonus"))
    row = Result.objects.get()
    with pytest.raises(NotAllowed):
        services.rescue(Actor(person(Role.VIEWER)), row)  # type: ignore[operator]
    rescued = services.rescue(admin, row)
    assert (rescued.outcome, rescued.rescued_by) == ("new", admin.user)
    assert registry.exists("old-casino.example")
    assert services.mistakes_of_rules() == [{"rule": "cross_category", "hits": 1, "rescued": 1}]
    with pytest.raises(Conflict):
        services.rescue(admin, row)
    totals = numbers.of_session(session.pk).totals
    assert totals.returned == totals.results + totals.spam + totals.blacklisted + totals.invalid == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE result SET title = 'another'",
        "UPDATE result SET outcome = 'duplicate'",
        "UPDATE result SET outcome = 'new', rescued_at = now(), rescued_by_id = '{by}', title = 'another'",
        "UPDATE result SET url = '', title = '', description = '', reason = '', rule = '', emptied_at = now()",
        "UPDATE result SET title = '', emptied_at = now()",
        "DELETE FROM result",
        "TRUNCATE result CASCADE",
    ],
)
@pytest.mark.parametrize("is_spam", [True, False])
def test_the_database_refuses_to_change_a_result(session: Session, admin: Actor, change: str, is_spam: bool) -> None:
    take(session, hit("https://a.example/", 1, text=CASINO if is_spam else HONEST))
    before = Result.objects.values().get()
    sql.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what is checked later would stand in the way of TRUNCATE
    with pytest.raises(IntegrityError, match="results are immutable"), transaction.atomic():
        sql.execute(change.format(by=admin.user.pk))
    assert Result.objects.values().get() == before


def test_after_thirty_days_text_in_the_spam_bin_is_deleted_and_no_count_changes(session: Session, admin: Actor) -> None:
    take(session, hit("https://lucky.example/", 1, text=CASINO, title="Casino bonus"), hit("https://a.example/", 2))
    before = numbers.of_session(session.pk)
    make_older(31)
    assert services.empty_spam_bin() == 1
    assert services.empty_spam_bin() == 0
    assert numbers.of_session(session.pk) == before
    spam = Result.objects.get(outcome="spam")
    assert (spam.url, spam.title, spam.rule) == ("", "", "cross_category")
    assert Result.objects.get(outcome="new").title
    with pytest.raises(Conflict, match="deleted after 30 days"):
        services.rescue(admin, spam)


def test_the_numbers_add_up_over_providers(session: Session) -> None:
    take(session, hit("https://a.example/", 1), hit("https://b.example/", 2), provider="brave_search")
    take(session, hit("https://a.example/x", 1), hit("nonsense", 2), provider="searxng")
    found = numbers.of_session(session.pk)
    assert [each.provider for each in found.providers] == ["brave_search", "searxng"]
    assert found.totals.returned == 4
    assert found.totals.results == found.totals.new_domains + found.totals.duplicates == 3
    assert found.totals.returned == found.totals.results + found.totals.invalid


@pytest.mark.django_db(transaction=True)
def test_concurrent_sessions_share_domains_and_lose_no_occurrence() -> None:
    topic = services.add_topic(system(), "funding", "Bulgaria")
    sessions = [services.start_file_session(system(), topic).pk for _ in range(8)]
    gate, problems = threading.Barrier(8), []

    def run(session: UUID, number: int) -> None:
        order = list(range(30))[number:] + list(range(30))[:number]
        hits = [screen(hit(f"https://www.Site{n}.example/{number}", place + 1)) for place, n in enumerate(order)]
        gate.wait()
        try:
            store_hits(session, "searxng", hits)
        except Exception as problem:  # whatever it is, it must fail the test
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[session, n]) for n, session in enumerate(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert Domain.objects.count() == 30
    assert Result.objects.filter(outcome="new").count() == 30
    assert Result.objects.count() == 240


def test_the_hot_statements_use_their_indexes(session: Session) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for statement, index in (
            (intake.SELLERS % {"names": "'{a.example}'"}, "result_of_seller"),
            (numbers.PER_PROVIDER % {"session": f"'{session.pk}'"}, "result_once"),
            ("SELECT sum(tries) FROM question WHERE provider = 'x' AND asked_at >= now()", "question_of_the_day"),
        ):
            cursor.execute(f"EXPLAIN {statement}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert index in plan, plan
            assert "Seq Scan" not in plan
