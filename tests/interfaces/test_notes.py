"""Notes, and review settings of sources, in all interfaces."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from gleanery.resolution.models import Record
from gleanery.roles import Role
from tests.interfaces.conftest import Run, told
from tests.resolution.shop import JAZZ, record_of, source, tell

BARE = {**JAZZ, "description": ""}
LoggedIn = Callable[[Role], Client]


@pytest.mark.xdist_group("import")
def test_the_command_shows_notes_and_sets_reviewed_notes_of_a_source(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(json.dumps({"id": 1, **BARE, "name": "Noted"}))
    report = run("import", str(file), "--source", "noting", "--kind", "event")
    assert "1 with the note: no description" in report.stdout
    (listed,) = [each for each in told(run("source", "list", "--json")) if each["name"] == "noting"]
    assert listed["notes"] == {"missing_description": 1}
    assert "asks about no description" in run("source", "set", "noting", "--ask", "missing_description").stdout
    file.write_text(json.dumps({"id": 2, **BARE, "name": "Asked"}))
    assert told(run("import", str(file), "--source", "noting", "--kind", "event", "--json"))["in_review"] == 1
    assert "asks about nothing" in run("source", "set", "noting", "--ask-nothing").stdout
    names = {
        each["name"]: each["status"] for each in told(run("record", "list", "--note", "missing_description", "--json"))
    }
    assert names == {"Noted": "published", "Asked": "published"}
    for wrong in (
        ["nobody", "--trust", "3"],
        ["noting", "--ask", "nonsense"],
        ["noting", "--ask", "probation", "--ask-nothing"],
    ):
        assert run("source", "set", *wrong).returncode == 1
    assert run("source", "set", "noting").returncode == 2


@pytest.mark.django_db
def test_the_api_shows_notes_and_sets_reviewed_notes_of_a_source(logged_in: LoggedIn) -> None:
    client = logged_in(Role.ADMIN)
    record = record_of(tell("a", "event", "1", **BARE))
    assert client.get(f"/api/v1/admin/records/{record.pk}").json()["record"]["notes"] == ["missing_description"]
    assert [each["name"] for each in client.get("/api/v1/admin/records?note=missing_description").json()["items"]] == [
        "Jazz Night"
    ]
    assert client.get("/api/v1/admin/records?note=missing_venue").json()["items"] == []
    assert client.get("/api/v1/admin/notes").json() == [
        {"source_id": str(source("a").pk), "source": "a", "note": "missing_description", "records": 1}
    ]
    address = f"/api/v1/admin/sources/{source('a').pk}/asks"
    answer = client.post(address, {"asks": ["probation"]}, content_type="application/json")
    assert answer.json()["asks"] == ["probation"]
    assert client.post(address, {"asks": ["nonsense"]}, content_type="application/json").status_code == 422
    reviewer = logged_in(Role.REVIEWER)
    assert reviewer.post(address, {"asks": []}, content_type="application/json").status_code == 403


@pytest.mark.django_db
def test_the_console_shows_notes_with_filters_and_sets_reviewed_notes_of_a_source(logged_in: LoggedIn) -> None:
    client = logged_in(Role.ADMIN)
    record = record_of(tell("a", "event", "1", **BARE))
    assert "no description." in client.get(f"/admin/resolution/record/{record.pk}/change/").content.decode()
    assert "Jazz Night" in client.get("/admin/resolution/record/?note=missing_description").content.decode()
    assert "Jazz Night" not in client.get("/admin/resolution/record/?note=missing_venue").content.decode()
    page = f"/admin/extraction/source/{source('a').pk}/change/"
    assert 'value="probation"' in client.get(page).content.decode()
    client.post(page, {"trust": 5, "asks": ["probation", "missing_venue"]})
    assert source("a").asks == ["missing_venue", "probation"]
    assert Record.objects.get(kind="event").status == "published"
