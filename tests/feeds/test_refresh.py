"""Feeds are read with validators at their own pace and become observations of their source."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from gleanery.crawling.models import Host, Robots
from gleanery.domains.models import Domain
from gleanery.extraction.models import Observation
from gleanery.feeds.finding.candidates import host_of
from gleanery.feeds.platforms import BY_NAME
from gleanery.feeds.reading.worker_loop import read_feeds_only
from tests.crawling.conftest import approved
from tests.feeds.conftest import TODAY, Serve, calendar, event_payloads, feed_of, read, read_again, source_with
from tests.feeds.hosts import Reply, ics
from tests.feeds.parsing import answer
from tests.feeds.platform_samples import SAMPLES, PlatformSample

pytestmark = pytest.mark.django_db(transaction=True)
URL = "http://mill.example/choir.ics"
CHOIR, FAIR = ("c1@mill", "Choir", 16), ("f1@mill", "Fair", 20)


def said_by(sample: PlatformSample) -> tuple[str, dict[str, Reply]]:
    """Return the address of the feed on its own host, and the replies of its pages."""
    own = f"{sample.platform.replace('_', '-')}.example"
    url = sample.url.replace("https://", "http://").replace("mill.example", own)
    platform, pages = BY_NAME[sample.platform], {}
    asked = platform.address(url, TODAY)
    for body in sample.bodies(TODAY):
        said = body.replace("mill.example", own)
        pages[f"/{asked.split('/', 3)[3]}"] = Reply(said, sample.kind)
        asked = platform.read(answer(said, asked)).follows or asked
    return url, pages


def test_feeds_of_every_platform_become_observations_of_their_sources(serve: Serve) -> None:
    web, feeds = {}, {}
    for sample in SAMPLES:
        url, pages = said_by(sample)
        web[host_of(url)] = web[url.split("/")[2]] = pages
        approved(host_of(url))  # as a site of ours, so that its pace is that of the test
        feeds[sample.platform] = source_with(url, sample.platform, f"{sample.platform.replace('_', '-')}-shows.example")
    hosts = serve(web)
    read(*feeds.values())
    for sample in SAMPLES:
        feed = feeds[sample.platform]
        found = Observation.objects.filter(feed=feed.pk, kind="event", superseded_at=None)
        assert feed.failures == 0, (sample.platform, feed.answer)
        assert found.count() == feed.brings > 0
        assert {each.source.domain_id for each in found} == {feed.domain_id}
        assert all(each.in_feed and each.payload["start"] for each in found)
        assert len(hosts.asked(feed.url.split("/")[2])) == len(sample.bodies(TODAY)) == feed.pages
        assert feed.due_at is not None
    resolved = ProcrastinateJob.objects.filter(task_name__endswith="resolve_domain").count()
    assert resolved == len(SAMPLES)
    before = set(Observation.objects.values_list("pk", flat=True))
    read_again(*feeds.values())
    assert before == set(Observation.objects.values_list("pk", flat=True))
    assert ProcrastinateJob.objects.filter(task_name__endswith="resolve_domain").count() == resolved
    assert all(each.answer == "It has not changed." for each in feeds.values())


def test_an_unchanged_feed_is_recognised_by_its_validators(serve: Serve) -> None:
    dated = ics(calendar(FAIR), modified="Thu, 01 Oct 2026 10:00:00 GMT")
    hosts = serve({"mill.example": {"/tag.ics": ics(calendar(CHOIR), etag='"7"'), "/date.ics": dated}})
    domain = approved("mill.example")
    feeds = [feed_of(domain, f"http://mill.example/{name}.ics") for name in ("tag", "date")]
    read(*feeds)
    read_again(*feeds)
    asked = sorted((each.path, each.status, each.conditional) for each in hosts.requests_of("mill.example")[1:])
    assert asked == [(path, *seen) for path in ("/date.ics", "/tag.ics") for seen in ((200, False), (304, True))]
    assert {(feed.answer, feed.brings) for feed in feeds} == {("It has not changed.", 1)}


def test_new_timestamps_are_no_change_and_a_changed_event_is_a_new_version(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR, FAIR, DTSTAMP="20261101T000000Z"))}})
    feed = source_with(URL)
    read(feed)
    first = feed.changed_at
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(CHOIR, FAIR, DTSTAMP="20261102T000000Z")))
    read_again(feed)
    assert feed.changed_at == first
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(("c1@mill", "Choir and tea", 16), FAIR)))
    read_again(feed)
    assert {key: each["name"] for key, each in event_payloads().items()} == {
        "c1@mill": "Choir and tea",
        "f1@mill": "Fair",
    }
    assert sorted(Observation.objects.filter(kind="event").values_list("external_id", "version")) == [
        ("c1@mill", 1),
        ("c1@mill", 2),
        ("f1@mill", 1),
    ]


def test_events_that_leave_a_feed_are_no_longer_seen_until_they_return(serve: Serve) -> None:
    hosts = serve({"mill.example": {"/choir.ics": ics(calendar(CHOIR, FAIR))}})
    feed = source_with(URL)
    read(feed)
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(FAIR)))
    read_again(feed)
    choir = Observation.objects.get(external_id="c1@mill")
    assert choir.not_seen_since is not None
    assert choir.superseded_at is None
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(CHOIR, FAIR)))
    read_again(feed)
    choir.refresh_from_db()
    assert (choir.not_seen_since, choir.version) == (None, 1)


def test_an_event_in_two_feeds_is_one_observation_and_seen_while_in_either(serve: Serve) -> None:
    web = {"/choir.ics": ics(calendar(CHOIR, FAIR)), "/all.ics": ics(calendar(("c1@mill", "Choir (all)", 16)))}
    hosts = serve({"mill.example": web})
    one = source_with(URL)
    other = feed_of(one.domain, "http://mill.example/all.ics")
    read(one)
    read(other)
    read_again(one, other)
    assert {key: each["name"] for key, each in event_payloads().items()} == {"c1@mill": "Choir", "f1@mill": "Fair"}
    hosts.set_reply("mill.example", "/choir.ics", ics(calendar(FAIR)))
    read_again(one)
    assert not Observation.objects.filter(not_seen_since__isnull=False).exists()
    hosts.set_reply("mill.example", "/all.ics", ics(calendar()))
    read_again(other)
    assert set(event_payloads(not_seen_since__isnull=False)) == {"c1@mill"}


def test_a_feed_is_read_at_its_own_interval_or_that_of_its_source(serve: Serve) -> None:
    text = calendar(CHOIR)
    wishes = text.replace("VERSION:2.0", "VERSION:2.0\r\nX-PUBLISHED-TTL:PT6H")
    hurried = text.replace("VERSION:2.0", "VERSION:2.0\r\nX-PUBLISHED-TTL:P15M")
    serve({"mill.example": {"/a.ics": ics(text), "/b.ics": ics(wishes), "/c.ics": ics(hurried)}})
    domain = approved("mill.example", scrape_frequency_hours=48)
    feeds = [feed_of(domain, f"http://mill.example/{name}.ics") for name in "abc"]
    read(*feeds)
    now = datetime.now(UTC)
    hours = [round((each.due_at - now) / timedelta(hours=1)) for each in feeds if each.due_at]
    assert hours == [48, 6, 1]


def test_a_foreign_host_is_asked_by_its_own_rules_and_pace(serve: Serve) -> None:
    host = "calendars.example"
    robots = Reply("User-agent: *\nDisallow: /secret\nCrawl-delay: 1\n", "text/plain")
    hosts = serve({host: {"/robots.txt": robots, "/a.ics": ics(calendar(CHOIR)), "/secret.ics": ics(calendar(FAIR))}})
    domain = approved("mill.example")
    feed = feed_of(domain, f"http://{host}/a.ics", read_at=None)
    forbidden = feed_of(domain, f"http://{host}/secret.ics")
    read(feed, forbidden)
    assert hosts.asked(host) == ["/a.ics"]
    assert feed.brings == 1
    assert (forbidden.failures, forbidden.answer) == (1, "robots.txt of calendars.example asks us not to read it.")
    first, second = hosts.requests_of(host)
    assert second.start - first.end > 0.9
    assert Host.objects.get(name=host).lease is None
    assert Robots.objects.filter(domain=None, origin=f"http://{host}").count() == 1
    assert not Domain.objects.filter(name=host).exists()


def test_two_workers_share_a_host_and_read_each_feed_once(serve: Serve) -> None:
    host = "calendars.example"
    files = {f"/{name}.ics": ics(calendar((f"{name}@mill", "Choir", 16)), slow=0.3) for name in "abc"}
    hosts = serve({host: files})
    approved(host)
    feeds = [source_with(f"http://{host}/{name}.ics", name=f"mill-{name}.example") for name in "abc"]

    def work() -> None:
        try:
            asyncio.run(read_feeds_only([each.pk for each in feeds]))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    asked = hosts.requests_of(host)
    assert sorted(hosts.asked(host)) == sorted(files)
    assert all(later.start >= earlier.end for earlier, later in pairwise(asked))
    assert len(event_payloads()) == 3
