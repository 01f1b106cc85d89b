"""Downloads: files for everybody, written once, not sent again while unchanged."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.test import Client

from gleanery.publishing.exports.downloads import DOWNLOADS, FRESH_SECONDS
from tests.publishing.things import fill
from tests.resolution.shop import tell

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings) -> Path:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, data_dir=tmp_path)
    return tmp_path / "downloads"


def body(client: Client, name: str, **headers: str) -> bytes:
    answer = client.get(f"/data/{name}", headers=headers)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def names(data: bytes) -> set[str]:
    return {json.loads(line)["name"] for line in data.splitlines()}


def grow_old(folder: Path) -> None:
    for each in folder.iterdir():
        os.utime(each, (each.stat().st_mtime - FRESH_SECONDS - 1,) * 2)


def test_every_file_that_is_offered_can_be_downloaded(client: Client) -> None:
    fill()
    for name, download in DOWNLOADS.items():
        answer = client.get(f"/data/{name}")
        assert answer.status_code == 200, name
        assert answer["Content-Type"] == download.format.media_type
        assert name in answer["Content-Disposition"]
        assert b"".join(answer.streaming_content)


def test_a_download_says_who_says_so(client: Client) -> None:
    fill()
    event = json.loads(body(client, "event.jsonl").splitlines()[0])
    assert event["sources"][0]["name"] == "town.example"


def test_what_is_not_offered_is_not_there(client: Client) -> None:
    for name in ("event.xml", "planet.csv", "funding.ics", "..%2Fsecret_key", "all.jsonl.etag"):
        assert client.get(f"/data/{name}").status_code == 404


def test_a_file_is_not_sent_again_while_unchanged(client: Client, folder: Path) -> None:
    fill()
    first = client.get("/data/event.jsonl")
    assert b"".join(first.streaming_content)
    assert client.get("/data/event.jsonl", headers={"If-None-Match": first["ETag"]}).status_code == 304
    grow_old(folder)
    assert client.get("/data/event.jsonl", headers={"If-None-Match": first["ETag"]}).status_code == 304
    tell("a", "event", "new", name="Chess evening", start="2027-08-01", venue_name="Chess Club")
    grow_old(folder)
    again = client.get("/data/event.jsonl", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert again["ETag"] != first["ETag"]
    assert "Chess evening" in names(b"".join(again.streaming_content))


def test_visitors_do_not_cause_more_work_than_a_file_every_few_minutes(client: Client) -> None:
    fill()
    first = body(client, "event.jsonl")
    tell("a", "event", "new", name="Chess evening", start="2027-08-01", venue_name="Chess Club")
    assert body(client, "event.jsonl") == first


@pytest.mark.django_db(transaction=True)
def test_whoever_asks_while_the_file_is_written_is_asked_to_come_again(client: Client) -> None:
    lock = "SELECT {}(hashtextextended('download event.jsonl', 0))"
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as other:
        other.execute(lock.format("pg_advisory_lock"))
        answer = client.get("/data/event.jsonl")
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        other.execute(lock.format("pg_advisory_unlock"))
    assert body(client, "event.jsonl") == b""
