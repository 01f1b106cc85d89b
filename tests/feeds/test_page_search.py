"""Feeds are found on pages of a source, shown with a sample, and approved with the source."""

from __future__ import annotations

from typing import Any

import pytest
from procrastinate.contrib.django.models import ProcrastinateJob

from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import JournalEntry
from gleanery.crawling import services as crawling
from gleanery.crawling.frontier.leases import claim
from gleanery.domains.models import Domain
from gleanery.errors import Invalid
from gleanery.extraction.models import Observation
from gleanery.feeds import tasks
from gleanery.feeds.finding.candidates import SeenSign, choose_candidates
from gleanery.feeds.models import Feed
from gleanery.feeds.platform import Sign
from gleanery.feeds.platforms import BY_NAME
from gleanery.review.models import Item
from gleanery.review.sources import source_decisions
from gleanery.review.sources.dossier import dossier_of
from tests.crawling.conftest import approved, crawl, finish
from tests.feeds.conftest import Serve, calendar, event_payloads, feed_of, read, read_again, waiting
from tests.feeds.hosts import Reply, ics

HOME = """
<html><head><link rel="alternate" type="text/calendar" href="/choir.ics" title="All events">
<link rel="alternate" type="application/rss+xml" href="/news.xml" title="News"></head>
<body><h1>Mill House</h1><p>Choirs and fairs.</p><a href="/about">About us</a>
<a href="webcal://calendars.example/walks.ics">Walks</a></body></html>
"""
ABOUT = '<html><body><h1>About</h1><p>We are the mill.</p><a href="/choir.ics">Calendar</a></body></html>'
NEWS = """<rss version="2.0"><channel><title>News</title><item><title>We have a new roof</title>
<link>http://mill.example/roof</link></item></channel></rss>"""
WEB = {
    "mill.example": {
        "/": Reply(HOME),
        "/about": Reply(ABOUT),
        "/choir.ics": ics(calendar(("c1@mill", "Choir", 16), ("f1@mill", "Fair", 20))),
        "/news.xml": Reply(NEWS, "application/rss+xml"),
    },
}


def look(kind: str) -> None:
    """Run the job that a finished crawl queues."""
    job = ProcrastinateJob.objects.filter(task_name__endswith="look_for_feeds").latest("id")
    assert list(job.args) == [kind]
    tasks.look_for_feeds(**job.args)


def previewed(name: str = "mill.example") -> Domain:
    domain = waiting(name)
    row = crawling.preview(domain)
    assert row is not None
    assert finish(row).status == "completed"
    look("preview")
    return domain


def feeds_of(domain: Domain) -> dict[str, Feed]:
    return {each.url.removeprefix("http://mill.example"): each for each in Feed.objects.filter(domain=domain)}


@pytest.mark.django_db(transaction=True)
def test_a_preview_finds_feeds_and_the_dossier_shows_their_samples(serve: Serve) -> None:
    hosts = serve(WEB)
    domain = previewed()
    before = hosts.asked("mill.example")
    found = feeds_of(domain)
    assert set(found) == {"/choir.ics", "/news.xml", "https://calendars.example/walks.ics"}
    assert {path for path, feed in found.items() if feed.is_guess} == {"/news.xml"}
    assert found["/choir.ics"].found_on == "http://mill.example/"
    read(found["/choir.ics"], found["/news.xml"])
    assert hosts.asked("mill.example") == [*before, "/choir.ics", "/news.xml"]
    shown = {each["url"]: each for each in dossier_of(domain).feeds}
    choir = shown["http://mill.example/choir.ics"]
    assert (choir["state"], choir["title"], choir["sentence"]) == ("found", "All events", "It has 2 events.")
    assert [each["name"] for each in choir["sample"]] == ["Choir", "Fair"]
    assert "http://mill.example/news.xml" not in shown
    news = found["/news.xml"]
    assert (news.state, news.due_at) == ("removed", None)
    assert news.state_reason == "The feed has no events: none of its items has a date."
    assert not Observation.objects.exists()
    assert JournalEntry.objects.filter(action="find_feed").count() == 3


@pytest.mark.django_db(transaction=True)
def test_feeds_are_approved_with_their_source_except_those_left_out(serve: Serve, admin: Actor) -> None:
    hosts = serve(WEB)
    domain = previewed()
    found = feeds_of(domain)
    read(found["/choir.ics"])
    with pytest.raises(Invalid, match="no such feed to leave out"):
        source_decisions.approve(admin, domain, leave_out=["http://mill.example/other.ics"])
    item = Item.objects.filter(domain=domain, status="pending").first()
    source_decisions.approve(admin, domain, leave_out=["https://calendars.example/walks.ics"], item=item)
    choir = feeds_of(domain)["/choir.ics"]
    states = {path: feed.state for path, feed in feeds_of(domain).items()}
    assert states == {"/choir.ics": "approved", "https://calendars.example/walks.ics": "left_out", "/news.xml": "found"}
    asked = len(hosts.asked("mill.example", "/choir.ics"))
    read(choir)
    assert set(event_payloads()) == {"c1@mill", "f1@mill"}
    assert len(hosts.asked("mill.example", "/choir.ics")) == asked + 1
    source_decisions.suspend(admin, Domain.objects.get(pk=domain.pk), "It is empty.")
    read_again(choir)
    assert len(hosts.asked("mill.example", "/choir.ics")) == asked + 1


