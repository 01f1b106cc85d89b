"""The public API: the filters of the search, documents with their sources, what becomes of records that left."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
API = "/api/v1/records"
ORGANISER = {"organizer_name": "Jazz Club Sofia", "country": "BG"}


def jazz(number: int = 1, **more: Any) -> Record:
    return record_of(tell("town.example", "event", str(number), **(JAZZ | ORGANISER | more)))


def read(client: Client, address: str = API, status: int = 200, **query: Any) -> Any:
    answer = client.get(address, query)
    assert answer.status_code == status, answer.content
    return answer.json()


def names(client: Client, **query: Any) -> list[str]:
    return [each["name"] for each in read(client, **query)["items"]]


def test_the_list_takes_the_filters_of_the_search(client: Client) -> None:
    jazz()
    jazz(2, name="Tango lesson", locality="Varna", start="2027-04-01T19:00:00+03:00", is_accessible_for_free=True)
    assert names(client, q="night", kind="event") == ["Jazz Night"]
    assert names(client, kind="event", place="Варна") == ["Tango lesson"]
    assert names(client, kind="event", **{"from": "2027-03-20", "to": "2027-04-30"}) == ["Tango lesson"]
    assert names(client, kind="event", free="true") == ["Tango lesson"]
    assert names(client, kind="event", free="false", sort="soon") == ["Jazz Night", "Tango lesson"]


@pytest.mark.parametrize(
    "query", [{"colour": "red"}, {"kind": "car"}, {"from": "soon"}, {"when": "today", "from": "2027-01-01"}]
)
def test_what_the_list_cannot_read_is_refused_and_not_ignored(client: Client, query: dict[str, str]) -> None:
    assert read(client, status=422, **query)["status"] == 422


def test_an_unknown_parameter_is_answered_with_the_known_ones(client: Client) -> None:
    detail = read(client, status=422, colour="red")["detail"]
    assert "colour" in detail
    assert all(name in detail for name in ("cursor", "from", "kind", "limit", "place", "to"))


def test_pages_follow_one_another_until_the_last(client: Client) -> None:
    for number, name in enumerate(("Amber", "Birch", "Cobalt", "Dune", "Ember")):
        jazz(number, name=name, venue_name=f"Hall {name}")
    query: dict[str, Any] = {"kind": "event", "sort": "name", "limit": 2}
    found: list[str] = []
    for _ in range(3):
        page = read(client, **query)
        found += [each["name"] for each in page["items"]]
        query["cursor"] = page["next_cursor"]
    assert found == ["Amber", "Birch", "Cobalt", "Dune", "Ember"]
    assert page["next_cursor"] is None


def test_a_cursor_of_another_search_is_refused(client: Client) -> None:
    for number, name in enumerate(("Amber", "Birch")):
        jazz(number, name=name, venue_name=f"Hall {name}")
    cursor = read(client, kind="event", limit=1)["next_cursor"]
    for query in ({"kind": "place", "cursor": cursor}, {"kind": "event", "cursor": "x" + cursor}, {"cursor": "1"}):
        assert "begin again" in read(client, status=422, **query)["detail"]


def test_facets_are_counted_if_asked_for(client: Client) -> None:
    jazz()
    assert read(client, kind="event")["facets"] is None
    facets = read(client, kind="event", facets="true")["facets"]
    assert facets["total"] == 1
    assert {"value": "place", "count": 1} in facets["kinds"]
    assert facets["places"] == [{"value": "Sofia", "count": 1}]


def test_a_record_says_where_each_field_comes_from(client: Client, admin: Actor) -> None:
    record = jazz(url="https://town.example/jazz")
    resolution.edit(admin, record, {"cost": "12 lv"})
    shown = read(client, f"{API}/{record.pk}")
    assert shown["fields"]["cost"] == "12 lv"
    assert shown["provenance"]["cost"] == {"source": None, "link": None, "last_seen": None}
    origin = shown["provenance"]["name"]
    assert (origin["source"], origin["link"]) == ("town.example", "https://town.example/jazz")
    assert origin["last_seen"] == shown["sources"][0]["last_seen"]
    assert shown["occurrences"] == [{"start": "2027-03-12T17:00:00Z", "end": None}]
    assert shown["place"]["name"] == "The Rex"
    assert read(client, shown["place"]["link"])["kind"] == "place"


def test_its_links_lead_to_the_same_record_in_other_forms(client: Client) -> None:
    links = read(client, f"{API}/{jazz().pk}")["links"]
    types = {name: client.get(address)["Content-Type"].partition(";")[0] for name, address in links.items()}
    assert types == {
        "self": "application/json",
        "html": "text/html",
        "jsonld": "application/ld+json",
        "ics": "text/calendar",
    }
    assert read(client, links["jsonld"])["@type"] == "Event"


def test_a_merged_record_leads_to_its_survivor(client: Client, admin: Actor) -> None:
    one, other = jazz(1, name="A"), jazz(2, name="B")
    resolution.merge(admin, one, other)
    for ending in ("", ".jsonld"):
        answer = client.get(f"{API}/{one.pk}{ending}")
        assert answer.status_code == 308
        assert answer["Location"].endswith(f"{API}/{other.pk}{ending}")


def test_a_deleted_record_is_gone_and_one_that_waits_was_never_there(client: Client, admin: Actor) -> None:
    gone = jazz()
    resolution.delete(admin, gone, "asked for")
    waiting = record_of(tell("a", "event", "9", **(BACKWARDS | {"name": "Backwards"})))
    for record, status in ((gone.pk, 410), (waiting.pk, 404), (uuid4(), 404)):
        problem = read(client, f"{API}/{record}", status=status)
        assert problem["status"] == status
        assert "Jazz" not in str(problem)


def test_a_contact_is_in_no_answer(client: Client) -> None:
    planted = {"phone": "+359 88 123 4567", "email": "ivana@home.example"}
    event = jazz(**planted)
    assert event.place is not None
    place = event.place
    for address in (
        API,
        f"{API}?facets=true",
        *(f"{API}/{each.pk}{end}" for each in (event, place) for end in ("", ".jsonld")),
    ):
        text = client.get(address).content.decode()
        assert "4567" not in text, address
        assert "ivana" not in text, address
        assert "phone" not in text, address
