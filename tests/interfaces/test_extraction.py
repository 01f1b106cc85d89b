"""Extraction in command line, API and console."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from gleanery.accounts.models import JournalEntry
from gleanery.crawling.models import Page
from gleanery.extraction import services
from gleanery.extraction.models import Observation, Source
from gleanery.roles import Role, Scope
from tests.extraction import stored_pages
from tests.interfaces.conftest import Run, told

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]


@pytest.fixture
def page(db: None) -> Page:
    stored_pages.topic()
    domain = stored_pages.approved()
    page = stored_pages.store_page(domain, "/concert", stored_pages.event())
    services.extract_domain(domain)
    stored_pages.store_page(domain, "/concert", stored_pages.event(day="14"))
    services.extract_domain(domain)
    return page


def test_the_api_lists_observations(page: Page, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)

    def listed(**query: str) -> list[int]:
        items = client.get("/api/v1/admin/observations", query, headers=headers).json()["items"]
        return [each["version"] for each in items]

    assert listed(kind="event") == [2, 1]
    assert listed(kind="event", current="true") == [2]
    assert listed(kind="event", current="false", domain="hall.example") == [1]
    assert listed(source="hall.example", kind="funding") == []
    assert listed(domain="no.example") == []


def test_the_api_shows_the_evidence_and_the_versions(page: Page, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    new = Observation.objects.get(kind="event", superseded_at=None)
    shown = client.get(f"/api/v1/admin/observations/{new.pk}", headers=headers).json()
    assert shown["evidence"]["start"]
    assert [each["version"] for each in shown["versions"]] == [2, 1]
    assert (shown["page"], shown["trust"]) == ("https://hall.example/concert", 5)


def test_the_api_shows_the_relevance_and_observations_of_a_page(page: Page, client: Client, bearer: Bearer) -> None:
    found = client.get(f"/api/v1/admin/pages/{page.pk}/observations", headers=bearer(Scope.READ)).json()
    assert found["flag"]["relevant"]
    assert found["flag"]["reasons"][0]["sentence"]
    assert "event" in {each["kind"] for each in found["observations"]}


def test_trust_is_set_by_admins_through_the_api(page: Page, client: Client, bearer: Bearer) -> None:
    source = Source.objects.get()
    address = f"/api/v1/admin/sources/{source.pk}/trust"
    given = ({"trust": 9}, "application/json")
    assert client.post(address, *given, headers=bearer(Scope.DECIDE)).status_code == 403
    assert client.post(address, *given, headers=bearer(Scope.ADMIN)).json()["trust"] == 9
    assert client.post(address, {"trust": 0}, "application/json", headers=bearer(Scope.ADMIN)).status_code == 422
    listed = client.get("/api/v1/admin/sources", headers=bearer(Scope.READ)).json()["items"]
    assert [(each["name"], each["trust"]) for each in listed] == [("hall.example", 9)]


def test_the_console_shows_a_page_with_its_reasons_and_its_evidence(page: Page, logged_in: LoggedIn) -> None:
    text = logged_in(Role.VIEWER).get(f"/admin/crawling/page/{page.pk}/change/").content.decode()
    assert "threshold" in text
    assert "location on the page" in text
    assert "Spring concert" in text
    assert "2027-03-14" in text


def test_an_unchecked_page_says_so(page: Page, logged_in: LoggedIn) -> None:
    other = stored_pages.store_page(page.domain, "/other", stored_pages.NOTHING)
    text = logged_in(Role.VIEWER).get(f"/admin/crawling/page/{other.pk}/change/").content.decode()
    assert "Not checked yet" in text


def test_page_content_is_escaped_in_the_console(page: Page, logged_in: LoggedIn) -> None:
    evil = "<img src=x onerror=alert(1)>"
    Observation.objects.filter(superseded_at=None).update(payload={"name": evil}, evidence={"name": evil})
    client = logged_in(Role.VIEWER)
    new = Observation.objects.filter(superseded_at=None).first()
    assert new is not None
    for address in (
        f"crawling/page/{page.pk}/change/",
        f"extraction/observation/{new.pk}/change/",
        "extraction/observation/",
    ):
        assert evil not in client.get(f"/admin/{address}").content.decode()


def test_the_lists_of_the_console_open(page: Page, logged_in: LoggedIn) -> None:
    client = logged_in(Role.VIEWER)
    for name in ("observation", "source", "pagecontact", "modelcall"):
        assert client.get(f"/admin/extraction/{name}/").status_code == 200, name
    assert (
        "version 1"
        in client.get(f"/admin/extraction/observation/{Observation.objects.get(version=2).pk}/change/").content.decode()
    )
    for query in ({"version": "all"}, {"version": "old"}, {"version": "not_seen"}, {"q": "Spring"}):
        assert client.get("/admin/extraction/observation/", query).status_code == 200


def test_only_an_admin_sets_trust_in_the_console(page: Page, logged_in: LoggedIn) -> None:
    source = Source.objects.get()
    address = f"/admin/extraction/source/{source.pk}/change/"
    logged_in(Role.REVIEWER).post(address, {"trust": "9"})
    assert Source.objects.get().trust == 5
    logged_in(Role.ADMIN).post(address, {"trust": "11"})
    assert Source.objects.get().trust == 5
    logged_in(Role.ADMIN).post(address, {"trust": "9"})
    assert Source.objects.get().trust == 9
    assert JournalEntry.objects.get(action="set_trust").after == {"trust": 9}


@pytest.mark.xdist_group("extract")
def test_the_command_line_extracts_lists_and_shows(run: Run) -> None:
    assert run("extract", "hall.example").returncode == 1
    told(run("submit", "hall.example", "--json"))
    assert "is not approved" in run("extract", "hall.example").stderr
    told(run("domain", "approve", "hall.example", "--json"))
    found = told(run("extract", "hall.example", "--again", "--json"))
    assert (found["domain"], found["pages"]) == ("hall.example", 0)
    assert "There are no new pages" in run("extract", "hall.example").stdout
    assert told(run("observation", "list", "--json")) == []
    assert "No matching observations." in run("observation", "list", "--kind", "event").stdout
    assert run("observation", "show", "nonsense").returncode == 1
    assert run("observation", "show", "01890000-0000-7000-8000-000000000000").returncode == 1
