"""Facts about domains in command line, API and console, with lists and filters."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from gleanery.accounts.actor import Actor, system
from gleanery.discovery import services as discovery
from gleanery.discovery.models import Result
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.api import DomainDetail
from gleanery.domains.facts import FACTS
from gleanery.domains.models import Domain
from gleanery.domains.quality import FIGURES
from gleanery.domains.submissions.submitting import submit
from gleanery.extraction.models import Source
from gleanery.judging import services as judging
from gleanery.resolution.intake.batch import intake
from gleanery.review.source_admin import SourceAdmin
from gleanery.roles import Role, Scope
from tests.discovery.example_session import searched
from tests.interfaces.conftest import Run, told
from tests.judging.test_services import GOOD, WEAK, take
from tests.resolution.shop import JAZZ, given
from tests.review.shop import proposed, put, topic

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
DOMAINS = "/api/v1/admin/domains"
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
# Under these names the console shows them.
IN_THE_CONSOLE = {
    "occurrences": "seen",
    "best_confidence": "best",
    "average_confidence": "average",
    "high_count": "high",
    "low_count": "low",
    "records": "shown_records",
}


@pytest.fixture
def judged(db: None) -> None:
    """Create a domain with two good pages and a weak one, and a domain with a weak page."""
    session = discovery.start_file_session(system(), topic())
    pages = [("https://iskra.bg/a", GOOD), ("https://iskra.bg/b", GOOD), ("https://iskra.bg/c", WEAK)]
    take(session, *pages, ("https://recipes.example/", WEAK))
    judging.judge_session(session)


def test_the_api_and_the_console_show_every_fact_that_the_command_shows() -> None:
    everything = {*FACTS, *FIGURES}
    assert set(DomainDetail.model_fields) - {"display"} == everything
    shown = {name for row in SourceAdmin.fields for name in (row if isinstance(row, tuple) else (row,))}
    assert {IN_THE_CONSOLE.get(name, name) for name in everything - {"id", "first_session"}} <= shown


def test_figures_of_a_domain_come_from_its_judgements(judged: None, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    (domain,) = client.get(DOMAINS, {"name": "iskra"}, headers=headers).json()["items"]
    assert (domain["occurrences"], domain["high_count"], domain["low_count"], domain["records"]) == (3, 2, 1, 0)
    assert domain["best_confidence"] > domain["average_confidence"]


@pytest.mark.parametrize(("least", "found"), [(1, ["iskra.bg"]), (2, ["iskra.bg"]), (3, [])])
def test_domains_are_filtered_by_number_of_good_results(
    judged: None, client: Client, bearer: Bearer, logged_in: LoggedIn, least: int, found: list[str]
) -> None:
    answer = client.get(DOMAINS, {"min_high_count": least}, headers=bearer(Scope.READ)).json()
    assert [each["name"] for each in answer["items"]] == found
    page = logged_in(Role.VIEWER).get(f"/admin/domains/domain/?min_high_count={least}").content.decode()
    assert ("iskra.bg" in page) == bool(found)
    assert "recipes.example" not in page


@pytest.mark.parametrize("nonsense", ["x", "-1", "", "9" * 30])
def test_an_invalid_count_is_ignored(judged: None, logged_in: LoggedIn, nonsense: str) -> None:
    page = logged_in(Role.VIEWER).get("/admin/domains/domain/", {"min_high_count": nonsense})
    assert "recipes.example" in page.content.decode()


def test_the_list_of_approved_sources_links_to_their_records(
    db: None, client: Client, bearer: Bearer, logged_in: LoggedIn
) -> None:
    domain = put("approved")
    source = Source.objects.create(kind="crawled", name=domain.name, domain=domain)
    intake(source, [given("event", "1", **JAZZ)])
    (row,) = client.get(DOMAINS, {"approval_status": "approved"}, headers=bearer(Scope.READ)).json()["items"]
    assert row["records"] == 2, "the event and its venue"
    records = client.get("/api/v1/admin/records", {"source": domain.name}, headers=bearer(Scope.READ)).json()["items"]
    assert {each["name"] for each in records} == {"Jazz Night", "The Rex"}
    assert client.get("/api/v1/admin/records?source=other", headers=bearer(Scope.READ)).json()["items"] == []
    browser = logged_in(Role.VIEWER)
    page = browser.get("/admin/domains/domain/?approval_status__exact=approved").content.decode()
    assert 'href="/admin/resolution/record/?source=iskra.bg">2</a>' in page
    assert "last crawled at" in page.lower()
    assert "Jazz Night" in browser.get("/admin/resolution/record/?source=iskra.bg").content.decode()
    assert "Jazz Night" not in browser.get("/admin/resolution/record/?source=other").content.decode()


def test_the_queue_shows_the_submitter_and_context(
    db: None, client: Client, bearer: Bearer, logged_in: LoggedIn, admin: Actor
) -> None:
    submit("grants.example", context="They <b>fund</b> schools.", by=admin)
    proposed("iskra.bg")
    headers = bearer(Scope.READ)
    rows = {each["domain"]: each for each in client.get("/api/v1/admin/review-queue", headers=headers).json()["items"]}
    submitted, judged = rows["grants.example"], rows["iskra.bg"]
    assert (submitted["submitted_by"], submitted["submission_context"]) == (
        str(admin.user),
        "They <b>fund</b> schools.",
    )
    assert (judged["submitted_by"], judged["submission_context"]) == (None, "")
    for address in ("/admin/review/item/", "/admin/domains/domain/?approval_status__exact=pending_review"):
        page = logged_in(Role.VIEWER).get(address).content.decode()
        assert "They &lt;b&gt;fund&lt;/b&gt; schools." in page
        assert str(admin.user) in page


def seen(name: str) -> datetime:
    return Domain.objects.get(name=name).last_seen_at


def long_ago(name: str) -> Domain:
    """Return a domain that was last seen years ago."""
    domain = registry.register(name)
    Domain.objects.filter(pk=domain.pk).update(last_seen_at=LONG_AGO)
    return domain


def test_naming_a_domain_does_not_change_when_it_was_seen(db: None, admin: Actor) -> None:
    long_ago("a.example"), long_ago("b.example")
    submit("a.example", by=admin)
    submit("https://a.example/page", by=admin)
    domains.blacklist(admin, "b.example", "spam")
    domains.lift(admin, registry.find("b.example"), "sorry")
    registry.register("b.example")
    assert (seen("a.example"), seen("b.example")) == (LONG_AGO, LONG_AGO)


def test_search_results_update_the_last_sighting_of_a_domain(db: None) -> None:
    long_ago("a.example")
    searched()
    assert seen("a.example") > LONG_AGO


def test_a_rescued_result_keeps_its_time_of_discovery(db: None, admin: Actor) -> None:
    searched()
    spam = Result.objects.get(outcome="spam")
    long_ago(spam.domain_name)
    discovery.rescue(admin, spam)
    assert seen(spam.domain_name) == spam.discovered_at


def test_many_domains_are_changed_at_once(db: None, logged_in: LoggedIn, admin: Actor) -> None:
    for name in ("a.example", "b.example"):
        domains.blacklist(admin, name, "spam")
    browser = logged_in(Role.ADMIN)

    def bulk(browser: Client = browser, **wanted: object) -> dict[str, list[dict[str, object]]]:
        answer = browser.post(f"{DOMAINS}/bulk", wanted, "application/json")
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    both = ["a.example", "b.example"]
    assert [each["processing_status"] for each in bulk(action="lift", domains=both, reason="sorry")["done"]] == [
        "discovered",
        "discovered",
    ]
    assert [each["is_trusted"] for each in bulk(action="trust", domains=both)["done"]] == [True, True]
    Domain.objects.filter(name="a.example").update(processing_status="crawled")
    answer = bulk(action="no-funds", domains=both, year=2026)
    assert [each["no_funds_year"] for each in answer["done"]] == [2026]
    assert [each["given"] for each in answer["refused"]] == ["b.example"]
    assert "2020 to 2100" in str(bulk(action="no-funds", domains=["a.example"])["refused"])
    anna = bulk(logged_in(Role.REVIEWER), action="trust", domains=both)
    assert (anna["done"], len(anna["refused"])) == ([], 2)


def test_the_console_marks_many_domains_as_without_funds(db: None, logged_in: LoggedIn) -> None:
    found = [put("approved", name) for name in ("aa.bg", "bb.bg")]
    Domain.objects.update(processing_status="crawled")
    form = {"action": "no_funds", "_selected_action": [str(each.pk) for each in found]}
    logged_in(Role.REVIEWER).post("/admin/domains/domain/", form)
    assert set(Domain.objects.values_list("no_funds_year", flat=True)) == {timezone.now().year}


def test_the_command_shows_all_facts_and_changes_many_domains(run: Run, tmp_path: Path) -> None:
    told(run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "facts", "--json"))
    file = tmp_path / "results.jsonl"
    rows = [("https://iskra.bg/", *GOOD), ("https://soups.example/", *WEAK)]
    file.write_text("\n".join(json.dumps(dict(zip(("url", "title", "description"), row, strict=True))) for row in rows))
    told(run("discover", "--topic", "facts", "--file", str(file), "--json"))
    assert {*FACTS, *FIGURES} <= set(told(run("domain", "show", "iskra.bg", "--json")))
    found = told(run("domain", "list", "--min-high-count", "1", "--json"))
    assert [each["name"] for each in found] == ["iskra.bg"]
    assert {*FACTS, *FIGURES} <= set(found[0])
    told(run("submit", "grants.example", "--context", "They fund schools.", "--json"))
    waiting = run("domain", "list", "--approval", "pending_review").stdout
    assert "They fund schools." in waiting
    assert "They fund schools." in run("review", "list").stdout
    told(run("domain", "approve", "grants.example", "--json"))
    approved = run("domain", "list", "--approval", "approved").stdout
    assert "last_crawled_at" in approved
    assert "gleanery record list --source NAME" in approved
    assert told(run("record", "list", "--source", "grants.example", "--json")) == []
    told(run("domain", "blacklist", "aa.example", "bb.example", "--reason", "spam", "--json"))
    lifted = told(run("domain", "lift", "aa.example", "bb.example", "--reason", "sorry", "--json"))["done"]
    assert [each["processing_status"] for each in lifted] == ["discovered", "discovered"]
    refused = run("domain", "no-funds", "aa.example", "nobody.example", "--year", "2026", "--json")
    assert refused.returncode == 1
    assert len(json.loads(refused.stdout)["refused"]) == 2
