"""Console pages of discovery and domains."""

from collections.abc import Callable

import pytest
from django.test import Client
from procrastinate.contrib.django.models import ProcrastinateJob

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.discovery.models import Result, Session, Topic
from gleanery.discovery.tasks import run_session
from gleanery.domains import registry, services
from gleanery.domains.models import Domain
from gleanery.judging.services import judge_session
from gleanery.roles import Role
from tests.discovery.example_session import searched
from tests.judging.test_services import GOOD, WEAK, take

LoggedIn = Callable[[Role], Client]
DOMAINS = "/admin/domains/domain/"
SPAM_BIN = "/admin/discovery/result/?outcome__exact=spam"
FORM = {
    "name": "youth-varna", "title": "Youth work in Varna", "query_templates": "{theme} {place}", "places": "Varna",
    "themes": "youth grants,summer camps", "keywords": '{"en": ["youth"]}', "organization_words": '{"en": ["centre"]}',
    "geography": "Varna", "weights": '{"geography": 2}', "threshold": "0.70", "page_threshold": "0.30", "kinds": "",
    "country": "bg", "language": "", "max_queries": "5", "schedule": "0 3 * * *",
}  # fmt: skip


@pytest.fixture
def session(db: None) -> Session:
    return searched()


@pytest.mark.parametrize("page", ["topic/", "topic/add/", "session/", "result/?outcome__exact=spam"])
def test_the_console_shows_discovery(session: Session, logged_in: LoggedIn, page: str) -> None:
    assert logged_in(Role.REVIEWER).get(f"/admin/discovery/{page}").status_code == 200
    assert logged_in(Role.REVIEWER).get(DOMAINS).status_code == 200


def test_the_console_shows_a_session_with_its_figures(session: Session, logged_in: LoggedIn) -> None:
    page = logged_in(Role.VIEWER).get(f"/admin/discovery/session/{session.pk}/change/").content.decode()
    assert "new domains" in page
    assert f"session__id__exact={session.pk}&amp;outcome__exact=spam" in page


def test_the_console_asks_for_a_reason_before_blacklisting(session: Session, logged_in: LoggedIn) -> None:
    browser = logged_in(Role.REVIEWER)
    chosen = {"action": "blacklist", "_selected_action": str(Result.objects.filter(outcome="new").get().domain_id)}
    asked = browser.post(DOMAINS, chosen).content.decode()
    assert "Why? It is kept in the journal." in asked
    browser.post(DOMAINS, {**chosen, "reason": "second-hand"})
    assert Result.objects.filter(domain__processing_status="blacklisted").exists()


@pytest.mark.parametrize(("role", "status"), [(Role.REVIEWER, "blacklisted"), (Role.ADMIN, "discovered")])
def test_only_an_admin_lifts_the_blacklist_with_a_reason(
    session: Session, logged_in: LoggedIn, role: Role, status: str
) -> None:
    domain = services.blacklist(system(), "a.example", "second-hand")
    chosen = {"action": "lift", "_selected_action": str(domain.pk)}
    browser = logged_in(role)
    assert "Why? It is kept in the journal." in browser.post(DOMAINS, chosen).content.decode()
    assert Domain.objects.get(pk=domain.pk).processing_status == "blacklisted"
    browser.post(DOMAINS, {**chosen, "reason": "it sells nothing"})
    assert Domain.objects.get(pk=domain.pk).processing_status == status
    entries = JournalEntry.objects.filter(action="lift", reason="it sells nothing")
    assert entries.exists() is (role is Role.ADMIN)


@pytest.mark.parametrize(
    ("quality", "found"),
    [("high", {"iskra.bg"}), ("low", {"recipes.example"}), ("none", {"unjudged.example"})],
)
def test_domains_are_filtered_by_their_judgements(
    session: Session, logged_in: LoggedIn, quality: str, found: set[str]
) -> None:
    domains = ("iskra.bg", "recipes.example", "unjudged.example")
    take(
        session, ("https://iskra.bg/", WEAK), ("https://iskra.bg/2", GOOD), ("https://recipes.example/", WEAK), first=9
    )
    judge_session(session)
    registry.register("unjudged.example")
    page = logged_in(Role.VIEWER).get(DOMAINS, {"quality": quality}).content.decode()
    assert {name for name in domains if f">{name}<" in page} == found


