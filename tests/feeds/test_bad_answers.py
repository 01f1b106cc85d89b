"""Bad answers of feeds give a reason and a pause; repeated failures stop a feed."""

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
from gleanery.feeds.reading import schedule
from gleanery.review.sources import source_decisions
from tests.crawling.conftest import approved
from tests.feeds.conftest import Serve, calendar, event_payloads, feed_of, read, read_again, source_with
from tests.feeds.hosts import Reply, as_json, ics

pytestmark = pytest.mark.django_db(transaction=True)
URL = "http://mill.example/choir.ics"
CHOIR, FAIR = ("c1@mill", "Choir", 16), ("f1@mill", "Fair", 20)
API = "/wp-json/tribe/events/v1/events"


def page(number: int, host: str = "mill.example", **more: Any) -> dict[str, Any]:
    """Return a page of The Events Calendar with a link to the next one."""
    day = f"{datetime.now(UTC).date() + timedelta(days=number + 5)}"
    event = {"id": number, "title": f"Talk {number}", "start_date": f"{day} 19:00:00", "timezone": "Europe/Sofia"}
    following = f"http://{host}{API}?page={number + 1}"
    return {"events": [{**event, **more}], "next_rest_url": following}


def test_every_bad_answer_gives_a_reason_and_a_pause(serve: Serve) -> None:
    bad = {
        "/json": (as_json('{"events": [', status=200), "the_events_calendar", "The JSON is invalid."),
        "/shape": (as_json({"data": []}), "the_events_calendar", "`events` is missing or not a list."),
        "/html": (
            Reply("<html><h1>Log in</h1></html>"),
            "icalendar",
            "A calendar was expected, but the answer is a web page.",
        ),
        "/empty": (ics(""), "icalendar", "The answer was empty."),
        "/gone": (Reply("", status=410), "icalendar", "The feed was not found (status 410)."),
        "/forbidden": (Reply("", status=403), "icalendar", "The site refused the request (status 403)."),
        "/broken": (Reply("", status=500), "icalendar", "The site had an error (status 500)."),
        "/huge": (ics(calendar(CHOIR), times=80_000), "icalendar", "The site's response is too large to be read."),
        "/deep": (as_json("[" * 100_000), "legistar", "The JSON is nested too deeply."),
        "/private.ics": (ics(calendar(CHOIR)), "icalendar", "robots.txt of mill.example asks us not to read it."),
        "/circle": (
            Reply("", status=302, headers=("Location: /circle",)),
            "icalendar",
            "There are too many redirects.",
        ),
        "/elsewhere": (
            Reply("", status=302, headers=("Location: http://other.example/choir.ics",)),
            "icalendar",
            "It redirects to another site: http://other.example/choir.ics. "
            "If that belongs to the source, add it as a feed.",
        ),
    }
    robots = Reply("User-agent: *\nDisallow: /private\n", "text/plain")
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


def test_a_feed_that_keeps_failing_is_stopped_and_can_be_approved_again(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR))}})
    feed = source_with(URL)
    read(feed)
    hosts.set_reply("mill.example", "/choir.ics", Reply("", status=500))
    read_again(feed)
    assert feed.due_at is not None
    assert (feed.state, feed.failures, round((feed.due_at - datetime.now(UTC)) / timedelta(minutes=1))) == (
        "approved",
        1,
        60,
    )
    Feed.objects.filter(pk=feed.pk).update(failures=schedule.MOST_FAILURES - 1)
    read_again(feed)
    assert feed.state == "stopped"
    assert feed.state_reason == "It failed 6 times in a row. The site had an error (status 500)."
    assert JournalEntry.objects.filter(action="stop", subject_id=str(feed.pk), reason=feed.state_reason).count() == 1
    assert set(event_payloads(not_seen_since=None)) == {"c1@mill"}  # nobody knows what the feed would say
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(CHOIR, FAIR)))
    services.approve(system(), feed)
    read(feed)
    assert (feed.state, feed.failures, feed.state_reason) == ("approved", 0, "")
    assert set(event_payloads()) == {"c1@mill", "f1@mill"}


def test_a_busy_host_gets_the_pause_that_it_asks_for(serve: Serve) -> None:
    busy = Reply("", status=503, headers=("Retry-After: 90000",))
    serve({"mill.example": {"/choir.ics": busy}})
    feed = source_with(URL)
    read(feed)
    assert feed.due_at is not None
    assert round((feed.due_at - datetime.now(UTC)) / timedelta(hours=1)) == 25


def test_circular_or_repeated_pages_end_the_reading(serve: Serve) -> None:
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
    assert feed.problems == ["Page 3 had nothing new. The rest was not read."]


def test_a_failing_later_page_keeps_earlier_events(serve: Serve) -> None:
    web = {API: as_json(page(1)), f"{API}?page=2": as_json({**page(2), "next_rest_url": None})}
    hosts = serve({"mill.example": web})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    assert feed.brings == 2
    hosts.set_reply("mill.example", f"{API}?page=2", Reply("", status=500))
    hosts.set_reply("mill.example", API, as_json(page(1, title="Talk one")))
    read_again(feed)
    names = {each["name"] for each in event_payloads(not_seen_since=None).values()}
    assert names == {"Talk one", "Talk 2"}
    assert feed.problems == ["Page 2 could not be read: The site had an error (status 500)."]
    assert feed.failures == 0


def test_endless_pages_stop_after_fifty(serve: Serve) -> None:
    web = {f"{API}?page={number}": as_json(page(number)) for number in range(2, 60)}
    hosts = serve({"mill.example": {API: as_json(page(1)), **web}})
    feed = source_with(f"http://mill.example{API}", "the_events_calendar")
    read(feed)
    assert len(hosts.asked("mill.example")) == feed.pages == 50


def test_changed_ids_are_new_events_and_old_ones_are_no_longer_seen(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR))}})
    feed = source_with(URL)
    read(feed)
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(("other@mill", "Choir", 16))))
    read_again(feed)
    assert set(event_payloads(not_seen_since=None)) == {"other@mill"}
    assert set(event_payloads(not_seen_since__isnull=False)) == {"c1@mill"}


def test_a_suspended_source_gets_no_further_request(serve: Serve) -> None:
    """The source is suspended, rejected or blacklisted between two pages."""
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
    read_again(*feeds)
    assert {name: len(hosts.asked(name)) for name in stops} == dict.fromkeys(stops, 1)
    assert not Observation.objects.exists()
    assert {feed.failures for feed in feeds} == {0}
