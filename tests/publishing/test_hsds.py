"""HSDS: services, organisations and locations as its schemas want them, in pages and as tables; no contacts."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.publishing.hsds.hours import schedules
from gleanery.publishing.hsds.tables import REQUIRED, TABLES
from gleanery.resolution import services as resolution
from tests.publishing.test_exports import written
from tests.publishing.things import EMAIL, PHONE, fill
from tests.resolution.shop import record_of, tell

pytestmark = pytest.mark.django_db
# The published schemas are not ours to give on: the test is done where they are.
SCHEMAS = Path(__file__).parents[3] / "shared" / "data" / "hsds"
NEEDS_SCHEMAS = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="the schemas of HSDS are not here")


def get(client: Client, path: str) -> Any:
    answer = client.get(f"/hsds/v3/{path}")
    assert answer.status_code == 200, answer.content
    assert answer["Access-Control-Allow-Origin"] == "*"
    return json.loads(answer.content)


def problems(schema: str, value: Any, definition: str = "") -> list[str]:
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    read = json.loads((SCHEMAS / f"schema-compiled-{schema}.json").read_text())
    if definition:
        read = read["definitions"][definition] | {"definitions": read["definitions"]}
    return [each.message for each in jsonschema_rs.validator_for(read, validate_formats=True).iter_errors(value)]


def fill_lean() -> None:
    fill()
    tell("a", "service", "lean", name="Legal advice", locality="Ruse", opening_hours="By appointment")


def test_the_profile_names_the_version(client: Client) -> None:
    assert get(client, "")["version"] == "3.0"


def test_a_service_stands_with_its_organisation_hours_languages_and_location(client: Client) -> None:
    record = fill()["service"]
    service = get(client, f"services/{record.pk}")
    assert (service["name"], service["status"]) == (record.name, "active")
    assert service["organization"]["name"] == "Jazz Foundation"
    assert service["schedules"][0]["byday"] == "MO,TU,WE,TH,FR"
    assert service["languages"][0] | {"id": ""} == {"id": "", "code": "bg", "name": "Bulgarian"}
    (at,) = service["service_at_locations"]
    assert at["location"]["addresses"][0]["city"] == "Sofia"
    assert PHONE not in json.dumps(service)
    assert EMAIL not in json.dumps(service)


@NEEDS_SCHEMAS
@pytest.mark.parametrize(
    ("path", "schema", "definition"),
    [
        ("services", "service_list", ""),
        ("services?full=true", "service_with_definitions", ""),
        ("organizations", "organization_list", ""),
        ("organizations?full=true", "service_with_definitions", "organization"),
    ],
)
def test_lists_are_as_the_published_schemas_say(client: Client, path: str, schema: str, definition: str) -> None:
    fill_lean()
    page = get(client, path)
    assert page["contents"]
    for each in page["contents"]:
        assert problems(schema, each, definition) == []


@NEEDS_SCHEMAS
def test_each_entity_alone_is_as_the_published_schemas_say(client: Client) -> None:
    fill_lean()
    for each in get(client, "services")["contents"]:
        assert problems("service_with_definitions", get(client, f"services/{each['id']}")) == []
    for each in get(client, "organizations")["contents"]:
        whole = get(client, f"organizations/{each['id']}")
        assert problems("service_with_definitions", whole, "organization") == []
    for each in get(client, "service_at_locations")["contents"]:
        assert problems("service_with_definitions", each, "service_at_location") == []


def test_pages_say_where_they_stand(client: Client) -> None:
    for number in range(5):
        tell("a", "organization", f"{number}", name=f"House {'ABCDE'[number]}", locality="Sofia")
    page = get(client, "organizations?page=3&per_page=2")
    contents = page.pop("contents")
    assert page == {
        "total_items": 5,
        "total_pages": 3,
        "page_number": 3,
        "size": 1,
        "first_page": False,
        "last_page": True,
        "empty": False,
    }
    assert len(contents) == 1
    beyond = get(client, "organizations?page=4&per_page=2")
    assert (beyond["empty"], beyond["contents"]) == (True, [])
    assert get(client, "taxonomies")["total_items"] == 0


def test_a_list_is_narrowed_by_words_organisation_and_change(client: Client) -> None:
    made = fill()
    tell("a", "service", "lean", name="Legal advice", locality="Ruse")
    owner = made["service"].organization
    assert owner is not None
    assert [each["name"] for each in get(client, "services?search=legal")["contents"]] == ["Legal advice"]
    narrowed = get(client, f"services?organization_id={owner.pk}")["contents"]
    assert [each["id"] for each in narrowed] == [str(made["service"].pk)]
    assert get(client, "services?modified_after=2100-01-01T00:00:00Z")["contents"] == []
    assert get(client, "services?minimal=true")["contents"][0].keys() == {"id", "modified_date"}
    assert [each["id"] for each in get(client, f"organizations/{owner.pk}")["services"]] == [str(made["service"].pk)]


@pytest.mark.parametrize("query", ["page=0", "page=x", "per_page=-1", "modified_after=soon", "organization_id=7"])
def test_what_cannot_be_read_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"/hsds/v3/services?{query}")
    assert answer.status_code == 400
    assert query.partition("=")[0] in json.loads(answer.content)["message"]


def test_what_became_of_an_entity_is_said(client: Client, admin: Actor) -> None:
    one, other = (record_of(tell("a", "organization", n, name=n, locality="Sofia")) for n in ("Amber", "Basalt"))
    resolution.merge(admin, one, other)
    answer = client.get(f"/hsds/v3/organizations/{one.pk}")
    assert (answer.status_code, answer["Location"]) == (308, f"/hsds/v3/organizations/{other.pk}")
    resolution.delete(admin, other, "asked for")
    assert client.get(f"/hsds/v3/organizations/{other.pk}").status_code == 410
    assert client.get(f"/hsds/v3/services/{other.pk}").status_code == 404


def tables() -> dict[str, list[dict[str, str]]]:
    data, _ = written("hsds")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        described = json.loads(package.read("datapackage.json"))
        return {
            each["path"]: list(csv.DictReader(io.StringIO(package.read(each["path"]).decode())))
            for each in described["resources"]
        }


def test_the_tables_hang_together_and_hold_what_is_required() -> None:
    fill_lean()
    found = tables()
    known = {table.name: {row["id"] for row in found[table.path]} for table in TABLES}
    for table in TABLES:
        assert found[table.path], table.name
        for row in found[table.path]:
            assert all(row[name] for name in REQUIRED.get(table.name, ("id",)))
            for name, value in row.items():
                if name.endswith("_id") and value:
                    assert value in known[name.removesuffix("_id")], (table.name, name)


@NEEDS_SCHEMAS
def test_the_tables_have_the_columns_of_the_specification() -> None:
    published = {each["name"]: each for each in json.loads((SCHEMAS / "datapackage.json").read_text())["resources"]}
    for table in TABLES:
        theirs = published[table.name]
        assert table.path == theirs["path"]
        fields = {each["name"]: each for each in theirs["schema"]["fields"]}
        assert set(table.columns) <= set(fields)
        required = {name for name, each in fields.items() if each.get("constraints", {}).get("required")}
        assert required <= set(table.columns)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mo-Fr 10:00-18:00; Sa 10:00-14:00", ["MO,TU,WE,TH,FR", "SA"]),
        ("Fr-Mo 9:00 – 10:00", ["FR,SA,SU,MO"]),
        ("Tuesday, Thursday: 09:30-12:00", ["TU,TH"]),
    ],
)
def test_hours_of_the_usual_form_are_weekly_rules(text: str, days: list[str]) -> None:
    assert [each["byday"] for each in schedules(text)] == days


@pytest.mark.parametrize("text", ["By appointment", "Mo-Fr 10:00-18:00\nclosed in August", "всеки ден от 10 ч."])
def test_other_hours_stay_a_text(text: str) -> None:
    assert schedules(text) == [{"description": text}]
