"""Answers to anybody: readable for scripts of other sites, compressed where nothing is secret, not sent twice."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import brotli
import pytest
from django.test import Client

from gleanery.roles import Role, Scope
from tests.resolution.shop import JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
LIST = "/api/v1/records"


@pytest.fixture
def record() -> str:
    told = JAZZ | {"description": "An evening with the trio. " * 40}
    return str(record_of(tell("town.example", "event", "1", **told)).pk)


def test_a_script_of_any_site_may_read_open_data(client: Client, record: str) -> None:
    origin = {"Origin": "https://somewhere.example"}
    for address in (LIST, f"{LIST}/{record}", f"{LIST}/{record}.jsonld", f"/records/{record}/calendar.ics"):
        answer = client.get(address, headers=origin)
        assert answer["Access-Control-Allow-Origin"] == "*", address
        assert "Access-Control-Allow-Credentials" not in answer
    missing = client.get(f"{LIST}/{'0' * 8}-0000-7000-8000-{'0' * 12}", headers=origin)
    assert (missing.status_code, missing["Access-Control-Allow-Origin"]) == (404, "*")


def test_a_preflight_allows_reading_and_no_keys(client: Client) -> None:
    asked = {"Origin": "https://somewhere.example", "Access-Control-Request-Method": "GET"}
    answer = client.options(LIST, headers=asked)
    assert answer.status_code == 204
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "authorization" not in answer["Access-Control-Allow-Headers"].lower()


@pytest.mark.parametrize("address", ["/api/v1/me", "/api/v1/admin/records", "/submit/", "/admin/", "/login/x"])
def test_other_sites_cannot_read_non_public_data(client: Client, address: str) -> None:
    for answer in (client.get(address), client.options(address)):
        assert "Access-Control-Allow-Origin" not in answer


def test_head_answers_as_get_without_the_body(client: Client, record: str) -> None:
    for address in (LIST, f"{LIST}/{record}"):
        whole, head = client.get(address), client.head(address)
        assert (head.status_code, head.content) == (200, b"")
        assert (head["ETag"], head["Content-Length"]) == (whole["ETag"], str(len(whole.content)))


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("*", "br"),
        ("identity", ""),
        ("br;q=x", ""),
    ],
)
def test_open_text_comes_compressed_as_asked(client: Client, record: str, accepted: str, encoding: str) -> None:
    address = f"{LIST}/{record}"
    plain = client.get(address)
    answer = client.get(address, headers={"Accept-Encoding": accepted})
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[encoding]
    assert answer.get("Content-Encoding", "") == encoding
    assert unpack(answer.content) == plain.content
    assert "Accept-Encoding" in answer["Vary"]


def test_unchanged_responses_are_not_sent_again(client: Client, record: str) -> None:
    address = f"{LIST}/{record}"
    for packed in ({}, {"Accept-Encoding": "br"}):
        first = client.get(address, headers=packed)
        for name, value in (("If-None-Match", first["ETag"]), ("If-Modified-Since", first["Last-Modified"])):
            again = client.get(address, headers={**packed, name: value})
            assert (again.status_code, again.content) == (304, b""), name
    tell("town.example", "event", "1", **(JAZZ | {"description": "Another evening."}))
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_answers_to_somebody_known_and_forms_are_not_compressed(
    client: Client, record: str, logged_in: Callable[[Role], Client], bearer: Callable[..., dict[str, str]]
) -> None:
    packed = {"Accept-Encoding": "br"}
    page = f"/records/{record}/"
    assert client.get(page, headers=packed)["Content-Encoding"] == "br"
    assert "Content-Encoding" not in logged_in(Role.VIEWER).get(page, headers=packed)
    assert "Content-Encoding" not in client.get(LIST, headers=packed | bearer(Scope.READ))
    form = client.get("/submit/", headers=packed)
    assert "csrfmiddlewaretoken" in form.content.decode()
