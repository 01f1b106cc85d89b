"""The change feed: what each decision and each source makes of it, and how a reader follows it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.publishing.changes import listing
from gleanery.publishing.changes.models import CHANGES, RecordChange
from gleanery.publishing.showing.reading import STAFF_ONLY
from gleanery.resolution import services as resolution
from gleanery.resolution.decisions import publish
from gleanery.resolution.models import Record
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
FEED = "/api/v1/changes"


def read(client: Client, address: str = FEED, status: int = 200, **query: Any) -> Any:
    answer = client.get(address, query)
    assert answer.status_code == status, answer.content
    return answer.json()


class Reader:
    """Follows the feed from now on."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.cursor = read(client, f"{FEED}/snapshot")["changes_cursor"]

    def news(self, record: Record, **query: Any) -> list[dict[str, Any]]:
        page = read(self.client, cursor=self.cursor, **query)
        self.cursor = page["next_cursor"]
        return [each for each in page["items"] if each["record"] == str(record.pk)]

    def changes(self, record: Record) -> list[tuple[str, list[str]]]:
        return [(each["change"], each["fields"]) for each in self.news(record)]


@pytest.fixture
def reader(client: Client) -> Reader:
    return Reader(client)


def jazz(number: int = 1, **more: Any) -> Record:
    return record_of(tell("a", "event", str(number), **(JAZZ | more)))


def test_each_thing_that_becomes_public_is_one_change(reader: Reader) -> None:
    record = jazz()
    assert record.place is not None
    assert reader.changes(record) == [("created", [])]
    reader = Reader(reader.client)
    assert reader.changes(record) == []
    assert read(reader.client)["items"][0]["record"] == str(record.place.pk), "the place is first: the event names it"


def test_an_update_names_its_public_fields_once(reader: Reader) -> None:
    record = jazz()
    reader.news(record)
    jazz(description="Another evening.", start="2027-03-12T20:00:00+02:00")
    assert reader.changes(record) == [("updated", ["description", "occurrences", "start"])]


def test_what_the_public_does_not_see_is_no_change(reader: Reader) -> None:
    record = jazz(phone="+359 88 123 4567")
    reader.news(record)
    jazz(phone="+359 88 765 4321", email="ivana@home.example")
    tell("a", "event", "1", **(JAZZ | {"phone": "+359 88 765 4321", "email": "ivana@home.example"}))
    Record.objects.filter(pk=record.pk).update(version=F("version") + 1, notes=["no_description"])
    assert reader.changes(record) == []
    waiting = record_of(tell("a", "event", "2", **(BACKWARDS | {"name": "Backwards"})))
    assert reader.changes(waiting) == []


def test_the_fields_that_only_staff_see_are_those_that_the_triggers_pass_over() -> None:
    with connection.cursor() as cursor:
        hidden = "{" + ",".join(f'"{name}": 1' for name in STAFF_ONLY) + "}"
        cursor.execute("SELECT public_differences('{}', %s::jsonb)", [hidden])
        assert cursor.fetchone() == ([],)


def test_merging_and_splitting_are_told_with_the_survivor(reader: Reader, admin: Actor) -> None:
    one, other = jazz(1, name="A"), jazz(2, name="B")
    reader.news(one)
    resolution.merge(admin, one, other)
    (merged,) = reader.news(one)
    assert (merged["change"], merged["into"]) == ("merged", str(other.pk))
    resolution.unmerge(admin, Record.objects.get(pk=one.pk))
    assert reader.changes(one) == [("split", [])]


def test_what_leaves_the_site_is_told_by_how_it_left(reader: Reader, admin: Actor) -> None:
    one, other = jazz(1, name="A"), jazz(2, name="B")
    reader.news(one)
    resolution.delete(admin, one, "asked for")
    assert reader.changes(one) == [("deleted", [])]
    resolution.restore(admin, Record.objects.get(pk=one.pk))
    assert reader.changes(one) == [("created", [])]
    publish.withdraw(admin, other)
    assert reader.changes(other) == [("unpublished", [])]
    publish.publish(admin, Record.objects.get(pk=other.pk))
    assert reader.changes(other)[0] == ("created", [])


