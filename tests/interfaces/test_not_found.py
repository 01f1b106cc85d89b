"""Unknown addresses, and files that browsers request automatically."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from gleanery.roles import Role

LoggedIn = Callable[[Role], Client]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/no-such-page", "/submit/x/y", "/static/no-such.css", "/login/", "/%3Cscript%3E"])
def test_a_missing_page_has_links_to_others(client: Client, path: str) -> None:
    answer = client.get(path)
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "There is no such page." in page
    assert 'href="/submit/"' in page
    assert 'href="/"' in page
    assert "script>" not in page


def test_the_console_and_the_api_have_their_own_responses(client: Client, logged_in: LoggedIn) -> None:
    page = logged_in(Role.VIEWER).get("/admin/resolution/record/no-such/change/").content.decode()
    assert "There is no such" in page
    assert "Review queue" in page
    assert client.get("/api/v1/nowhere").json()["type"] == "urn:gleanery:not-found"


def test_the_default_icon_address_works(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, "/static/console/icon.svg")
    icon = client.get(answer["Location"])
    assert icon.headers["Content-Type"] == "image/svg+xml"
    icon.close()
