"""RPDE as a harvester reads it: from the first page along `next` to the end, and again later."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.publishing.changes import rpde
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.resolution.shop import JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
FEED = "/feeds/rpde/event"


class Harvester:
    """Keeps what it read by id, as the specification wants it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.next = FEED
        self.known: dict[str, dict[str, Any]] = {}

    def harvest(self) -> int:
        pages = 0
        while True:
            page = self.client.get(self.next).json()
            numbers = [item["modified"] for item in page["items"]]
            assert numbers == sorted(set(numbers))
            for item in page["items"]:
                assert ("data" in item) == (item["state"] == "updated")
                assert self.known.get(item["id"], item)["modified"] <= item["modified"]
                self.known[item["id"]] = item
            is_last = not page["items"]
            assert not is_last or pages == 0 or page["next"].endswith(self.next.partition("?")[2])
            self.next = page["next"]
            if is_last:
                return pages
            pages += 1

    def present(self) -> dict[str, str]:
        return {key: item["data"]["name"] for key, item in self.known.items() if item["state"] == "updated"}


def jazz(number: int, **more: Any) -> Record:
    return record_of(tell("a", "event", str(number), **(JAZZ | {"name": f"Evening {number}"} | more)))


def test_a_harvester_has_all_and_then_what_changed(
    client: Client, admin: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rpde, "A_PAGE", 2)
    records = [jazz(number) for number in range(5)]
    harvester = Harvester(client)
    assert harvester.harvest() == 3
    assert len(harvester.present()) == 5
    assert harvester.harvest() == 0
    jazz(1, description="Another evening.")
    resolution.delete(admin, records[2], "asked for")
    resolution.merge(admin, records[3], records[4])
    harvester.harvest()
    assert set(harvester.present()) == {str(records[number].pk) for number in (0, 1, 4)}
    fresh = Harvester(client)
    fresh.harvest()
    assert fresh.present() == harvester.present()


def test_a_record_stands_in_the_feed_once(client: Client) -> None:
    record = jazz(1)
    for text in ("one", "two"):
        client.get(FEED)
        jazz(1, description=text)
    (item,) = client.get(FEED).json()["items"]
    assert (item["id"], item["kind"], item["data"]["fields"]["description"]) == (str(record.pk), "event", "two")


def test_each_page_names_the_licence_and_an_absolute_next(client: Client) -> None:
    page = client.get(FEED).json()
    assert page["license"].startswith("https://creativecommons.org/licenses/by/4.0/")
    assert page["next"] == "http://testserver/feeds/rpde/event?afterChangeNumber=0"
    assert client.get(page["next"]).json() == page


def test_a_contact_is_in_no_item(client: Client) -> None:
    jazz(1, phone="+359 88 123 4567", email="ivana@home.example")
    text = client.get(FEED).content.decode()
    assert "4567" not in text
    assert "ivana" not in text


@pytest.mark.parametrize("query", ["afterChangeNumber=x", "afterChangeNumber=-1", "page=2", "afterChangeNumber=²"])
def test_another_query_is_refused(client: Client, query: str) -> None:
    assert client.get(f"{FEED}?{query}").status_code == 400
    assert client.get("/feeds/rpde/car").status_code == 404
