"""The API of discovery and domains."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from gleanery.accounts.actor import system
from gleanery.discovery import services
from gleanery.discovery.hit import Hit
from gleanery.discovery.intake import take_in
from gleanery.discovery.models import Result, Session
from gleanery.discovery.sifting import sift
from gleanery.discovery.tasks import run_session
from gleanery.roles import Role, Scope
from tests.discovery.engines import brave, engine, searxng, sites
from tests.discovery.test_intake import CASINO, HONEST

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]


@pytest.fixture
def session(db: None) -> Session:
    topic = services.add_topic(system(), "funding", "Bulgaria", max_queries=2)
    session = services.start_file_session(system(), topic)
    hits = [
        Hit("grants", "https://a.example/", "Grants", HONEST, 1),
        Hit("grants", "https://lucky.example/", "Casino bonus", CASINO, 2),
        Hit("grants", "https://a.example/2", "More grants", HONEST, 3),
    ]
    take_in(session.pk, "searxng", [sift(hit) for hit in hits])
    return session


@pytest.fixture
def search_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with engine(lambda query, number: (200, searxng(sites(f"s{number}.example")))) as url:
        monkeypatch.setenv("SEARXNG_URL", url)
        yield


@pytest.mark.django_db(transaction=True)
def test_a_session_is_started_by_the_api_and_run_by_a_job(client: Client, bearer: Bearer, search_engine: None) -> None:
    services.add_topic(system(), "funding", "Bulgaria", max_queries=2)
    headers = bearer(Scope.INGEST, Scope.READ)
    answer = client.post("/api/v1/admin/sessions", {"topic": "funding-bulgaria"}, "application/json", headers=headers)
    assert answer.status_code == 202
    started = answer.json()
    assert (started["status"], started["topic"], started["type"]) == ("running", "funding-bulgaria", "manual_search")
    run_session(session=started["id"])
    shown = client.get(f"/api/v1/admin/sessions/{started['id']}", headers=headers).json()
    assert shown["status"] == "completed"
    assert (shown["numbers"]["queries"], shown["numbers"]["new_domains"]) == (2, 2)
    (listed,) = client.get("/api/v1/admin/sessions", headers=headers).json()["items"]
    assert listed["id"] == started["id"]


@pytest.mark.django_db(transaction=True)
def test_a_session_asks_only_the_providers_and_as_many_queries_as_were_named(
    client: Client, bearer: Bearer, search_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = services.add_topic(system(), "funding", "Bulgaria", max_queries=3)
    headers = bearer(Scope.INGEST, Scope.READ)
    given = {"topic": topic.name, "providers": ["brave_search"], "max_queries": 1}
    asked: list[str] = []

    def noting(query: str, number: int) -> tuple[int, object]:
        asked.append(query)
        return 200, brave(sites("b.example"))

    with engine(noting) as url:
        monkeypatch.setenv("BRAVE_API_KEY", "a-key")
        monkeypatch.setenv("GLEANERY_PROVIDER_URLS", f"brave_search={url}")
        started = client.post("/api/v1/admin/sessions", given, "application/json", headers=headers).json()
        run_session(session=started["id"])
    assert asked == started["queries"] == list(services.queries_of(topic)[:1])
    assert started["providers"] == ["brave_search"]
    shown = client.get(f"/api/v1/admin/sessions/{started['id']}", headers=headers).json()
    assert shown["status"] == "completed"
    (numbers,) = shown["numbers"]["providers"]
    assert (numbers["provider"], numbers["queries"], numbers["results"]) == ("brave_search", 1, 1)
    given = {"topic": topic.name, "max_queries": 0}
    assert client.post("/api/v1/admin/sessions", given, "application/json", headers=headers).status_code == 422


@pytest.mark.django_db
def test_a_session_on_an_unknown_topic_or_provider_is_a_problem(client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.INGEST)
    answer = client.post("/api/v1/admin/sessions", {"topic": "nope"}, "application/json", headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:gleanery:not-found")
    services.add_topic(system(), "funding", "Bulgaria")
    answer = client.post("/api/v1/admin/sessions", {"topic": "funding-bulgaria"}, "application/json", headers=headers)
    assert answer.status_code == 422
    assert "No search provider is turned on" in answer.json()["detail"]


def test_results_are_filtered_by_outcome_and_session(session: Session, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    query = {"session": str(session.pk), "outcome": "spam"}
    (spam,) = client.get("/api/v1/admin/results", query, headers=headers).json()["items"]
    assert (spam["domain"], spam["rule"], spam["duplicate_of_domain"]) == ("lucky.example", "cross_category", None)
    (again,) = client.get("/api/v1/admin/results", {"outcome": "duplicate"}, headers=headers).json()["items"]
    assert again["is_duplicate"]
    assert again["duplicate_of_domain"]


def test_a_reviewer_rescues_by_the_api_and_an_agent_may_not(
    session: Session, client: Client, bearer: Bearer, logged_in: LoggedIn
) -> None:
    spam = Result.objects.get(outcome="spam")
    address = f"/api/v1/admin/results/{spam.pk}/rescue"
    assert client.post(address, headers=bearer(Scope.DECIDE, Scope.PROPOSE, Scope.READ)).status_code == 403
    assert logged_in(Role.REVIEWER).post(address).json()["outcome"] == "new"
    assert logged_in(Role.REVIEWER).post(address).status_code == 409
    (rule,) = client.get("/api/v1/admin/spam-rules", headers=bearer(Scope.READ)).json()
    assert rule == {"rule": "cross_category", "hits": 1, "rescued": 1}


def test_domains_are_searched_blacklisted_and_lifted(session: Session, logged_in: LoggedIn) -> None:
    reviewer, admin = logged_in(Role.REVIEWER), logged_in(Role.ADMIN)
    (domain,) = reviewer.get("/api/v1/admin/domains", {"name": "a.ex", "processing_status": "discovered"}).json()[
        "items"
    ]
    address = f"/api/v1/admin/domains/{domain['id']}"
    assert reviewer.post(f"{address}/blacklist", {"reason": " "}, "application/json").status_code == 422
    done = reviewer.post(f"{address}/blacklist", {"reason": "second-hand"}, "application/json").json()
    assert (done["processing_status"], done["blacklist_reason"]) == ("blacklisted", "second-hand")
    assert reviewer.post(f"{address}/lift", {"reason": "oh"}, "application/json").status_code == 403
    assert (
        admin.post(f"{address}/lift", {"reason": "oh"}, "application/json").json()["processing_status"] == "discovered"
    )
    assert reviewer.get(address).json()["name"] == "a.example"


def test_many_domains_are_blacklisted_in_one_call(session: Session, logged_in: LoggedIn) -> None:
    given = {"action": "blacklist", "domains": ["b.example", "localhost"], "reason": "spam"}
    answer = logged_in(Role.REVIEWER).post("/api/v1/admin/domains/bulk", given, "application/json").json()
    assert [each["name"] for each in answer["done"]] == ["b.example"]
    assert [each["given"] for each in answer["refused"]] == ["localhost"]


@pytest.mark.django_db
def test_the_providers_are_told_with_what_turns_them_on(client: Client, bearer: Bearer) -> None:
    told = {each["provider"]: each for each in client.get("/api/v1/admin/providers", headers=bearer(Scope.READ)).json()}
    assert not told["brave_search"]["on"]
    assert told["brave_search"]["setting"] == "BRAVE_API_KEY"


@pytest.mark.parametrize("page", ["topic/", "topic/add/", "session/", "result/?outcome__exact=spam"])
def test_the_console_shows_discovery(session: Session, logged_in: LoggedIn, page: str) -> None:
    assert logged_in(Role.REVIEWER).get(f"/admin/discovery/{page}").status_code == 200
    assert logged_in(Role.REVIEWER).get("/admin/domains/domain/").status_code == 200


def test_the_console_shows_a_session_with_its_numbers(session: Session, logged_in: LoggedIn) -> None:
    page = logged_in(Role.VIEWER).get(f"/admin/discovery/session/{session.pk}/change/").content.decode()
    assert "new domains" in page
    assert f"session__id__exact={session.pk}&amp;outcome__exact=spam" in page


def test_blacklisting_in_the_console_asks_for_a_reason_first(session: Session, logged_in: LoggedIn) -> None:
    browser = logged_in(Role.REVIEWER)
    chosen = {"action": "blacklist", "_selected_action": str(Result.objects.filter(outcome="new").get().domain_id)}
    asked = browser.post("/admin/domains/domain/", chosen).content.decode()
    assert "Why? It is kept in the journal." in asked
    browser.post("/admin/domains/domain/", {**chosen, "reason": "second-hand"})
    assert Result.objects.filter(domain__processing_status="blacklisted").exists()


def test_the_spam_bin_of_the_console_rescues(session: Session, logged_in: LoggedIn) -> None:
    spam = Result.objects.get(outcome="spam")
    form = {"action": "rescue", "_selected_action": str(spam.pk)}
    logged_in(Role.REVIEWER).post("/admin/discovery/result/?outcome__exact=spam", form)
    assert Result.objects.get(pk=spam.pk).outcome == "new"


def test_a_topic_that_cannot_work_is_refused_at_its_field(session: Session, logged_in: LoggedIn) -> None:
    topic = session.topic
    browser = logged_in(Role.REVIEWER)
    form = {
        "name": topic.name, "title": "My title", "query_templates": "{planet}", "places": "Sofia", "themes": "grants",
        "keywords": "{}", "organization_words": "{}", "geography": "", "weights": '{"mood": 1}', "threshold": "0.60",
        "kinds": "", "country": "bg", "language": "", "max_queries": "5", "schedule": "at noon",
    }  # fmt: skip
    page = browser.post(f"/admin/discovery/topic/{topic.pk}/change/", form).content.decode()
    assert "only {place} and {theme} are known" in page
    assert "There is no judge" in page
    assert "My title" in page
