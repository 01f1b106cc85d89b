"""API basics: the caller, the journal with pagination, problems with stable types, the schema."""

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from gleanery import errors
from gleanery.accounts import journal, services
from gleanery.accounts.actor import Actor
from gleanery.cursor import _read
from gleanery.errors import GleaneryError, Invalid
from gleanery.interfaces.api.problems import type_of
from gleanery.roles import Role, Scope

Bearer = Callable[..., dict[str, str]]


@pytest.mark.django_db
def test_me_shows_a_person_their_permissions(logged_in: Callable[[Role], Client]) -> None:
    assert logged_in(Role.REVIEWER).get("/api/v1/me").json() == {
        "username": "some-reviewer",
        "role": "reviewer",
        "scopes": ["ingest", "read", "review:decide", "review:propose"],
        "key": None,
    }


@pytest.mark.django_db
def test_me_shows_a_key_its_permissions(client: Client, bearer: Bearer) -> None:
    answer = client.get("/api/v1/me", headers=bearer(Scope.PROPOSE)).json()
    assert answer == {"username": "some-admin", "role": None, "scopes": ["review:propose"], "key": "a test"}


@pytest.mark.django_db
def test_pages_of_the_journal_are_not_shifted_by_new_entries(client: Client, bearer: Bearer, admin: Actor) -> None:
    headers = bearer(Scope.READ)
    for number in range(7):
        journal.write(admin, "look", admin.user, reason=str(number))
    seen, cursor = [], None
    while True:
        query = {"action": "look", "limit": "3"} | ({"cursor": cursor} if cursor else {})
        page = client.get("/api/v1/admin/journal", query, headers=headers).json()
        seen += [entry["reason"] for entry in page["items"]]
        journal.write(admin, "look", admin.user, reason="later")
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sorted(seen) == list("0123456")


@pytest.mark.django_db
def test_a_journal_entry_is_complete(client: Client, bearer: Bearer, admin: Actor) -> None:
    key, _ = services.create_key(admin, "import", [Scope.INGEST])
    query = {"subject_id": str(key.pk)}
    (entry,) = client.get("/api/v1/admin/journal", query, headers=bearer(Scope.READ)).json()["items"]
    assert entry["actor"] == "some-admin"
    assert entry["action"] == "create"
    assert entry["subject_kind"] == "API key"
    assert entry["after"] == {"owner": "some-admin", "scopes": ["ingest"]}


@pytest.mark.django_db
@pytest.mark.parametrize("query", [{"cursor": "???"}, {"cursor": "Zm9v"}, {"limit": "0"}, {"limit": "many"}])
def test_an_invalid_query_is_a_problem(client: Client, bearer: Bearer, query: dict[str, str]) -> None:
    answer = client.get("/api/v1/admin/journal", query, headers=bearer(Scope.READ))
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:gleanery:invalid"


@given(st.text())
def test_any_cursor_is_read_or_refused(cursor: str) -> None:
    with suppress(Invalid):
        _read(cursor)


@pytest.mark.django_db
def test_missing_fields_are_named_as_in_the_request(client: Client, bearer: Bearer) -> None:
    answer = client.post("/api/v1/admin/places/merge", {}, "application/json", headers=bearer(*Scope))
    assert [each["at"] for each in answer.json()["errors"]] == ["body.duplicate", "body.primary"]


@pytest.mark.django_db
def test_an_unknown_api_address_is_a_problem(client: Client) -> None:
    answer = client.get("/api/v1/no-such-thing")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_an_unexpected_error_reveals_no_internals(
    client: Client, bearer: Bearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("secret detail")

    headers = bearer(Scope.READ)
    monkeypatch.setattr("gleanery.accounts.api.newest_first", fail)
    answer = client.get("/api/v1/admin/journal", headers=headers)
    assert answer.status_code == 500
    assert "secret detail" not in answer.content.decode()


def test_the_schema_is_openapi_3_1_and_names_the_bearer_scheme(client: Client) -> None:
    schema = json.loads(client.get("/api/v1/openapi.json").content)
    assert schema["openapi"].startswith("3.1")
    assert [scheme["scheme"] for scheme in schema["components"]["securitySchemes"].values()] == ["bearer"]


def test_every_error_has_its_own_problem_type() -> None:
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, GleaneryError)]
    assert len({type_of(kind) for kind in kinds}) == len(kinds)
    assert type_of(errors.NotAllowed) == "urn:gleanery:not-allowed"
    assert all(kind.__doc__ for kind in kinds)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["journal?action=%00", "domains?name=%00", "results?provider=%00", "candidates?topic=%00"]
)
def test_a_nul_in_a_query_is_a_problem_and_not_a_crash(client: Client, bearer: Bearer, path: str) -> None:
    answer = client.get(f"/api/v1/admin/{path}", headers=bearer(Scope.READ))
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:gleanery:invalid")


@pytest.mark.django_db
@pytest.mark.parametrize("topic", ["\x00", "\ud800"])
def test_hostile_text_in_a_body_is_a_problem_and_not_a_crash(client: Client, bearer: Bearer, topic: str) -> None:
    body = json.dumps({"topic": topic, "url": "https://example.org/"})
    answer = client.post("/api/v1/admin/judge", body, "application/json", headers=bearer(Scope.READ))
    assert answer.status_code == 422


@pytest.mark.django_db
def test_a_body_that_is_too_large_or_a_wrong_method_is_a_problem(client: Client, bearer: Bearer) -> None:
    large = client.post("/api/v1/admin/judge", "x" * 3_000_000, "application/json", headers=bearer(Scope.READ))
    assert large.status_code == 413
    wrong = client.delete("/api/v1/admin/domains", headers=bearer(Scope.READ))
    assert (wrong.status_code, wrong.headers["Content-Type"]) == (405, "application/problem+json")
