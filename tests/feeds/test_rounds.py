"""What a worker reads next, and what happens when a reading meets a decision or the unforeseen."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.crawling.models import Host
from gleanery.domains.models import Domain
from gleanery.extraction.draft import Draft
from gleanery.extraction.joining import Fed
from gleanery.extraction.storing.changes import Said
from gleanery.feeds import services, storage
from gleanery.feeds.finding.choosing import Seen, chosen
from gleanery.feeds.news import first_versions
from gleanery.feeds.platform import Sign
from gleanery.feeds.platforms import BY_NAME
from gleanery.feeds.reading.child import MOST_COVERED, SIGNS, work
from gleanery.feeds.reading.crew import Crew
from gleanery.feeds.reading.errand import errand_for
from gleanery.feeds.reading.harvest import Errand, Harvest
from gleanery.ids import uuid7
from gleanery.sql import rows
from tests.crawling.conftest import approved
from tests.feeds.conftest import Serve, feed_of, read, source_with, told, waiting
from tests.feeds.hosts import Said as Answered
from tests.feeds.hosts import as_json
from tests.feeds.test_bad_answers import API, page

pytestmark = pytest.mark.django_db(transaction=True)
ROOM = 3


def taken() -> list[str]:
    return [each.host for each in storage.due([], ROOM, None)]


def test_feeds_that_wait_longest_are_read_first_and_hosts_that_rest_take_nobodys_place() -> None:
    domain = approved("mill.example")
    hour = timedelta(hours=1)
    for number in range(ROOM):
        feed_of(domain, f"https://rests-{number}.example/a.ics", due_at=Now() - 9 * hour)
        Host.objects.create(name=f"rests-{number}.example", ready_at=Now() + hour)
        feed_of(domain, f"https://a-{number}.example/a.ics", due_at=Now() - hour)
    feed_of(domain, "https://z.example/a.ics", due_at=Now() - 2 * hour)
    assert len(taken()) == ROOM
    assert taken()[0] == "z.example"
    Host.objects.update(ready_at=Now())
    assert sorted(taken()) == [f"rests-{number}.example" for number in range(ROOM)]


def test_a_feed_that_is_approved_while_its_sample_is_read_is_read_as_a_whole(serve: Serve) -> None:
    serve({"mill.example": {API: as_json(page(1)), f"{API}?page=2": as_json({**page(2), "next_rest_url": None})}})
    domain = waiting("mill.example")
    feed = feed_of(domain, f"http://mill.example{API}", "the_events_calendar", state="found")
    sample = asyncio.run(brought(errand_for(feed.pk)))
    assert len(sample.drafts) == 1
    Domain.objects.filter(pk=domain.pk).update(approval_status="approved")
    services.approve(system(), feed)
    services.keep(feed.pk, sample)
    read(feed)
    assert {each["name"] for each in told().values()} == {"Talk 1", "Talk 2"}


async def brought(errand: Errand) -> Harvest:
    async with Crew() as crew:
        return await crew.read(errand, lambda: True)


def test_dates_of_one_event_on_several_pages_are_each_taken(serve: Serve) -> None:
    again = {**page(2, id=1), "next_rest_url": None}
    serve({"mill.example": {API: as_json(page(1)), f"{API}?page=2": as_json(again)}})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    first, second = sorted(told())
    assert second.startswith(f"{first}#20")
    assert {each["name"] for each in told().values()} == {"Talk 1", "Talk 2"}


def test_what_fails_for_an_unforeseen_reason_rests_as_long_as_after_any_failure() -> None:
    """As where an older Gleanery reads what a newer one found: it does not know the platform."""
    feed = source_with("http://mill.example/a.ics", "of_the_future")
    read(feed)
    assert (feed.failures, feed.answer) == (
        1,
        "Its answer could not be read or stored; the log of the worker says why.",
    )
    assert feed.due_at is not None
    assert feed.due_at - datetime.now(UTC) > timedelta(minutes=59)


def test_an_answer_that_says_unchanged_to_whoever_never_asked_before_is_a_failure(serve: Serve) -> None:
    serve({"mill.example": {"/choir.ics": Answered("", status=304)}})
    feed = source_with("http://mill.example/choir.ics")
    read(feed)
    assert (feed.failures, feed.read_at) == (1, None)
    assert feed.answer == "It says that nothing has changed (status 304), but it was never read before."


def test_feeds_are_written_in_the_order_of_their_addresses() -> None:
    """Two who find the same ones would else wait for each other in a circle."""
    sign = [Sign(url=f"https://mill.example/{name}.ics") for name in "cab"]
    seen = [Seen(platform=BY_NAME["icalendar"], sign=each, page="", depth=n) for n, each in enumerate(sign)]
    services.find(approved("mill.example"), chosen(seen))
    written = [url for (url,) in rows("SELECT url FROM feed ORDER BY ctid")]
    assert [url[-5:] for url in written] == ["a.ics", "b.ics", "c.ics"]


def test_a_page_shows_no_more_addresses_than_are_kept() -> None:
    """A hostile page could else fill the memory of the worker with those that a feed covers."""
    told = '<link rel="https://api.w.org/" href="/wp-json/tribe/events/v1/">'
    told += "".join(f'<a href="/{number}?ical=1">x</a>' for number in range(900))
    told += f'<a href="/?ical=1&{"x" * 3_000}">x</a>'
    ((shown, *_),) = work((SIGNS, zlib.compress(told.encode()), "utf-8", "https://mill.example/", {}))
    name, url, _, _, covers = shown
    assert (name, url) == ("the_events_calendar", "https://mill.example/wp-json/tribe/events/v1/events")
    assert 0 < len(covers) <= MOST_COVERED


def cost(events: int) -> float:
    """Of joining that many events of a feed with the pages to which they link: the lesser of two."""
    fields = {"name": "Choir", "start": "2026-12-05T19:00:00+00:00"}
    said, pages = [], []
    for number in range(events):
        link = f"mill.example/{number}"
        draft = Draft(kind="event", external_id=str(number), fields=fields, evidence={}, extractor="x")
        said.append(Said(None, None, draft, fields, b"", uuid7(), link))
        told = uuid7(), "event", str(number), fields, b"", {}, None, "x", 1
        pages.append(Fed(*told, None, "", None, None, None, f"https://{link}", True))
    links = Counter(each.link for each in said)

    def once() -> float:
        began = time.process_time()
        assert len(list(first_versions(said, pages, links))) == events
        return time.process_time() - began

    return min(once(), once())


def test_four_times_the_events_are_joined_with_their_pages_in_about_four_times_as_long() -> None:
    assert cost(1_600) < 9 * cost(400)
