"""API of discovery and domains."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from html import unescape

import pytest
from django.test import Client
from procrastinate.contrib.django.models import ProcrastinateJob

from gleanery.accounts.actor import system
from gleanery.discovery import services
from gleanery.discovery.models import Result, Session
from gleanery.discovery.providers.brave_search import BraveSearch
from gleanery.discovery.run import run
from gleanery.discovery.tasks import run_session
from gleanery.domains import registry
from gleanery.judging.models import Judgement
from gleanery.judging.services import judge_session
from gleanery.roles import Role, Scope
from tests.discovery.engines import brave, engine, searxng, sites
from tests.discovery.example_session import searched
from tests.judging.test_services import GOOD, WEAK, take

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]


@pytest.fixture
def session(db: None) -> Session:
    return searched()


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
    job = ProcrastinateJob.objects.get(task_name=run_session.name)
    assert job.args == {"session": started["id"]}
    run_session(**job.args)
    shown = client.get(f"/api/v1/admin/sessions/{started['id']}", headers=headers).json()
    assert shown["status"] == "completed"
    assert (shown["numbers"]["queries"], shown["numbers"]["new_domains"]) == (2, 2)
    (listed,) = client.get("/api/v1/admin/sessions", headers=headers).json()["items"]
    assert listed["id"] == started["id"]


@pytest.mark.django_db(transaction=True)
def test_a_session_uses_only_the_given_providers_and_number_of_queries(
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
    assert "No search provider is enabled" in answer.json()["detail"]


def test_results_are_filtered_by_outcome_and_session(session: Session, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    query = {"session": str(session.pk), "outcome": "spam"}
    (spam,) = client.get("/api/v1/admin/results", query, headers=headers).json()["items"]
    assert (spam["domain"], spam["rule"], spam["duplicate_of_domain"]) == ("lucky.example", "cross_category", None)
    (again,) = client.get("/api/v1/admin/results", {"outcome": "duplicate"}, headers=headers).json()["items"]
    assert again["is_duplicate"]
    assert again["duplicate_of_domain"]


def test_a_session_links_to_its_results_by_outcome(session: Session, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    other = services.start_file_session(system(), session.topic)
    links = client.get(f"/api/v1/admin/sessions/{session.pk}", headers=headers).json()["links"]
    found = {what: client.get(address, headers=headers).json()["items"] for what, address in links.items()}
    counted = {what: len(items) for what, items in found.items()}
    assert counted == {"results": 3, "new": 1, "duplicate": 1, "spam": 1, "blacklisted": 0, "invalid": 0}
    assert all(each["outcome"] == what for what, items in found.items() if what != "results" for each in items)
    links = client.get(f"/api/v1/admin/sessions/{other.pk}", headers=headers).json()["links"]
    assert client.get(links["results"], headers=headers).json()["items"] == []


def test_reviewers_may_rescue_results_but_agents_may_not(
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


def test_domains_are_filtered_by_their_best_judgement(session: Session, client: Client, bearer: Bearer) -> None:
    take(session, ("https://iskra.bg/", WEAK), ("https://iskra.bg/2", GOOD), ("https://recipes.example", WEAK), first=4)
    judge_session(session)
    registry.register("unjudged.example")
    headers = bearer(Scope.READ)

    def at_least(confidence: Decimal) -> set[str]:
        answer = client.get("/api/v1/admin/domains", {"min_confidence": str(confidence)}, headers=headers)
        return {each["name"] for each in answer.json()["items"]}

    best = max(Judgement.objects.filter(domain__name="iskra.bg").values_list("confidence", flat=True))
    assert at_least(Decimal(0)) == {"iskra.bg", "recipes.example", "a.example"}
    assert at_least(best) == {"iskra.bg"}
    assert at_least(best + Decimal("0.01")) == set()


def test_many_domains_are_blacklisted_in_one_call(session: Session, logged_in: LoggedIn) -> None:
    given = {"action": "blacklist", "domains": ["b.example", "localhost"], "reason": "spam"}
    answer = logged_in(Role.REVIEWER).post("/api/v1/admin/domains/bulk", given, "application/json").json()
    assert [each["name"] for each in answer["done"]] == ["b.example"]
    assert [each["given"] for each in answer["refused"]] == ["localhost"]


@pytest.mark.django_db
def test_providers_are_listed_with_their_settings(client: Client, bearer: Bearer) -> None:
    told = {each["provider"]: each for each in client.get("/api/v1/admin/providers", headers=bearer(Scope.READ)).json()}
    assert not told["brave_search"]["on"]
    assert told["brave_search"]["setting"] == "BRAVE_API_KEY"


@pytest.mark.django_db(transaction=True)
def test_an_active_provider_shows_its_usage_and_last_error(
    client: Client, bearer: Bearer, logged_in: LoggedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "a-key")
    answers = iter([(200, brave(sites("a.example"))), (403, {})])
    with engine(lambda query, number: next(answers)) as url:
        monkeypatch.setenv("GLEANERY_PROVIDER_URLS", f"brave_search={url}")
        topic = services.add_topic(system(), "funding", "Bulgaria", max_queries=2)
        run(services.start_session(system(), topic, "manual_search"))
    (told,) = [each for each in client.get("/api/v1/admin/providers", headers=bearer(Scope.READ)).json() if each["on"]]
    assert (told["provider"], told["used_today"], told["daily_cap"]) == ("brave_search", 2, BraveSearch.daily_cap)
    assert told["last_error"]
    assert told["last_error_at"]
    page = unescape(logged_in(Role.VIEWER).get("/admin/").content.decode())
    assert f"2 of {BraveSearch.daily_cap} requests used today; last error: {told['last_error']}" in page