def test_a_page_can_be_read_again_and_pages_follow_one_another(client: Client) -> None:
    for number in range(3):
        jazz(number, name=f"Evening {number}", venue_name=f"Hall {number}")
    first = read(client, limit=2)
    assert read(client, limit=2)["items"] == first["items"]
    rest = read(client, limit=1_000, cursor=first["next_cursor"])
    numbers = [each["number"] for each in first["items"] + rest["items"]]
    assert numbers == list(range(1, len(numbers) + 1)), "without gaps"
    assert (first["has_more"], rest["has_more"]) == (True, False)
    end = read(client, cursor=rest["next_cursor"])
    assert (end["items"], end["next_cursor"]) == ([], rest["next_cursor"])


def test_the_record_itself_comes_along_if_asked_for(reader: Reader, admin: Actor) -> None:
    record = jazz(phone="+359 88 123 4567")
    (change,) = reader.news(record, with_data="true")
    assert change["data"]["fields"]["venue_name"] == "The Rex"
    assert "phone" not in change["data"]["fields"]
    resolution.delete(admin, record, "asked for")
    (change,) = reader.news(record, with_data="true")
    assert change["data"] is None


def test_a_snapshot_has_all_and_the_changes_go_on_from_its_first_page(client: Client, admin: Actor) -> None:
    records = [jazz(number, name=f"Evening {number}", venue_name="The Rex") for number in range(3)]
    page = first = read(client, f"{FEED}/snapshot", limit=1)
    resolution.delete(admin, records[2], "between two pages")
    found = {each["id"] for each in page["items"]}
    while page["next_cursor"]:
        page = read(client, f"{FEED}/snapshot", limit=1, cursor=page["next_cursor"])
        found |= {each["id"] for each in page["items"]}
        assert page["changes_cursor"] == first["changes_cursor"]
    for each in read(client, cursor=first["changes_cursor"])["items"]:
        found.discard(each["record"]) if each["change"] == "deleted" else found.add(each["record"])
    assert found == {str(each) for each in Record.objects.filter(status="published").values_list("pk", flat=True)}


def test_old_changes_are_forgotten_but_for_the_state_of_what_is_public(client: Client, admin: Actor) -> None:
    kept, gone = jazz(1, name="A"), jazz(2, name="B")
    old = read(client, limit=1)["next_cursor"]
    resolution.delete(admin, gone, "asked for")
    end = read(client)["next_cursor"]
    RecordChange.objects.update(listed_at=F("listed_at") - listing.KEPT - timedelta(days=1))
    listing.forget()
    assert set(RecordChange.objects.filter(record=kept.pk).values_list("change", flat=True)) == {"created"}
    problem = read(client, status=410, cursor=old)
    assert "snapshot" in problem["detail"]
    assert read(client, cursor=end)["items"] == []
    jazz(1, name="A", description="news")
    assert [each["change"] for each in read(client, cursor=end)["items"]] == ["updated"]


@pytest.mark.parametrize("cursor", ["x", "NDcxMQ", "....", "é", "9" * 90, "MS4xLjE"])
def test_a_cursor_that_is_not_ours_is_refused(client: Client, cursor: str) -> None:
    assert "begin again" in read(client, status=422, cursor=cursor)["detail"]


def test_a_cursor_of_before_a_restore_is_refused(client: Client) -> None:
    cursor = read(client, f"{FEED}/snapshot")["changes_cursor"]
    jazz()
    ahead = read(client)["next_cursor"]
    RecordChange.objects.all().delete()
    assert read(client, status=410, cursor=ahead)["status"] == 410
    assert read(client, cursor=cursor)["items"] == []


def test_every_change_of_the_triggers_is_declared() -> None:
    jazz()
    listing.list_changes()
    assert set(RecordChange.objects.values_list("change", flat=True)) <= set(CHANGES)
