"""The weekly deep crawl as a session: its crawls, how it ends, and its figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.crawling.models import Crawl
from gleanery.crawling.schedule import refresh, weekly
from gleanery.discovery import numbers
from gleanery.discovery.models import Session
from gleanery.discovery.services import close_dead_sessions
from tests.crawling.conftest import Resolve, approved, finish
from tests.crawling.pages import Plan
from tests.crawling.sites import Sites, site
from tests.crawling.test_refresh import ago

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sites(reach: Resolve) -> Iterator[Sites]:
    with Sites(1, Plan(pages=5)) as running:
        reach(running)
        yield running


def begun(*names: str) -> Session:
    """Return a deep crawl session to which no crawl was added for a while."""
    for name in names:
        approved(name)
    assert refresh.start_deep_crawls() == len(names)
    Session.objects.update(alive_at=ago(minutes=6), started_at=ago(minutes=10))
    return Session.objects.get()


def end(name: str, status: str) -> None:
    reason = "" if status == "completed" else "It was down."
    Crawl.objects.filter(domain__name=name).update(status=status, completed_at=Now(), end_reason=reason)


def test_every_crawl_of_the_week_belongs_to_one_session() -> None:
    session = begun("iskra.bg", "zora.bg")
    assert (session.type, session.status, session.topic) == ("weekly_deep_crawl", "running", None)
    assert set(session.crawls.values_list("domain__name", "kind")) == {("iskra.bg", "deep"), ("zora.bg", "deep")}
    assert JournalEntry.objects.filter(subject_kind="session", action="start").count() == 1


def test_without_approved_domains_there_is_no_session() -> None:
    assert refresh.start_deep_crawls() == 0
    assert not Session.objects.exists()


def test_crawls_started_again_after_a_kill_join_the_same_session() -> None:
    begun("iskra.bg")
    approved("zora.bg")
    refresh.start_deep_crawls()
    assert Session.objects.get().crawls.count() == 2
    Session.objects.update(started_at=ago(days=7))
    assert weekly.session_of(system()) != Session.objects.earliest("started_at"), "another week, another session"


@pytest.mark.parametrize(
    ("ends", "status", "error"),
    [
        (("completed", "completed"), "completed", ""),
        (("completed", "failed"), "partial_success", "1 crawl failed, 0 cancelled. zora.bg: It was down."),
        (("completed", "cancelled"), "partial_success", "0 crawls failed, 1 cancelled."),
        (("failed", "failed"), "failed", "2 crawls failed, 0 cancelled. iskra.bg: It was down. zora.bg: It was down."),
    ],
)
def test_it_ends_with_the_last_of_its_crawls_and_reports_what_failed(
    ends: tuple[str, str], status: str, error: str
) -> None:
    session = begun("iskra.bg", "zora.bg")
    end("iskra.bg", ends[0])
    assert weekly.close_over() == 0, "one crawl is open still"
    end("zora.bg", ends[1])
    assert weekly.close_over() == 1
    session.refresh_from_db()
    assert (session.status, session.error) == (status, error)
    assert session.completed_at == Crawl.objects.get(domain__name="zora.bg").completed_at
    assert weekly.close_over() == 0


def test_it_does_not_end_while_crawls_are_still_being_added() -> None:
    session = begun("iskra.bg")
    end("iskra.bg", "completed")
    Session.objects.update(alive_at=Now())
    assert weekly.close_over() == 0
    session.refresh_from_db()
    assert session.status == "running"


def test_one_that_was_killed_before_its_first_crawl_fails() -> None:
    weekly.session_of(system())
    Session.objects.update(alive_at=ago(minutes=6), started_at=ago(minutes=10))
    assert weekly.close_over() == 1
    assert (Session.objects.get().status, Session.objects.get().error) == ("failed", "None of its crawls began.")


def test_a_long_deep_crawl_is_not_closed_as_a_dead_session() -> None:
    session = begun("iskra.bg")
    assert close_dead_sessions() == 0
    session.refresh_from_db()
    assert session.status == "running"


def test_its_numbers_are_those_of_its_crawls(sites: Sites) -> None:
    session = begun(site(0), "unknown.invalid.bg")
    finish(session.crawls.get(domain__name=site(0)))
    found = numbers.of_session(session.pk).as_dict()
    assert found["queries"] == 0
    crawls = found["crawls"]
    assert (crawls["crawls"], crawls["completed"], crawls["waiting"]) == (2, 1, 1)
    assert crawls["pages_stored"] == session.crawls.get(status="completed").visits.filter(state="stored").count() > 0
    assert crawls["bytes"] > 0


def test_what_became_of_forgotten_visits_is_unknown_and_not_nothing(sites: Sites) -> None:
    session = begun(site(0))
    finish(session.crawls.get())
    Crawl.objects.update(completed_at=ago(days=31))
    refresh.forget_old_visits()
    crawls = numbers.of_session(session.pk).as_dict()["crawls"]
    assert (crawls["completed"], crawls["pages_stored"]) == (1, None)
