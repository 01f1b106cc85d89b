"""Whatever a feed answers, it costs a sentence and a rest; what keeps failing is stopped, and who says no is heard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.extraction.models import Observation
from gleanery.feeds import services
from gleanery.feeds.models import Feed
from gleanery.feeds.reading import due
from gleanery.review.sources import source_decisions
from tests.crawling.conftest import approved
from tests.feeds.conftest import Serve, again, calendar, feed_of, read, source_with, told
from tests.feeds.hosts import Said, as_json, ics

pytestmark = pytest.mark.django_db(transaction=True)
URL = "http://mill.example/choir.ics"
CHOIR, FAIR = ("c1@mill", "Choir", 16), ("f1@mill", "Fair", 20)
API = "/wp-json/tribe/events/v1/events"


def page(number: int, host: str = "mill.example", **more: Any) -> dict[str, Any]:
    """One page of The Events Calendar that names the next one."""
    day = f"{datetime.now(UTC).date() + timedelta(days=number + 5)}"
    event = {"id": number, "title": f"Talk {number}", "start_date": f"{day} 19:00:00", "timezone": "Europe/Sofia"}
    following = f"http://{host}{API}?page={number + 1}"
    return {"events": [{**event, **more}], "next_rest_url": following}


def test_every_bad_answer_costs_a_sentence_and_a_rest(serve: Serve) -> None:
    bad = {
        "/json": (as_json('{"events": [', status=200), "the_events_calendar", "The JSON is broken and cannot be read."),
        "/shape": (as_json({"data": []}), "the_events_calendar", "`events` is missing or no list."),
        "/html": (
            Said("<html><h1>Log in</h1></html>"),
            "icalendar",
            "A calendar was expected; what came is a web page.",
        ),
        "/empty": (ics(""), "icalendar", "The answer was empty."),
        "/gone": (Said("", status=410), "icalendar", "It is not there (status 410)."),
        "/forbidden": (Said("", status=403), "icalendar", "The site refused it (status 403)."),
        "/broken": (Said("", status=500), "icalendar", "The site could not answer (status 500)."),
        "/huge": (ics(calendar(CHOIR), times=80_000), "icalendar", "The site's answer is larger than is read."),
        "/deep": (as_json("[" * 100_000), "legistar", "The JSON is nested more deeply than any honest answer."),
        "/private.ics": (ics(calendar(CHOIR)), "icalendar", "robots.txt of mill.example asks us not to read it."),
        "/circle": (
            Said("", status=302, headers=("Location: /circle",)),
            "icalendar",
            "It leads on and on, from address to address.",
        ),
        "/elsewhere": (
            Said("", status=302, headers=("Location: http://other.example/choir.ics",)),
            "icalendar",
            "It leads to another site: http://other.example/choir.ics. If that is the source's own, add it as a feed.",
        ),
    }
    robots = Said("User-agent: *\nDisallow: /private\n", "text/plain")
    hosts = serve({"mill.example": {"/robots.txt": robots, **{path: said for path, (said, *_) in bad.items()}}})
    domain = approved("mill.example")
    feeds = {path: feed_of(domain, f"http://mill.example{path}", name) for path, (_, name, _) in bad.items()}
    read(*feeds.values())
    assert {path: feed.answer for path, feed in feeds.items()} == {
        path: sentence for path, (*_, sentence) in bad.items()
    }
    for feed in feeds.values():
        assert (feed.state, feed.failures) == ("approved", 1)
        assert feed.due_at is not None
        assert timedelta(minutes=59) < feed.due_at - datetime.now(UTC) <= timedelta(hours=1)
    assert "/private.ics" not in hosts.asked("mill.example")
    assert not Observation.objects.exists()


def test_a_feed_that_keeps_failing_is_stopped_with_a_sentence_and_can_be_taken_up_again(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR))}})
    feed = source_with(URL)
    read(feed)
    hosts.say("mill.example", "/choir.ics", Said("", status=500))
    again(feed)
    assert feed.due_at is not None
    assert (feed.state, feed.failures, round((feed.due_at - datetime.now(UTC)) / timedelta(minutes=1))) == (
        "approved",
        1,
        60,
    )
    Feed.objects.filter(pk=feed.pk).update(failures=due.MOST_FAILURES - 1)
    again(feed)
    assert feed.state == "stopped"
    assert feed.state_reason == "It failed 6 times in a row. The site could not answer (status 500)."
    assert JournalEntry.objects.filter(action="stop", subject_id=str(feed.pk), reason=feed.state_reason).count() == 1
    assert set(told(not_seen_since=None)) == {"c1@mill"}  # nobody knows what the feed would say
    hosts.say("mill.example", "/choir.ics", ics(calendar(CHOIR, FAIR)))
    services.approve(system(), feed)
    read(feed)
    assert (feed.state, feed.failures, feed.state_reason) == ("approved", 0, "")
    assert set(told()) == {"c1@mill", "f1@mill"}


def test_a_busy_host_is_left_alone_as_long_as_it_asks(serve: Serve) -> None:
    busy = Said("", status=503, headers=("Retry-After: 90000",))
    serve({"mill.example": {"/choir.ics": busy}})
    feed = source_with(URL)
    read(feed)
    assert feed.due_at is not None
    assert round((feed.due_at - datetime.now(UTC)) / timedelta(hours=1)) == 25


def test_paging_that_leads_in_circles_or_brings_nothing_new_ends(serve: Serve) -> None:
    first, second = page(1), page(2)
    circle = {**second, "next_rest_url": f"http://mill.example{API}?page=3"}
    hosts = serve(
        {
            "mill.example": {
                API: as_json(first),
                f"{API}?page=2": as_json(circle),
                f"{API}?page=3": as_json({**second, "next_rest_url": f"http://mill.example{API}?page=4"}),
            }
        }
    )
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    assert len(hosts.asked("mill.example")) == 3
    assert feed.brings == 2
    assert feed.problems == ["Page 3 brought nothing new: the rest was not read."]


def test_a_page_that_fails_costs_itself_and_takes_nothing_back(serve: Serve) -> None:
    web = {API: as_json(page(1)), f"{API}?page=2": as_json({**page(2), "next_rest_url": None})}
    hosts = serve({"mill.example": web})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    assert feed.brings == 2
    hosts.say("mill.example", f"{API}?page=2", Said("", status=500))
    hosts.say("mill.example", API, as_json(page(1, title="Talk one")))
    again(feed)
    names = {each["name"] for each in told(not_seen_since=None).values()}
    assert names == {"Talk one", "Talk 2"}
    assert feed.problems == ["Page 2 could not be read: The site could not answer (status 500)."]
    assert feed.failures == 0


def test_endless_paging_stops_after_fifty_pages(serve: Serve) -> None:
    web = {f"{API}?page={number}": as_json(page(number)) for number in range(2, 60)}
    hosts = serve({"mill.example": {API: as_json(page(1)), **web}})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    assert len(hosts.asked("mill.example")) == feed.pages == 50


def test_ids_that_change_are_new_things_and_the_old_ones_are_no_longer_seen(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR))}})
    feed = source_with(URL)
    read(feed)
    hosts.say("mill.example", "/choir.ics", ics(calendar(("other@mill", "Choir", 16))))
    again(feed)
    assert set(told(not_seen_since=None)) == {"other@mill"}
    assert set(told(not_seen_since__isnull=False)) == {"c1@mill"}


def test_a_source_that_is_stopped_is_asked_nothing_more_after_the_request_in_flight(serve: Serve) -> None:
    """Between two pages somebody suspends, rejects or blacklists the source."""
    stops: dict[str, Callable[[Domain], object]] = {
        "suspended.example": lambda domain: source_decisions.suspend(system(), domain),
        "undone.example": lambda domain: source_decisions.undo(system(), domain),
        "black.example": lambda domain: domains.blacklist_row(system(), domain, "It lies."),
    }
    web = {name: {API: as_json(page(1, host=name)), f"{API}?page=2": as_json(page(2))} for name in stops}
    hosts = serve(web)
    made = {name: approved(name, crawl_rate_limit_seconds=2) for name in stops}
    feeds = [feed_of(domain, f"http://{name}{API}", "the_events_calendar") for name, domain in made.items()]

    def stop() -> None:
        left = dict(stops)
        try:
            while left:
                for name in [name for name in left if hosts.asked(name)]:
                    left.pop(name)(made[name])
                time.sleep(0.02)
        finally:
            connection.close()

    stopper = threading.Thread(target=stop)
    stopper.start()
    read(*feeds)
    stopper.join()
    again(*feeds)
    assert {name: len(hosts.asked(name)) for name in stops} == dict.fromkeys(stops, 1)
    assert not Observation.objects.exists()
    assert {feed.failures for feed in feeds} == {0}
