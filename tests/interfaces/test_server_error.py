"""Responses while the database is unavailable: a problem or a page, with the time to try again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from gleanery.database.failures import LOST


@pytest.fixture
def visitor(django_db_blocker: Any, tmp_path: Path) -> Iterator[Client]:
    """Return a client with a session cookie and an unreachable database."""
    known = connection.settings_dict["HOST"]
    with django_db_blocker.unblock():
        connection.close()
        connection.settings_dict["HOST"] = str(tmp_path)
        client = Client(raise_request_exception=False)
        client.cookies["sessionid"] = "some session"
        yield client
        connection.close()
        connection.settings_dict["HOST"] = known


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/api/v1/me", {"Authorization": f"Bearer glean_{'a' * 8}_{'b' * 40}"}),
        ("GET", "/api/v1/admin/records", {}),
        ("POST", "/api/v1/admin/observations", {}),
    ],
)
def test_the_api_returns_a_problem(visitor: Client, method: str, path: str, headers: dict[str, str]) -> None:
    answer = visitor.generic(method, path, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json() == {
        "type": "urn:gleanery:database-problem",
        "title": "Service Unavailable",
        "status": 503,
        "detail": LOST,
    }


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/admin/"), ("GET", "/admin/no-such-page/"), ("POST", "/admin/login/"), ("GET", "/login/some-token")],
)
def test_a_plain_page_says_what_was_kept(visitor: Client, method: str, path: str) -> None:
    answer = visitor.generic(
        method, path, "username=admin&password=wrong", content_type="application/x-www-form-urlencoded"
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert LOST in answer.content.decode()
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_health_is_ok_and_readiness_is_not(visitor: Client) -> None:
    assert visitor.get("/healthz").status_code == 200
    assert visitor.get("/readyz").status_code == 503