@pytest.mark.django_db(transaction=True)
def test_a_feed_is_read_before_the_pages_of_its_source(serve: Serve, admin: Actor) -> None:
    """The crawl started by the approval waits until the feed was read."""
    hosts = serve(WEB)
    domain = previewed()
    choir = feeds_of(domain)["/choir.ics"]
    before = len(hosts.asked("mill.example"))
    decision = source_decisions.approve(admin, domain)
    assert decision.crawl is not None
    assert not claim(8)
    choir.refresh_from_db()
    read(choir)
    finish(decision.crawl)
    asked = hosts.asked("mill.example")[before:]
    assert asked[0] == "/choir.ics"
    assert "/about" in asked


@pytest.mark.django_db(transaction=True)
def test_a_crawl_of_an_approved_source_approves_its_feeds(serve: Serve) -> None:
    hosts = serve(WEB)
    domain = approved("mill.example")
    crawl(domain)
    look("crawl")
    choir = feeds_of(domain)["/choir.ics"]
    assert choir.state == "found"
    read(choir)
    assert choir.state == "approved"
    assert all(each.in_feed for each in Observation.objects.filter(kind="event"))
    asked = len(hosts.asked("mill.example", "/choir.ics"))
    crawl(domain)
    assert len(hosts.asked("mill.example", "/choir.ics")) == asked
    look("crawl")
    assert Feed.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_covered_feed_is_not_read_while_the_other_works(serve: Serve) -> None:
    hosts = serve(WEB)
    domain = approved("mill.example")
    whole = feed_of(domain, "http://mill.example/api", "localist", covers=["http://mill.example/choir.ics"])
    covered = feed_of(domain, "http://mill.example/choir.ics")
    read(covered)
    assert (covered.asked_at, hosts.asked("mill.example")) == (None, [])
    read(whole)
    assert whole.failures == 1
    read(covered)
    assert covered.brings == 2


def seen(name: str, url: str, page: str = "http://mill.example/", depth: int = 0, **sign: Any) -> SeenSign:
    return SeenSign(platform=BY_NAME[name], sign=Sign(url=url, **sign), page=page, depth=depth)


def test_single_event_files_are_no_feeds_and_guesses_are_limited() -> None:
    pages = [
        seen("icalendar", f"http://mill.example/event/{n}.ics", page=f"http://mill.example/event/{n}", depth=2)
        for n in range(40)
    ]
    everywhere = [seen("icalendar", "http://mill.example/all.ics", page=each.page, depth=2) for each in pages]
    guesses = [seen("squarespace", f"http://mill.example/events{n}", guess=True) for n in range(9)]
    found = choose_candidates([*pages, *everywhere, *guesses])
    urls = [each.url for each in found]
    assert "http://mill.example/all.ics" in urls
    assert sum(each.platform.name == "icalendar" for each in found) == 5
    assert sum(each.is_guess for each in found) == 5


def test_an_address_without_a_domain_is_no_feed_and_the_nearest_page_is_kept() -> None:
    found = choose_candidates(
        [
            seen("icalendar", "http://127.0.0.1/a.ics"),
            seen("icalendar", "http://mill.example/a.ics", page="http://mill.example/deep", depth=2),
            seen("icalendar", "http://www.mill.example/a.ics", page="http://mill.example/", depth=0, title="All"),
            seen("icalendar", "http://mill.example/a.ics", page="http://mill.example/", depth=0, title="All"),
        ]
    )
    assert {(each.url, each.host, each.page) for each in found} == {
        ("http://mill.example/a.ics", "mill.example", "http://mill.example/"),
        ("http://www.mill.example/a.ics", "mill.example", "http://mill.example/"),
    }


def test_known_feeds_are_always_kept() -> None:
    many = [seen("icalendar", f"http://mill.example/{n}.ics") for n in range(9)]
    known = frozenset(each.sign.url for each in many)
    assert len(choose_candidates(many, known)) == 9


@pytest.mark.django_db
def test_a_rejected_source_is_not_searched() -> None:
    domain = approved("mill.example", approval_status="rejected", rejection_reason="No.")
    row = domain.crawls.create(kind="preview", max_depth=1, max_pages=1, asked_by=system().user)
    tasks.look_for_feeds(preview=str(row.pk))
    assert not Feed.objects.exists()
