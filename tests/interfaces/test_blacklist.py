"""Effects of blacklisting on records, shown before and after in API, console and command."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told
from tests.resolution.shop import JAZZ
from tests.resolution.test_blacklisting import say, site
from tests.review.shop import proposed

DOMAINS = "/api/v1/admin/domains"
SAID = "Of its records 2 are withdrawn."


@pytest.fixture
def domain(db: None) -> Domain:
    """Return a domain that is the only source of an event and its venue."""
    source = site()
    say(source, "event", "1", **JAZZ)
    return registry.find(source.name)


def test_the_api_shows_effects_before_and_after(domain: Domain, client: Client, bearer: Any) -> None:
    address, headers = f"{DOMAINS}/{domain.pk}", bearer(Scope.ADMIN)
    foreseen = client.get(f"{address}/blacklist", headers=headers).json()
    assert foreseen == {"records_withdrawn": 2, "records_reduced": 0, "said": SAID}
    assert Record.objects.filter(status="published").count() == 2

    def post(action: str, body: dict[str, Any]) -> Any:
        return client.post(f"{DOMAINS}/{action}", body, content_type="application/json", headers=headers).json()

    done = post(f"{domain.pk}/blacklist", {"reason": "Lies."})
    nothing = {"records_withdrawn": 0, "records_reduced": 0, "records_brought_back": 0, "records_completed": 0}
    assert done["effect"] == nothing | {"records_withdrawn": 2}
    assert client.get("/api/v1/admin/records", headers=headers).json()["items"] == []
    assert len(client.get("/api/v1/admin/records?status=withdrawn", headers=headers).json()["items"]) == 2
    assert post(f"{domain.pk}/lift", {"reason": "Mended."})["effect"] == nothing | {"records_brought_back": 2}
    (many,) = post("bulk", {"action": "blacklist", "domains": [domain.name], "reason": "Lies."})["done"]
    assert many["effect"] == nothing | {"records_withdrawn": 2}


def test_a_withdrawn_record_names_the_blacklisted_source(domain: Domain, client: Client, bearer: Any) -> None:
    headers = bearer(Scope.ADMIN)
    body = {"reason": "Lies."}
    client.post(f"{DOMAINS}/{domain.pk}/blacklist", body, content_type="application/json", headers=headers)
    record = Record.objects.get(kind="event")
    facts = client.get(f"/api/v1/admin/records/{record.pk}", headers=headers).json()
    assert (facts["record"]["status"], [each["silent"] for each in facts["observations"]]) == ("withdrawn", [True])
    assert facts["fields"]["name"] == JAZZ["name"]


def test_the_console_shows_effects_before_and_after(domain: Domain, logged_in: Any) -> None:
    browser = logged_in(Role.ADMIN)
    chosen = {"action": "blacklist", "_selected_action": str(domain.pk)}
    assert f"<li>{domain.name}: {SAID}</li>" in browser.post("/admin/domains/domain/", chosen).content.decode()
    done = browser.post("/admin/domains/domain/", {**chosen, "reason": "Lies."}, follow=True).content.decode()
    assert f"{domain.name} is blacklisted. {SAID}" in done
    lift = {"action": "lift", "_selected_action": str(domain.pk), "reason": "Mended."}
    done = browser.post("/admin/domains/domain/", lift, follow=True).content.decode()
    assert f"{domain.name} is off the blacklist and starts over as discovered. Of its records 2 are restored." in done
    record = Record.objects.get(kind="event")
    browser.post("/admin/domains/domain/", {**chosen, "reason": "Lies."})
    page = browser.get(f"/admin/resolution/record/{record.pk}/change/").content.decode()
    assert "withdrawn" in page
    assert 'value="delete"' not in page


@pytest.mark.django_db
def test_rejecting_and_blacklisting_a_source_withdraws_its_records(logged_in: Any) -> None:
    domain = proposed()
    say(site(domain.name), "event", "1", **JAZZ)
    item = Item.objects.get(domain=domain)
    body = {"action": "reject", "reason": "Lies.", "blacklist": "on"}
    page = logged_in(Role.REVIEWER).post(f"/admin/review/item/{item.pk}/act/", body, follow=True).content.decode()
    assert f"{domain.name} was rejected and blacklisted. {SAID}" in page


def test_the_command_shows_effects_before_and_after(run: Run) -> None:
    run("domain", "blacklist", "spam.example", "--reason", "Lies.")
    (dry,) = told(run("domain", "blacklist", "spam.example", "--dry-run", "--json"))
    assert dry == {
        "name": "spam.example",
        "records_withdrawn": 0,
        "records_reduced": 0,
        "said": "It has no records.",
    }
    assert "would be blacklisted. It has no records." in run("domain", "blacklist", "spam.example", "--dry-run").stdout
    (lifted,) = told(run("domain", "lift", "spam.example", "--reason", "Mended.", "--json"))["done"]
    assert set(lifted["effect"].values()) == {0}
    assert run("domain", "show", "spam.example").stdout.count("discovered")
    refused = run("domain", "blacklist", "spam.example")
    assert (refused.returncode, "--reason" in refused.stderr) == (2, True)
