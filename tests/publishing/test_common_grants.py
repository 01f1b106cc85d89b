"""CommonGrants: opportunities as the models of its own SDK read them, listed, searched and exported."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from gleanery.accounts.actor import Actor
from gleanery.resolution import services as resolution
from tests.publishing.test_exports import written
from tests.publishing.things import EMAIL, FULL, PHONE, fill
from tests.resolution.shop import record_of, tell

pytestmark = pytest.mark.django_db
PATH = "/common-grants/opportunities"


@pytest.fixture(scope="module")
def models() -> Any:
    return pytest.importorskip("common_grants_sdk.schemas.pydantic")


def day(ahead: int) -> str:
    return f"{timezone.now().date() + timedelta(days=ahead)}"


def add(name: str, **fields: Any) -> Any:
    return record_of(tell("a", "funding", name, name=name, funder_name="The Fund", **fields))


def search(client: Client, body: Any) -> Any:
    answer = client.post(f"{PATH}/search", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def titles(found: Any) -> list[str]:
    return [each["title"] for each in found["items"]]


def test_a_list_and_an_opportunity_are_as_the_models_want_them(client: Client, models: Any) -> None:
    record = fill()["funding"]
    tell("a", "funding", "lean", name="Lean fund", year=2027, funder_name="The Fund")
    listed = models.OpportunitiesListResponse.model_validate_json(client.get(PATH).content)
    assert {each.title for each in listed.items} == {record.name, "Lean fund"}
    alone = models.OpportunityResponse.model_validate_json(client.get(f"{PATH}/{record.pk}").content)
    assert alone.data.funding.max_award_amount.amount == "5000"
    assert f"{alone.data.key_dates.close_date.date}" == "2027-02-01"
    assert alone.data.funders.primary.name == "Jazz Foundation"
    assert alone.data.custom_fields["eligibility"].value == FULL["funding"]["eligibility"]


def test_no_contact_is_in_it(client: Client) -> None:
    fill()
    text = client.get(PATH).content.decode()
    assert PHONE not in text
    assert EMAIL not in text


def test_the_exported_document_holds_the_same(client: Client, models: Any) -> None:
    fill()
    (item,) = json.loads(written("commongrants")[0])["items"]
    assert models.OpportunityBase.model_validate(item).title == FULL["funding"]["name"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"deadline": day(3)}, "open"),
        ({"deadline": day(-3)}, "closed"),
        ({"start": day(5), "year": 2030}, "forecasted"),
    ],
)
def test_the_status_follows_from_the_days(client: Client, fields: dict[str, Any], status: str) -> None:
    record = add("Fund", **fields)
    assert json.loads(client.get(f"{PATH}/{record.pk}").content)["data"]["status"]["value"] == status
    body = {"filters": {"status": {"operator": "in", "value": [status]}}}
    assert titles(search(client, body)) == ["Fund"]
    body["filters"]["status"]["operator"] = "notIn"
    assert titles(search(client, body)) == []


def test_a_search_is_narrowed_sorted_and_paged(client: Client, models: Any) -> None:
    for name, ahead in (("Arts fund", 30), ("School fund", 10), ("Sports fund", 20)):
        add(name, deadline=day(ahead))
    by_deadline = {"sorting": {"sortBy": "keyDates.closeDate", "sortOrder": "asc"}}
    found = search(client, by_deadline)
    models.OpportunitiesSearchResponse.model_validate(found)
    assert titles(found) == ["School fund", "Sports fund", "Arts fund"]
    assert titles(search(client, {"search": "sports"})) == ["Sports fund"]
    between = {"closeDateRange": {"operator": "between", "value": {"min": day(15), "max": day(25)}}}
    assert titles(search(client, {"filters": between})) == ["Sports fund"]
    second = search(client, by_deadline | {"pagination": {"page": 2, "pageSize": 2}})
    assert titles(second) == ["Arts fund"]
    assert second["paginationInfo"] == {"page": 2, "pageSize": 2, "totalItems": 3, "totalPages": 2}


def test_what_a_search_cannot_do_is_named_and_the_rest_done(client: Client) -> None:
    add("Arts fund", deadline=day(30))
    found = search(client, {"filters": {"agency": {"operator": "in", "value": ["x"]}}, "sorting": {"sortBy": "luck"}})
    assert titles(found) == ["Arts fund"]
    assert found["filterInfo"]["errors"] == ["The filter agency was not followed."]
    assert found["sortInfo"]["errors"] == ["Sorting by luck is not possible here."]


@pytest.mark.parametrize(
    "body",
    ["no json", "[]", '{"pagination": 3}', '{"pagination": {"page": 0}}', "[" * 70_000, '{"a": "' + "x" * 70_000],
)
def test_a_body_that_is_none_is_refused(client: Client, body: str) -> None:
    assert client.post(f"{PATH}/search", body, content_type="application/json").status_code == 400


def test_what_became_of_an_opportunity_is_said(client: Client, admin: Actor) -> None:
    record = add("Arts fund", deadline=day(30))
    resolution.delete(admin, record, "asked for")
    assert client.get(f"{PATH}/{record.pk}").status_code == 410
    assert client.get(f"{PATH}/00000000-0000-7000-8000-000000000000").status_code == 404