def test_running_a_topic_in_the_console_creates_a_job(
    session: Session, logged_in: LoggedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {"action": "run", "_selected_action": str(session.topic.pk)}
    browser = logged_in(Role.REVIEWER)
    page = browser.post("/admin/discovery/topic/", form, follow=True).content.decode()
    assert "No search provider is enabled" in page
    assert not ProcrastinateJob.objects.filter(task_name=run_session.name).exists()
    monkeypatch.setenv("SEARXNG_URL", "http://127.0.0.1:9")
    page = browser.post("/admin/discovery/topic/", form, follow=True).content.decode()
    assert "The search for funding-bulgaria has started" in page
    begun = Session.objects.exclude(pk=session.pk).get()
    assert (begun.type, begun.started_by.username) == ("manual_search", "some-reviewer")
    assert ProcrastinateJob.objects.get(task_name=run_session.name).args == {"session": str(begun.pk)}


def test_the_spam_bin_shows_mistakes_of_each_rule(session: Session, logged_in: LoggedIn) -> None:
    browser, spam = logged_in(Role.REVIEWER), Result.objects.get(outcome="spam")
    said = "<strong>cross category</strong>: 1 filtered out, {} of them rescued"
    assert said.format(0) in browser.get(SPAM_BIN).content.decode()
    browser.post(SPAM_BIN, {"action": "rescue", "_selected_action": str(spam.pk)})
    assert said.format(1) in browser.get(SPAM_BIN).content.decode()
    assert "filtered out" not in browser.get("/admin/discovery/result/").content.decode()


def test_results_can_be_rescued_from_the_spam_bin(session: Session, logged_in: LoggedIn) -> None:
    spam = Result.objects.get(outcome="spam")
    form = {"action": "rescue", "_selected_action": str(spam.pk)}
    logged_in(Role.REVIEWER).post(SPAM_BIN, form)
    assert Result.objects.get(pk=spam.pk).outcome == "new"


def test_an_invalid_topic_is_refused_with_the_field(session: Session, logged_in: LoggedIn) -> None:
    topic = session.topic
    browser = logged_in(Role.REVIEWER)
    form = FORM | {"name": topic.name, "title": "My title", "query_templates": "{planet}", "weights": '{"mood": 1}'}
    page = browser.post(f"/admin/discovery/topic/{topic.pk}/change/", form).content.decode()
    assert "only {place} and {theme} are possible" in page
    assert "There is no judge" in page
    assert "My title" in page


def test_a_topic_is_created_and_changed_in_the_console(session: Session, logged_in: LoggedIn) -> None:
    browser = logged_in(Role.REVIEWER)
    assert browser.post("/admin/discovery/topic/add/", FORM).status_code == 302
    topic = Topic.objects.get(name="youth-varna")
    assert topic.themes == ["youth grants", "summer camps"]
    assert (topic.keywords, topic.weights) == ({"en": ["youth"]}, {"geography": 2})
    assert (str(topic.threshold), topic.schedule) == ("0.70", "0 3 * * *")
    changed = FORM | {"places": "Varna,Burgas", "schedule": ""}
    assert browser.post(f"/admin/discovery/topic/{topic.pk}/change/", changed).status_code == 302
    topic.refresh_from_db()
    assert (topic.places, topic.schedule, topic.title) == (["Varna", "Burgas"], "", "Youth work in Varna")
    written = JournalEntry.objects.filter(subject_id=str(topic.pk)).order_by("id")
    assert [(each.action, each.actor.username) for each in written] == [
        ("create", "some-reviewer"),
        ("change", "some-reviewer"),
    ]
