"""Requests with undeclared parameters or invalid bodies are refused before anything is done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.interfaces.api.root import OPERATIONS
from gleanery.roles import Scope
from tests.interfaces.test_permissions import address_of

Bearer = Callable[..., dict[str, str]]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("method", "route"), list(OPERATIONS))
def test_unknown_parameters_are_refused_by_every_route(client: Client, bearer: Bearer, method: str, route: str) -> None:
    address = f"/api/v1{address_of(route)}?no-such-thing=1"
    answer = client.generic(method, address, "{}", content_type="application/json", headers=bearer(Scope.ADMIN))
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:gleanery:invalid")
    assert "no-such-thing" in answer.json()["detail"]


def test_a_refusal_lists_the_accepted_parameters(client: Client, bearer: Bearer) -> None:
    answer = client.get("/api/v1/admin/domains?containing=x&status=y", headers=bearer(Scope.READ))
    assert answer.json()["detail"] == (
        "Unknown query parameters: containing, status. This address accepts approval_status, cursor, limit, "
        "min_confidence, min_high_count, name, processing_status, registrable."
    )


def test_parameters_are_known_by_their_public_names(client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    assert client.get("/api/v1/admin/crawls?domain=example.org", headers=headers).status_code == 200
    assert client.get("/api/v1/admin/crawls?domain__name=example.org", headers=headers).status_code == 422


def test_unauthenticated_callers_are_only_asked_to_log_in(client: Client) -> None:
    assert client.get("/api/v1/admin/domains?containing=x").status_code == 401


def test_too_many_parameters_are_a_problem_and_not_a_crash(client: Client, bearer: Bearer) -> None:
    query = "&".join(f"p{number}=1" for number in range(1_500))
    answer = client.get(f"/api/v1/admin/domains?{query}", headers=bearer(Scope.READ))
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.parametrize("body", ["[]", '[{"reason": "x"}]', '"approve"', "7", "true", " [1]", "[" * 100_000])
@pytest.mark.parametrize("action", ["approve", "suspend", "resume", "configure", "trust"])
def test_a_body_that_is_not_an_object_changes_nothing(client: Client, bearer: Bearer, body: str, action: str) -> None:
    domain = registry.register("example.org")
    before = Domain.objects.values().get()
    answer = client.post(_address(domain, action), body, "application/json", headers=bearer(Scope.ADMIN))
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:gleanery:invalid")
    assert Domain.objects.values().get() == before


@pytest.mark.parametrize(("action", "status"), [("approve", 200), ("configure", 422)])
def test_null_is_accepted_if_no_body_is_needed(client: Client, bearer: Bearer, action: str, status: int) -> None:
    domain = registry.register("example.org")
    answer = client.post(_address(domain, action), "null", "application/json", headers=bearer(Scope.ADMIN))
    assert answer.status_code == status


def test_an_empty_form_counts_as_no_body(client: Client, bearer: Bearer) -> None:
    domain = registry.register("example.org")
    assert client.post(_address(domain, "trust"), headers=bearer(Scope.ADMIN)).status_code == 200


def _address(domain: Domain, action: str) -> str:
    return f"/api/v1/admin/domains/{domain.pk}/{action}"
