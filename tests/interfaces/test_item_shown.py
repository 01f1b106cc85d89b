"""Current contents of review items: names in warnings, values of sources, candidates."""

from __future__ import annotations

import json as text_of_json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.review.queue.item_list import queue
from gleanery.review.queue.warning_text import name_now
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told
from tests.resolution.shop import record_of, tell
from tests.resolution.test_matching_flow import HALL, REX, REX_HOTEL, TYPO

pytestmark = pytest.mark.django_db

QUEUE = "/api/v1/admin/review-queue"


def in_doubt() -> tuple[Record, Record]:
    """Return a record and its possible duplicate."""
    one, other = tell("a", "place", "1", **REX), tell("b", "place", "2", **REX_HOTEL)
    return record_of(one), record_of(other)


def shown(client: Client, bearer: Any, which: object, scope: Scope = Scope.READ) -> Any:
    answer = client.get(f"{QUEUE}/{which}", headers=bearer(scope))
    assert answer.status_code == 200
    return answer.json()


def test_a_warning_shows_the_current_name_of_the_other_record(
    admin: Actor, client: Client, bearer: Any, logged_in: Any
) -> None:
    one, other = in_doubt()
    services.edit(admin, one, {"name": "The Queen Street Rex"})
    item = Item.objects.get(record=other)
    said = "It may be the same as “The Queen Street Rex”"
    told = shown(client, bearer, item.pk)["item"]["warnings"][0]
    listed = {each["id"]: each for each in client.get(QUEUE, headers=bearer(Scope.READ)).json()["items"]}
    assert listed[str(item.pk)]["warnings"] == [told]
    assert told["sentence"].startswith(said)
    assert told["detail"]["candidate_name"] == "The Queen Street Rex"
    assert 0 < told["detail"]["similarity_score"] < 0.5 < told["detail"]["probability"]
    browser = logged_in(Role.REVIEWER)
    for page in ("/admin/review/item/", f"/admin/review/item/{item.pk}/change/"):
        text = browser.get(page).content.decode()
        assert "The Queen Street Rex" in text
        assert REX["name"] not in text


def test_the_command_shows_the_current_name_and_finds_the_item_after_an_undone_merge(run: Run, tmp_path: Path) -> None:
    for who, said in (("a", REX), ("b", REX_HOTEL)):
        file = tmp_path / f"{who}.jsonl"
        file.write_text(text_of_json.dumps({"id": who, **said}))
        run("import", str(file), "--source", who, "--kind", "place")
    (item,) = told(run("review", "list", "--json"))
    (warning,) = told(run("review", "show", item["id"], "--json"))["warnings"]
    run("record", "edit", warning["detail"]["duplicate_of"], "name=The Queen Street Rex")
    for options in ((), ("--json",)):
        shown = run("review", "show", item["id"], *options).stdout
        assert "It may be the same as “The Queen Street Rex”" in " ".join(shown.split())
    run("review", "merge", item["id"], warning["detail"]["duplicate_of"])
    run("record", "unmerge", item["record"])
    (again,) = told(run("review", "list", "--json"))
    assert again["id"] != item["id"]
    assert told(run("review", "show", item["record"], "--json"))["item"]["id"] == again["id"]


def test_similarity_of_names_is_by_trigrams(client: Client, bearer: Any) -> None:
    _, other = in_doubt()
    (warning,) = shown(client, bearer, other.pk)["item"]["warnings"]
    assert warning["detail"]["similarity_score"] == 0.46, "of “The Rex Jazz Bar” and “Rex Hotel Jazz & Blues Bar”"


def test_names_are_read_in_one_query_per_page(admin: Actor, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(3):
        where = {"locality": f"Town {number}"}
        tell("a", "place", f"a{number}", **{**REX, **where})
        tell("b", "place", f"b{number}", **{**REX_HOTEL, **where})
    items = list(queue())
    assert len(items) > 3
    with django_assert_num_queries(1):
        name_now(items)


def test_records_decided_as_different_are_shown_by_name(admin: Actor, client: Client, bearer: Any) -> None:
    one = record_of(tell("a", "place", "1", **HALL))
    tell("b", "place", "2", **TYPO)
    services.unmerge(admin, Record.objects.get(status="merged"))
    answer = tell("c", "place", "3", **{**HALL, "name": "Kobalt Theattre"})
    services.edit(admin, one, {"name": "Blue house"})
    told = {each["code"]: each for each in shown(client, bearer, answer.record)["item"]["warnings"]}
    assert "Blue house" in told["conflicting_matches"]["detail"]["names"]
    assert "“Blue house”" in told["conflicting_matches"]["sentence"]


def test_an_item_shows_its_values_and_all_candidates(client: Client, bearer: Any) -> None:
    one, other = in_doubt()
    item = Item.objects.get(record=other)
    facts = shown(client, bearer, item.pk)
    (said,) = facts["record"]["observations"]
    assert said["original"] == REX_HOTEL
    assert said["payload"]["name"] == REX_HOTEL["name"]
    (candidate,) = facts["candidates"]
    assert candidate["record"]["id"] == str(one.pk)
    assert candidate["fields"]["name"] == REX["name"]
    assert candidate["observations"][0]["payload"]["name"] == REX["name"]
    assert shown(client, bearer, other.pk)["item"]["id"] == str(item.pk), "by the id of the record too"


@pytest.mark.parametrize("scope", [Scope.DECIDE, Scope.PROPOSE])
def test_keys_that_may_decide_or_propose_may_read_the_subject(client: Client, bearer: Any, scope: Scope) -> None:
    one, other = in_doubt()
    assert client.get(QUEUE, headers=bearer(scope)).status_code == 200
    assert shown(client, bearer, other.pk, scope)["candidates"]
    for address in (f"records/{one.pk}", f"records/{one.pk}/why/{other.pk}"):
        assert client.get(f"/api/v1/admin/{address}", headers=bearer(scope)).status_code == 200
    assert client.get("/api/v1/admin/journal", headers=bearer(scope)).status_code == 403


def test_an_item_can_be_decided_by_record_id(client: Client, bearer: Any) -> None:
    one, other = in_doubt()
    body = {"merge_into": str(one.pk)}
    answer = client.post(
        f"{QUEUE}/{other.pk}/merge", body, content_type="application/json", headers=bearer(Scope.DECIDE)
    )
    assert answer.json()["item"]["status"] == "merged"
