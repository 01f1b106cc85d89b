"""Health, readiness, metrics and security headers."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from gleanery import __version__
from gleanery.roles import Role, Scope


def test_health_does_not_use_the_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
def test_readiness_requires_all_migrations(client: Client) -> None:
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_a_missing_migration_is_not_ready_and_says_what_to_do(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'accounts' AND name LIKE '0003%'")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "gleanery up" in answer.json()["reason"]


@pytest.mark.django_db
def test_metrics_are_for_local_programs_and_keys_that_may_read(
    client: Client, bearer: Callable[..., dict[str, str]]
) -> None:
    local = client.get("/metrics")
    assert f'gleanery_info{{version="{__version__}"}} 1.0' in local.content.decode()
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 401
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}, REMOTE_ADDR="192.0.2.7").status_code == 401
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7", headers=bearer(Scope.INGEST)).status_code == 403
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7", headers=bearer(Scope.READ)).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("forwarded", [{}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "192.0.2.7"}])
def test_metrics_behind_a_proxy_require_a_key(
    client: Client, bearer: Callable[..., dict[str, str]], settings: Any, forwarded: dict[str, str]
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://gleanery.example.org")
    assert client.get("/metrics", headers=forwarded).status_code == 401
    assert client.get("/metrics", headers=forwarded | bearer(Scope.READ)).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/admin/", "/admin/login/", "/api/v1/me", "/no-such-page"])
def test_every_response_has_security_headers(logged_in: Callable[[Role], Client], path: str) -> None:
    headers = logged_in(Role.ADMIN).get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert "unsafe-inline" not in policy["script-src"]
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_unsafe_eval_is_allowed_only_in_the_console(client: Client) -> None:
    assert "unsafe-eval" not in client.get("/healthz").headers["Content-Security-Policy"]


def test_with_a_public_url_cookies_are_secure_and_links_public() -> None:
    """Read the settings in a separate process, because they are read on import."""
    code = (
        "from gleanery import settings as s; from gleanery.interfaces.cli.runtime import base_of;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, 'gleanery.example.org' in s.ALLOWED_HOSTS,"
        " '127.0.0.1' in s.ALLOWED_HOSTS, base_of(s.ENVIRONMENT))"
    )
    environment = os.environ | {"GLEANERY_PUBLIC_URL": "https://gleanery.example.org"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "True", "True", "True", "https://gleanery.example.org"]
