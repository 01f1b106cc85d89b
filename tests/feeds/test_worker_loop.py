"""Order of readings, decisions during a reading, and unexpected errors."""

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
from gleanery.extraction.feed_joining import FeedObservation
from gleanery.extraction.storing.versions import PreparedDraft
from gleanery.feeds import services, storage
from gleanery.feeds.finding.candidates import SeenSign, choose_candidates
from gleanery.feeds.observation_versions import first_versions
from gleanery.feeds.platform import Sign
from gleanery.feeds.platforms import BY_NAME
from gleanery.feeds.reading.download import FeedContent, FeedRequest
from gleanery.feeds.reading.feed_client import FeedClient
from gleanery.feeds.reading.parser_process import MOST_COVERED, SIGNS, handle_request
from gleanery.feeds.reading.requests import request_for_feed
from gleanery.ids import uuid7
from gleanery.sql import rows
from tests.crawling.conftest import approved
from tests.feeds.conftest import Serve, event_payloads, feed_of, read, source_with, waiting
from tests.feeds.hosts import Reply as Answered
from tests.feeds.hosts import as_json
from tests.feeds.test_bad_answers import API, page

pytestmark = pytest.mark.django_db(transaction=True)
ROOM = 3


def taken() -> list[str]:
    return [each.host for each in storage.due_feeds([], ROOM, None)]


def test_the_longest_waiting_feeds_come_first_and_pausing_hosts_are_skipped() -> None:
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


def test_a_feed_approved_during_its_sample_is_then_read_completely(serve: Serve) -> None:
    serve({"mill.example": {API: as_json(page(1)), f"{API}?page=2": as_json({**page(2), "next_rest_url": None})}})
    domain = waiting("mill.example")
    feed = feed_of(domain, f"http://mill.example{API}", "the_events_calendar", state="found")
    sample = asyncio.run(brought(request_for_feed(feed.pk)))
    assert len(sample.drafts) == 1
    Domain.objects.filter(pk=domain.pk).update(approval_status="approved")
    services.approve(system(), feed)
    services.store_content(feed.pk, sample)
    read(feed)
    assert {each["name"] for each in event_payloads().values()} == {"Talk 1", "Talk 2"}


async def brought(feed_request: FeedRequest) -> FeedContent:
    async with FeedClient() as feed_client:
        return await feed_client.read(feed_request, lambda: True)


def test_dates_of_one_event_on_several_pages_are_each_taken(serve: Serve) -> None:
    again = {**page(2, id=1), "next_rest_url": None}
    serve({"mill.example": {API: as_json(page(1)), f"{API}?page=2": as_json(again)}})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    first, second = sorted(event_payloads())
    assert second.startswith(f"{first}#20")
    assert {each["name"] for each in event_payloads().values()} == {"Talk 1", "Talk 2"}


def test_an_unexpected_error_counts_as_a_failure() -> None:
    """An unknown platform, as if a newer version had stored the feed."""
    feed = source_with("http://mill.example/a.ics", "of_the_future")
    read(feed)
    assert (feed.failures, feed.answer) == (
        1,
        "The answer could not be read or stored. See the log of the worker.",
    )
    assert feed.due_at is not None
    assert feed.due_at - datetime.now(UTC) > timedelta(minutes=59)


def test_an_unexpected_not_modified_answer_is_a_failure(serve: Serve) -> None:
    serve({"mill.example": {"/choir.ics": Answered("", status=304)}})
    feed = source_with("http://mill.example/choir.ics")
    read(feed)
    assert (feed.failures, feed.read_at) == (1, None)
    assert feed.answer == "It reports no change (status 304), although it was never read before."


def test_feeds_are_stored_in_the_order_of_their_addresses() -> None:
    """This order prevents deadlocks between two writers."""
    sign = [Sign(url=f"https://mill.example/{name}.ics") for name in "cab"]
    seen = [SeenSign(platform=BY_NAME["icalendar"], sign=each, page="", depth=n) for n, each in enumerate(sign)]
    services.store_found(approved("mill.example"), choose_candidates(seen))
    written = [url for (url,) in rows("SELECT url FROM feed ORDER BY ctid")]
    assert [url[-5:] for url in written] == ["a.ics", "b.ics", "c.ics"]


def test_signs_and_covered_addresses_of_a_page_are_limited() -> None:
    """Otherwise a hostile page could fill the memory of the worker."""
    event_payloads = '<link rel="https://api.w.org/" href="/wp-json/tribe/events/v1/">'
    event_payloads += "".join(f'<a href="/{number}?ical=1">x</a>' for number in range(900))
    event_payloads += f'<a href="/?ical=1&{"x" * 3_000}">x</a>'
    ((shown, *_),) = handle_request(
        (SIGNS, zlib.compress(event_payloads.encode()), "utf-8", "https://mill.example/", {})
    )
    name, url, _, _, covers = shown
    assert (name, url) == ("the_events_calendar", "https://mill.example/wp-json/tribe/events/v1/events")
    assert 0 < len(covers) <= MOST_COVERED


def cost(events: int) -> float:
    """Return the processor time of joining that many events with pages, the lesser of two runs."""
    fields = {"name": "Choir", "start": "2026-12-05T19:00:00+00:00"}
    said, pages = [], []
    for number in range(events):
        link = f"mill.example/{number}"
        draft = Draft(kind="event", external_id=str(number), fields=fields, evidence={}, extractor="x")
        said.append(PreparedDraft(None, None, draft, fields, b"", uuid7(), link))
        event_payloads = uuid7(), "event", str(number), fields, b"", {}, None, "x", 1
        pages.append(FeedObservation(*event_payloads, None, "", None, None, None, f"https://{link}", True))
    links = Counter(each.link for each in said)

    def once() -> float:
        began = time.process_time()
        assert len(list(first_versions(said, pages, links))) == events
        return time.process_time() - began

    return min(once(), once())


def test_joining_time_grows_linearly_with_the_events() -> None:
    assert cost(1_600) < 9 * cost(400)
