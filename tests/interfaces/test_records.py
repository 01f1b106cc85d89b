"""Records in API, console and command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gleanery.accounts import idempotency
from gleanery.accounts.models import JournalEntry, KeptAnswer
from gleanery.extraction.models import Observation, Source
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell
from tests.resolution.test_matching_flow import REX, REX_HOTEL

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
Call = Callable[..., Any]
OBSERVATIONS, RECORDS = "/api/v1/admin/observations", "/api/v1/admin/records"
QUEUE = "/api/v1/admin/review-queue"
HALL = {"id": "h", "kind": "place", "fields": {"name": "Hall", "locality": "Sofia"}}


@pytest.fixture
def call(client: Client, bearer: Bearer) -> Call:
    """Return a client with a key that may ingest and decide; scopes and headers can be changed."""
    keys: dict[tuple[Scope, ...], dict[str, str]] = {}

    def make(method: str, address: str, body: Any = None, *scopes: Scope, **headers: str) -> Any:
        wanted = scopes or (Scope.READ, Scope.INGEST, Scope.DECIDE)
        if wanted not in keys:
            keys[wanted] = bearer(*wanted)
        return client.generic(
            method,
            address,
            "" if body is None else json.dumps(body),
            content_type="application/json",
            headers={**keys[wanted], **headers},
        )

    return make


def bring(call: Call, *items: Any, key: str = "", **more: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return call("POST", OBSERVATIONS, {"source": "city", "observations": list(items), **more}, **headers)


def test_each_observation_gets_a_result_and_a_bad_one_does_not_affect_others(db: None, call: Call) -> None:
    event = {"id": 7, "kind": "event", "fields": BACKWARDS}
    bad = [{}, "text", {"id": "x", "kind": "dragon", "fields": {"name": "Y"}}, {"id": "y", "kind": "place"}]
    answer = bring(call, HALL, event, *bad).json()
    assert [each["outcome"] for each in answer["answers"]] == ["created", "in_review", *["refused"] * 4]
    assert answer["counts"] == {"created": 1, "in_review": 1, "refused": 4}
    assert answer["answers"][1]["warnings"][0]["code"] == "reversed_dates"
    assert all(each["reason"] for each in answer["answers"][2:])
    assert Record.objects.get(pk=answer["answers"][0]["record"]).name == "Hall"
    again = bring(call, HALL, event).json()
    assert [each["outcome"] for each in again["answers"]] == ["unchanged", "unchanged"]
    assert Source.objects.get().kind == "import"


def test_a_request_with_the_same_idempotency_key_is_processed_once(db: None, call: Call) -> None:
    first = bring(call, HALL, key="one")
    again = bring(call, HALL, key="one")
    assert first.json() == again.json()
    assert again.json()["counts"] == {"created": 1}
    other = bring(call, {**HALL, "id": "other"}, key="one")
    assert (other.status_code, "another request" in other.json()["detail"]) == (422, True)
    assert bring(call, HALL, key="two").json()["counts"] == {"unchanged": 1}
    assert bring(call, HALL, key="x" * 300).status_code == 422
    assert Observation.objects.count() == 1


def test_idempotency_keys_are_per_program_and_failures_can_be_retried(db: None, call: Call) -> None:
    refused = bring(call, HALL, key="one", trust=9)
    assert refused.status_code == 403
    assert not KeptAnswer.objects.exists()
    assert bring(call, HALL, key="one").status_code == 200
    body = {"source": "city", "observations": [HALL]}
    admin = call("POST", OBSERVATIONS, body, Scope.ADMIN, **{"Idempotency-Key": "one"})
    assert admin.json()["counts"] == {"unchanged": 1}


def test_stored_responses_are_deleted_after_a_day(db: None, call: Call) -> None:
    bring(call, HALL, key="old")
    bring(call, HALL, key="new")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kept_answer SET created_at = now() - interval '25 hours' WHERE key = 'old'")
    assert bring(call, HALL, {**HALL, "id": "2"}, key="old").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kept_answer SET created_at = now() - interval '25 hours' WHERE key = 'old'")
    assert idempotency.forget() == 1
    assert [each.key for each in KeptAnswer.objects.all()] == ["new"]


def test_at_most_a_thousand_observations_and_only_with_the_scope(db: None, call: Call) -> None:
    assert bring(call, *[HALL] * 1_001).status_code == 422
    assert bring(call).status_code == 422
    body = {"source": "city", "observations": [HALL]}
    assert call("POST", OBSERVATIONS, body, Scope.DECIDE).status_code == 403
    assert call("POST", OBSERVATIONS, {**body, "trust": 9}, Scope.ADMIN).status_code == 200
    assert Source.objects.get().trust == 9


def test_a_record_shows_sources_and_other_values(db: None, call: Call) -> None:
    record = record_of(tell("a", "event", "1", trust=7, **JAZZ))
    tell("b", "event", "2", **{**JAZZ, "description": "Less.", "cost": "5 EUR"})
    shown = call("GET", f"{RECORDS}/{record.pk}")
    facts = shown.json()
    by_name = {each["name"]: each for each in facts["values"]}
    assert (by_name["description"]["source"], by_name["description"]["trust"]) == ("a", 7)
    assert [(each["value"], each["source"]) for each in by_name["description"]["others"]] == [("Less.", "b")]
    assert by_name["cost"]["source"] == "b"
    assert [each["role"] for each in facts["names"]] == ["place"]
    assert len(facts["occurrences"]) == 1
    assert shown.headers["ETag"] == f'"{facts["record"]["version"]}"'
    (row,) = call("GET", f"{RECORDS}?kind=event").json()["items"]
    assert (row["name"], row["sources"]) == ("Jazz Night", 2)
    venue = call("GET", f"{RECORDS}/{facts['names'][0]['id']}").json()
    assert [each["name"] for each in venue["named_by"]] == ["Jazz Night"]


def test_an_edit_takes_precedence_over_sources_and_can_be_undone(db: None, call: Call) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    address = f"{RECORDS}/{record.pk}"
    edited = call("POST", f"{address}/edit", {"fields": {"name": "Jazz!", "cost": None}}, **{"If-Match": '"1"'}).json()
    assert edited["fields"]["name"] == "Jazz!"
    assert next(each for each in edited["values"] if each["name"] == "name")["by"] == "edit"
    tell("a", "event", "1", **{**JAZZ, "description": "New."})
    facts = call("GET", address).json()
    assert (facts["fields"]["name"], facts["fields"]["description"]) == ("Jazz!", "New.")
    assert call("POST", f"{address}/edit", {"fields": {"name": "X"}, "version": 1}).status_code == 409
    assert call("POST", f"{address}/edit", {"fields": {"nonsense": "X"}}).status_code == 422
    assert call("POST", f"{address}/edit", {"fields": {}}).status_code == 422
    back = call("POST", f"{address}/unedit", {"fields": ["name"]}).json()
    assert back["fields"]["name"] == "Jazz Night"
    assert [each["action"] for each in back["history"]][:2] == ["unedit", "edit"]


def test_records_are_merged_split_deleted_and_restored_through_the_api(db: None, call: Call) -> None:
    one = record_of(tell("a", "event", "1", **JAZZ))
    two = record_of(tell("b", "event", "2", **{**JAZZ, "name": "Jazz Evening"}))
    merged = call("POST", f"{RECORDS}/{two.pk}/merge", {"merge_into": str(one.pk), "fields": ["name"]}).json()
    assert (merged["record"]["id"], merged["fields"]["name"]) == (str(one.pk), "Jazz Evening")
    assert merged["merges"][0]["loser"] == str(two.pk)
    gone = call("GET", f"{RECORDS}/{two.pk}").json()
    assert gone["record"]["merged_into_id"] == gone["part_of"]["id"] == str(one.pk)
    assert call("POST", f"{RECORDS}/{one.pk}/merge", {"merge_into": str(two.pk)}).status_code == 409
    assert call("POST", f"{RECORDS}/{two.pk}/unmerge").json()["record"]["status"] == two.status
    assert call("POST", f"{RECORDS}/{two.pk}/delete", {"reason": ""}).status_code == 422
    assert call("POST", f"{RECORDS}/{two.pk}/delete", {"reason": "spam"}).json()["record"]["status"] == "deleted"
    assert [each["id"] for each in call("GET", f"{RECORDS}?kind=event").json()["items"]] == [str(one.pk)]
    assert call("POST", f"{RECORDS}/{two.pk}/restore").json()["record"]["status"] == two.status


def test_places_and_organisations_have_their_own_merge_routes(db: None, call: Call) -> None:
    event = record_of(tell("a", "event", "1", **JAZZ))
    primary = record_of(tell("b", "place", "p", name="The Rex Jazz Bar", locality="Sofia"))
    pair = {"duplicate": str(event.place_id), "primary": str(primary.pk)}
    assert call("POST", "/api/v1/admin/organizations/merge", pair).status_code == 422
    merged = call("POST", "/api/v1/admin/places/merge", pair).json()
    assert [each["id"] for each in merged["named_by"]] == [str(event.pk)]
    event.refresh_from_db()
    assert event.place_id == primary.pk


def test_the_api_decides_about_a_record_in_the_queue(db: None, call: Call) -> None:
    bring(call, {"id": "1", "kind": "event", "fields": BACKWARDS})
    (item,) = call("GET", f"{QUEUE}?kind=record").json()["items"]
    assert (item["display"], item["domain"], item["record_kind"], item["came"]) == (
        "Jazz Night",
        None,
        "event",
        "observed",
    )
    detail = call("GET", f"{QUEUE}/{item['id']}").json()
    assert detail["dossier"] is None
    assert {each["name"] for each in detail["record"]["values"]} >= {"name", "start"}
    done = call("POST", f"{QUEUE}/{item['id']}/approve", {"version": 1}).json()
    assert (done["item"]["status"], done["said"]) == ("approved", "Jazz Night is published.")
    assert call("POST", f"{QUEUE}/{item['id']}/undo").json()["item"]["status"] == "pending"
    rejected = call("POST", f"{QUEUE}/{item['id']}/reject", {"reason": "no"}).json()
    assert rejected["item"]["status"] == "rejected"
    assert Record.objects.get(pk=item["record"]).status == "deleted"


def test_lists_have_a_constant_number_of_queries(db: None, call: Call) -> None:
    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert call("GET", address).status_code == 200
        return len(seen)

    def more(count: int) -> None:
        for number in range(count):
            tell("a", "event", f"{count} {number}", **{**JAZZ, "name": f"Jazz {count} {number}", "description": ""})

    more(2)
    queries(RECORDS)  # the first makes the key and remembers
    few = [queries(address) for address in (RECORDS, QUEUE)]
    more(9)
    assert [queries(address) for address in (RECORDS, QUEUE)] == few


def test_the_console_shows_a_record_with_its_sources_and_history(db: None, logged_in: LoggedIn) -> None:
    record = record_of(tell("a", "event", "1", trust=7, **JAZZ))
    tell("b", "event", "2", **{**JAZZ, "description": "<b>Less</b>"})
    client = logged_in(Role.VIEWER)
    assert "Jazz Night" in client.get("/admin/resolution/record/").content.decode()
    for query in ({"status": "all"}, {"status": "deleted"}, {"kind": "event"}, {"q": "Jazz"}):
        assert client.get("/admin/resolution/record/", query).status_code == 200
    text = client.get(f"/admin/resolution/record/{record.pk}/change/").content.decode()
    assert "(trust 7)" in text
    assert "&lt;b&gt;Less&lt;/b&gt;" in text
    assert "The Rex" in text
    assert '<form method="post" action="/admin/resolution' not in text
    assert client.get("/admin/resolution/record/00000000-0000-7000-8000-000000000000/change/").status_code == 404


def act(client: Client, record: Record, action: str, **given: str) -> str:
    address = f"/admin/resolution/record/{record.pk}/act/"
    return client.post(address, {"action": action, **given}, follow=True).content.decode()


def test_the_console_edits_merges_and_deletes_for_reviewers(db: None, logged_in: LoggedIn) -> None:
    one = record_of(tell("a", "event", "1", **JAZZ))
    two = record_of(tell("b", "event", "2", **{**JAZZ, "name": "Jazz Evening"}))
    client = logged_in(Role.REVIEWER)
    fields = {"field-name": "Jazz!", "was-name": "Jazz Night", "field-cost": "", "was-cost": "", "version": "1"}
    assert "name changed" in act(client, one, "edit", **fields)
    assert "has changed since you opened it" in act(client, one, "edit", **{**fields, "field-name": "Other"})
    assert "No field was changed" in act(client, one, "edit", version="2")
    assert "Take back the edit of name" in client.get(f"/admin/resolution/record/{one.pk}/change/").content.decode()
    assert "was undone" in act(client, one, "unedit", field="name")
    assert "was merged into" in act(client, two, "merge", merge_into=str(one.pk))
    assert "is a separate record again" in act(client, two, "unmerge")
    assert "needs a reason" in act(client, two, "delete")
    assert "was deleted" in act(client, two, "delete", reason="spam")
    assert "was restored" in act(client, two, "restore")
    assert "This action does not exist" in act(client, two, "explode")
    assert "Enter its id" in act(client, two, "merge", merge_into="nonsense")
    viewer, before = logged_in(Role.VIEWER), JournalEntry.objects.count()
    assert "the role reviewer" in act(viewer, one, "delete", reason="spam")
    assert JournalEntry.objects.count() == before


def test_the_console_decides_about_a_record_in_the_queue(db: None, logged_in: LoggedIn) -> None:
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    item = Item.objects.get(record=record)
    client = logged_in(Role.REVIEWER)
    assert "Jazz Night" in client.get("/admin/review/item/", {"kind": "record"}).content.decode()
    text = client.get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert "It ends before it begins" in text
    assert "Approve and publish" in text
    assert "Fields and their sources" in text
    client.post(f"/admin/review/item/{item.pk}/act/", {"action": "approve", "version": "1"})
    record.refresh_from_db()
    assert record.status == "published"
    client.post(f"/admin/review/item/{item.pk}/act/", {"action": "undo", "version": "2"})
    client.post(f"/admin/review/item/{item.pk}/act/", {"action": "reject", "reason": "no"})
    record.refresh_from_db()
    assert record.status == "deleted"


def doubted(call: Call) -> tuple[str, Any]:
    """Return a record and the review item of its possible duplicate."""
    first = {"id": "1", "kind": "place", "fields": REX}
    second = {"id": "2", "kind": "place", "fields": REX_HOTEL}
    (there,) = bring(call, first).json()["answers"]
    assert bring(call, second).json()["counts"] == {"in_review": 1}
    (item,) = call("GET", f"{QUEUE}?kind=record").json()["items"]
    return there["record"], item


def test_the_api_merges_only_into_a_candidate(db: None, call: Call) -> None:
    there, item = doubted(call)
    address = f"{QUEUE}/{item['id']}/merge"
    stranger = "00000000-0000-7000-8000-000000000000"
    assert call("POST", address, {"merge_into": stranger}).status_code == 422
    assert call("POST", address, {"merge_into": there}, Scope.READ).status_code == 403
    assert call("POST", address, {"merge_into": there}).json()["item"]["status"] == "merged"
    assert Record.objects.get(status="merged").merged_into_id == UUID(there)
    assert call("POST", f"{QUEUE}/{item['id']}/undo").json()["item"]["status"] == "pending"


def test_the_console_merges_into_a_candidate(db: None, call: Call, logged_in: LoggedIn) -> None:
    there, item = doubted(call)
    address = f"/admin/review/item/{item['id']}"
    assert "Merge into it" in logged_in(Role.REVIEWER).get(f"{address}/change/").content.decode()
    assert "Merge into it" not in logged_in(Role.VIEWER).get(f"{address}/change/").content.decode()
    logged_in(Role.REVIEWER).post(f"{address}/act/", {"action": "merge", "merge_into": there, "version": "1"})
    assert Record.objects.get(status="merged").merged_into_id == UUID(there)


@pytest.mark.xdist_group("import")
def test_the_command_line_merges_into_a_candidate(run: Run, tmp_path: Path) -> None:
    for number, fields in enumerate((REX, REX_HOTEL)):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(json.dumps({"id": number, **fields}))
        told(run("import", str(file), "--source", f"rex {number}", "--kind", "place", "--json"))
    waiting = told(run("review", "list", "--kind", "record", "--json"))
    item = next(each for each in waiting if each["name"] == REX_HOTEL["name"])
    there = next(each for each in told(run("record", "list", "--json")) if each["name"] == REX["name"])
    assert run("review", "merge", item["id"], "nonsense").returncode == 1
    assert REX["name"] in run("review", "merge", item["id"], there["id"]).stdout
    assert told(run("record", "show", item["record"], "--json"))["record"]["status"] == "merged"


@pytest.mark.xdist_group("import")
def test_the_command_line_imports_shows_and_corrects(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "places.csv"
    file.write_text("Site name;Zip;locality;Seats\nHall;1000;Sofia;20\n;;Varna;\nMill;9000;Varna;9\n")
    options = ("--source", "city", "--kind", "place", "--map", "Site name=name,Zip=postal_code")
    before = told(run("record", "list", "--json"))
    dry = told(run("import", str(file), *options, "--dry-run", "--json"))
    assert (dry["created"], dry["refused"], dry["unknown_columns"]) == (2, 1, ["Seats"])
    assert told(run("record", "list", "--json")) == before
    assert "Nothing was stored" in run("import", str(file), *options, "--dry-run").stdout
    done = told(run("import", str(file), *options, "--trust", "7", "--json"))
    assert done["refusals"] == [{"line": 3, "reason": "It has no name."}]
    assert told(run("import", str(file), *options, "--json"))["unchanged"] == 2
    listed = {each["name"]: each for each in told(run("record", "list", "--json"))}
    mill, hall = listed["Mill"], listed["Hall"]
    assert (mill["sources"], hall["sources"]) == (1, 1)
    told(run("record", "edit", hall["id"], "phone=5", "description=", "--json"))
    shown = told(run("record", "show", hall["id"], "--json"))
    assert (shown["record"]["fields"]["phone"], shown["observations"][0]["trust"]) == ("5", 7)
    assert "edited by cli:" in run("record", "show", hall["id"]).stdout
    assert "was merged into Mill" in run("record", "merge", hall["id"], mill["id"]).stdout
    merged = run("record", "show", hall["id"]).stdout
    assert f"({mill['id']}), which has its sources now." in merged
    assert "city (7)" in merged
    assert "is a separate record again" in run("record", "unmerge", hall["id"]).stdout
    assert "was deleted" in run("record", "delete", hall["id"], "--reason", "closed").stdout
    assert {"Mill", "Hall"} & {each["name"] for each in told(run("record", "list", "--json"))} == {"Mill"}
    assert "was restored" in run("record", "restore", hall["id"]).stdout
    assert run("record", "show", "nonsense").returncode == 1
    assert run("record", "edit", hall["id"], "nonsense").returncode == 1
    wrong = tmp_path / "wrong.xlsx"
    wrong.write_text("x")
    assert run("import", str(wrong), *options).returncode == 1


@pytest.mark.xdist_group("import")
def test_the_command_line_decides_about_records(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(json.dumps({"id": 1, **BACKWARDS, "start": "2027-03-12T19:00:00", "end": "2027-03-12T18:00:00"}))
    assert told(run("import", str(file), "--source", "x", "--kind", "event", "--json"))["in_review"] == 1
    (item,) = told(run("review", "list", "--kind", "record", "--json"))
    assert (item["name"], item["warnings"]) == ("Jazz Night", ["reversed_dates"])
    assert "It ends before it begins." in run("review", "show", item["id"]).stdout
    (times,) = [
        line for line in run("record", "show", item["record"]).stdout.splitlines() if line.startswith("Times: ")
    ]
    assert "2027-03-12 19:00" in times
    assert "UTC" not in times, "nobody knows in which zone"
    assert "is published" in run("review", "approve", item["record"]).stdout
    assert "is waiting for review again" in run("review", "undo", item["id"]).stdout
    assert "rejected and deleted" in run("review", "reject", item["id"], "--reason", "no").stdout


@pytest.mark.django_db(transaction=True)
def test_two_equal_requests_at_once_are_processed_once_with_the_same_response(bearer: Bearer) -> None:
    headers = {**bearer(Scope.INGEST), "Idempotency-Key": "at once"}
    body = {"source": "city", "observations": [HALL]}

    def send(_: int) -> Any:
        try:
            return Client().post(OBSERVATIONS, body, "application/json", headers=headers).json()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert [each["counts"] for each in answers] == [{"created": 1}] * 4
    assert len({each["answers"][0]["record"] for each in answers}) == 1
    assert Observation.objects.count() == 1
