"""Texts longer than their column are refused with the name of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts import services
from gleanery.accounts.actor import Actor
from gleanery.accounts.models import ApiKey, User
from gleanery.errors import Invalid
from gleanery.resolution.importing.import_file import source_name
from gleanery.roles import Role, Scope

LONG = "x" * 100_000
HALL = {"id": "1", "kind": "place", "fields": {"name": "Hall", "locality": "Ruse"}}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("submissions", {"given": LONG}, 422),
        ("submissions", {"given": "foodbank.org", "context": LONG}, 201),
        ("admin/sessions", {"topic": LONG}, 404),
        ("admin/judge", {"url": LONG, "title": LONG, "description": LONG, "topic": LONG}, 404),
        ("admin/observations", {"source": LONG, "observations": [HALL]}, 422),
        ("admin/domains/bulk", {"action": "approve", "domains": [LONG]}, 200),
    ],
)
def test_no_route_fails_on_long_text(
    client: Client, bearer: Callable[..., dict[str, str]], path: str, body: dict[str, Any], status: int
) -> None:
    answer = client.post(f"/api/v1/{path}", body, content_type="application/json", headers=bearer(Scope.ADMIN))
    assert answer.status_code < 500
    assert "no field takes" not in answer.content.decode(), "the database had to refuse it"
    assert answer.status_code in {status, 422}


@pytest.mark.parametrize("change", [{"id": LONG}, {"kind": LONG}, {"fields": {"name": LONG, "locality": LONG}}])
def test_a_long_observation_is_refused_without_affecting_others(
    client: Client, bearer: Callable[..., dict[str, str]], change: dict[str, Any]
) -> None:
    body = {"source": "city", "observations": [{**HALL, **change}, {**HALL, "id": "2"}]}
    answer = client.post(
        "/api/v1/admin/observations", body, content_type="application/json", headers=bearer(Scope.INGEST)
    )
    assert answer.status_code == 200
    long, other = answer.json()["answers"]
    assert other["outcome"] in {"created", "in_review"}
    if "fields" not in change:
        assert long["outcome"] == "refused"
        assert long["reason"]
    if "id" in change:
        assert "The id has 100,000 characters; at most 500 are allowed." in long["reason"]


@pytest.mark.parametrize(("page", "field"), [("accounts/user", "username"), ("accounts/apikey", "name")])
def test_console_forms_name_the_field_that_is_too_long(
    logged_in: Callable[[Role], Client], page: str, field: str
) -> None:
    answer = logged_in(Role.ADMIN).post(f"/admin/{page}/add/", {field: LONG})
    assert answer.status_code == 200
    assert "at most" in answer.content.decode()
    assert not User.objects.filter(username__startswith="xxx").exists()
    assert not ApiKey.objects.exists()


def test_long_names_are_refused_not_cut(admin: Actor) -> None:
    for make in (
        lambda: services.create_key(admin, "x" * 101, [Scope.READ]),
        lambda: services.create_user(admin, "x" * 151, Role.VIEWER),
        lambda: source_name("x" * 254),
    ):
        with pytest.raises(Invalid, match="at most"):
            make()
    assert source_name("x" * 253) == "x" * 253
