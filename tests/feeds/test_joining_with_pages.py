"""A feed's event and the page that it links to are one observation, whichever was read first."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation
from gleanery.feeds.models import Feed
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.crawling.conftest import approved, crawl
from tests.feeds.conftest import TODAY, Serve, calendar, event_payloads, feed_of, read, read_again
from tests.feeds.hosts import Reply, ics

pytestmark = pytest.mark.django_db(transaction=True)
DAY = TODAY + timedelta(days=16)
PAGE = "http://mill.example/choir/"
EVENT = {
    "@context": "https://schema.org",
    "@type": "Event",
    "name": "Choir: all welcome",
    "startDate": f"{DAY}T19:00:00+00:00",
    "endDate": f"{DAY}T21:00:00+00:00",
    "description": "Bring a friend and a cup.",
    "location": {"@type": "Place", "name": "Mill House", "address": "12 Mill Road, Wickerby"},
}


def page(**more: Any) -> Reply:
    """Return the page of the choir, with a longer text, a place and an end."""
    return page_of({**EVENT, **more})


def page_of(markup: Any) -> Reply:
    markup = json.dumps(markup)
    return Reply(
        f'<html><head><script type="application/ld+json">{markup}</script></head><body><h1>x</h1></body></html>'
    )


def web(said: str, **more: Any) -> dict[str, dict[str, Reply]]:
    home = '<html><body><h1>Mill</h1><a href="/choir/">Choir</a></body></html>'
    return {"mill.example": {"/": Reply(home), "/choir/": page(**more), "/choir.ics": ics(said)}}


FEED = calendar(("c1@mill", "Choir", 16), URL="https://www.mill.example/choir")


def both(serve: Serve, *, feed_first: bool) -> Feed:
    serve(web(FEED))
    domain = approved("mill.example")
    feed = feed_of(domain, "http://mill.example/choir.ics")
    if feed_first:
        read(feed)
        resolution.resolve_domain(domain.pk)
    crawl(domain)
    extraction.extract_domain(domain)
    resolution.resolve_domain(domain.pk)
    if not feed_first:
        assert [each["name"] for each in event_payloads().values()] == ["Choir: all welcome"]
        read(feed)
        resolution.resolve_domain(domain.pk)
    return feed


@pytest.mark.parametrize("feed_first", [True, False], ids=["feed first", "page first"])
def test_a_page_fills_gaps_of_the_feed_in_one_record(serve: Serve, feed_first: bool) -> None:
    feed = both(serve, feed_first=feed_first)
    (event,) = Observation.objects.filter(kind="event", superseded_at=None)
    assert (event.external_id, event.feed, event.in_feed) == ("c1@mill", feed.pk, True)
    assert event.page is not None
    assert event.page.url == PAGE
    assert (event.payload["name"], event.payload["url"]) == ("Choir", "https://www.mill.example/choir")
    assert (event.payload["venue_name"], event.payload["description"]) == ("Mill House", "Bring a friend and a cup.")
    assert event.payload["end"].startswith(f"{DAY}T21:00")
    (record,) = Record.objects.filter(kind="event")
    assert (str(event.record), record.name) == (str(record.pk), "Choir")
    versions = Observation.objects.filter(kind="event").count()
    extraction.extract_again(feed.domain)
    read_again(feed)
    assert Observation.objects.filter(kind="event").count() == versions
    assert not Observation.objects.filter(not_seen_since__isnull=False, superseded_at=None).exists()


def test_changes_of_feed_and_page_keep_the_fields_of_the_other(
    serve: Serve,
) -> None:
    hosts = serve(web(FEED))
    domain = approved("mill.example")
    feed = feed_of(domain, "http://mill.example/choir.ics")
    read(feed)
    crawl(domain)
    extraction.extract_domain(domain)
    hosts.set_reply("mill.example", "/choir.ics", ics(FEED.replace("SUMMARY:Choir", "SUMMARY:Choir practice")))
    read_again(feed)
    (now,) = event_payloads().values()
    assert (now["name"], now["description"]) == ("Choir practice", "Bring a friend and a cup.")
    hosts.set_reply("mill.example", "/choir/", page(name="Something else", description="Bring tea."))
    crawl(domain, "deep")
    extraction.extract_domain(domain)
    (now,) = event_payloads().values()
    assert (now["name"], now["description"]) == ("Choir practice", "Bring tea.")


def test_an_event_that_leaves_the_feed_but_stays_on_its_page_is_still_seen(serve: Serve) -> None:
    hosts = serve(web(FEED))
    domain = approved("mill.example")
    feed = feed_of(domain, "http://mill.example/choir.ics")
    read(feed)
    crawl(domain)
    extraction.extract_domain(domain)
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(("f1@mill", "Fair", 20))))
    read_again(feed)
    assert set(event_payloads(not_seen_since=None)) == {"c1@mill", "f1@mill"}
    hosts.set_reply("mill.example", "/choir/", Reply("", status=404))
    crawl(domain, "deep")
    extraction.extract_domain(domain)
    assert set(event_payloads(not_seen_since=None)) == {"f1@mill"}


def test_dates_of_a_series_with_one_page_are_distinguished_by_time(serve: Serve) -> None:
    series = calendar(("c1@mill", "Choir", 16), ("c2@mill", "Choir", 23), URL=PAGE)
    serve(web(series))
    domain = approved("mill.example")
    crawl(domain)
    extraction.extract_domain(domain)
    feed = feed_of(domain, "http://mill.example/choir.ics")
    read(feed)
    events = event_payloads()
    assert set(events) == {"c1@mill", "c2@mill"}
    assert "description" in events["c1@mill"]
    assert "description" not in events["c2@mill"]


@pytest.mark.parametrize("feed_first", [True, False], ids=["feed first", "page first"])
def test_a_page_with_two_dates_keeps_the_one_that_is_not_in_the_feed(serve: Serve, feed_first: bool) -> None:
    web_of_two = web(FEED)
    later = f"{DAY + timedelta(days=7)}T19:00:00+00:00"
    both_dates = [{**EVENT, "@id": f"{PAGE}#1"}, {**EVENT, "@id": f"{PAGE}#2", "startDate": later, "endDate": ""}]
    web_of_two["mill.example"]["/choir/"] = page_of(both_dates)
    serve(web_of_two)
    domain = approved("mill.example")
    feed = feed_of(domain, "http://mill.example/choir.ics")
    if feed_first:
        read(feed)
    crawl(domain)
    extraction.extract_domain(domain)
    if not feed_first:
        read(feed)
    starts = {key: each["start"][:10] for key, each in event_payloads().items()}
    assert starts == {"c1@mill": str(DAY), f"{PAGE}#2": str(DAY + timedelta(days=7))}
