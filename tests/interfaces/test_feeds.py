"""Feeds in command line, API and console: list, add, check, remove, leave out; and import from an address."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.models import JournalEntry
from gleanery.feeds.models import Feed
from gleanery.review.models import Item
from gleanery.roles import Role, Scope
from tests.crawling.conftest import approved
from tests.feeds.conftest import Serve, calendar, feed_of, serve, waiting
from tests.feeds.hosts import Hosts, Reply, as_json, ics
from tests.interfaces.conftest import Run, told
from tests.review.shop import proposed

__all__ = ["serve"]

Bearer = Callable[..., dict[str, str]]
FEEDS = "/api/v1/admin/feeds"
URL = "http://mill.example/choir.ics"
EVENTS = calendar(("c1@mill", "Choir", 16), ("f1@mill", "Fair", 20)) + calendar(("x@mill", "", 3))
CSV = "id,name,kind,locality\n1,Mill House,place,Wickerby\n"
API = {
    "events": [{"id": 7, "title": "Talk", "start_date": "2099-12-05 19:00:00", "timezone": "Europe/Sofia"}, {"id": 8}]
}
PAGE = Reply('<html><link rel="alternate" type="text/calendar" href="/choir.ics"><p>Mill</p></html>')
WEB = {
    "mill.example": {
        "/choir.ics": ics(EVENTS),
        "/": PAGE,
        "/list": Reply(CSV, "text/csv"),
        "/wp-json/tribe/events/v1/events": as_json(API),
        "/secret.ics": ics(EVENTS),
        "/robots.txt": Reply("User-agent: *\nDisallow: /secret\n", "text/plain"),
    }
}


@pytest.fixture(scope="module")
def web() -> Iterator[Hosts]:
    with Hosts(WEB) as hosts:
        yield hosts


@pytest.fixture
def ask(client: Client, bearer: Bearer) -> Callable[..., Any]:
    keys = bearer(Scope.READ, Scope.DECIDE)

    def make(method: str, address: str, body: Any = None) -> Any:
        text = "" if body is None else json.dumps(body)
        return client.generic(method, f"{FEEDS}{address}", text, content_type="application/json", headers=keys)

    return make


@pytest.mark.django_db(transaction=True)
def test_a_feed_is_checked_added_shown_left_out_and_removed_through_the_api(serve: Serve, ask: Any) -> None:
    serve(WEB)
    approved("mill.example")
    checked = ask("POST", "/check", {"url": URL}).json()
    assert (checked["platform"], checked["events"], checked["title"]) == ("icalendar", 2, "Mill House")
    assert [each["name"] for each in checked["sample"]] == ["Choir", "Fair"]
    assert len(checked["problems"]) == 1
    assert not Feed.objects.exists()
    answer = ask("POST", "", {"domain": "mill.example", "url": URL})
    assert answer.status_code == 200, answer.content
    added = answer.json()
    assert (added["state"], added["domain"], added["allowed_actions"]) == (
        "approved",
        "mill.example",
        ["leave_out", "remove"],
    )
    assert ask("POST", "", {"domain": "mill.example", "url": URL}).status_code == 409
    assert [each["id"] for each in ask("GET", "?domain=mill.example").json()["items"]] == [added["id"]]
    assert ask("GET", "?state=found").json()["items"] == []
    assert ask("POST", f"/{added['id']}/check").json()["events"] == 2
    assert ask("POST", f"/{added['id']}/leave-out").json()["state"] == "left_out"
    assert ask("POST", f"/{added['id']}/approve").json()["state"] == "approved"
    removed = ask("POST", f"/{added['id']}/remove", {"reason": "Last year's."}).json()
    assert (removed["state"], removed["sentence"], removed["due_at"]) == ("removed", "Last year's.", None)
    assert ask("GET", "").json()["items"] == []
    assert ask("GET", f"/{added['id']}").json()["state"] == "removed"
    actions = list(JournalEntry.objects.filter(subject_kind="feed").order_by("id").values_list("action", flat=True))
    assert actions == ["find_feed", "approve", "leave_out", "approve", "remove"]
    assert ask("POST", "", {"domain": "mill.example", "url": URL}).json()["state"] == "approved"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("url", "status", "said"),
    [
        (
            "http://mill.example/",
            422,
            "It links to these feeds:\nhttp://mill.example/choir.ics",
        ),
        ("http://mill.example/list", 422, "This is not a readable feed."),
        ("http://mill.example/none", 424, "The feed was not found (status 404). Nothing was stored."),
        ("http://mill.example/secret.ics", 424, "robots.txt of mill.example asks us not to read it."),
        ("http://127.0.0.1/x.ics", 424, "This is not a web address that can be fetched."),
        ("ftp://mill.example/x.ics", 422, "Only addresses that begin with http:// or https:// are fetched."),
    ],
)
def test_an_address_without_a_feed_is_refused_with_a_sentence(
    serve: Serve, ask: Any, url: str, status: int, said: str
) -> None:
    serve(WEB)
    answer = ask("POST", "/check", {"url": url})
    assert answer.status_code == status, answer.content
    assert said in answer.json()["detail"]


@pytest.mark.django_db
def test_the_api_approves_a_source_without_one_of_its_feeds(client: Client, bearer: Bearer) -> None:
    domain = waiting("mill.example")
    kept, left = (feed_of(domain, f"http://mill.example/{name}.ics", state="found") for name in "ab")
    answer = client.post(
        f"/api/v1/admin/domains/{domain.pk}/approve",
        json.dumps({"leave_out": [str(left.pk)]}),
        content_type="application/json",
        headers=bearer(Scope.DECIDE),
    )
    assert answer.status_code == 200, answer.content
    assert {feed.url[-5:]: feed.state for feed in Feed.objects.all()} == {"a.ics": "approved", "b.ics": "left_out"}
    assert kept.domain_id == domain.pk


@pytest.mark.django_db
def test_the_dossier_shows_feeds_and_leaves_out_selected_ones(
    logged_in: Callable[[Role], Client],
) -> None:
    domain = proposed()
    item = Item.objects.get(domain=domain)
    sample = [{"name": "Choir", "start": "2099-12-05T19:30:00+02:00"}, {"name": "Fair", "start": "2099-12-06"}]
    shown = feed_of(domain, URL, state="found", title="Choir nights", sample=sample)
    left = feed_of(domain, "http://mill.example/old.ics", state="found")
    browser = logged_in(Role.REVIEWER)
    page = browser.get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert "Feeds" in page
    assert "Choir nights" in page
    assert "Choir, Sat 5 Dec 2099, 19:30<" in page
    assert "Fair, Sun 6 Dec 2099<" in page
    given = {"action": "approve", "version": item.version, "leave_out": [str(left.pk)]}
    browser.post(f"/admin/review/item/{item.pk}/act/", given)
    states = dict(Feed.objects.values_list("pk", "state"))
    assert states == {shown.pk: "approved", left.pk: "left_out"}


@pytest.mark.django_db(transaction=True)
def test_the_console_lists_adds_checks_and_removes_feeds(serve: Serve, logged_in: Callable[[Role], Client]) -> None:
    serve(WEB)
    approved("mill.example")
    browser = logged_in(Role.REVIEWER)
    answer = browser.post("/admin/feeds/feed/add/", {"domain": "mill.example", "url": "http://mill.example/none"})
    assert b"The feed was not found (status 404)" in answer.content
    assert b'value="http://mill.example/none"' in answer.content
    assert browser.post("/admin/feeds/feed/add/", {"domain": "mill.example", "url": URL}).status_code == 302
    feed = Feed.objects.get()
    page = browser.get("/admin/feeds/feed/").content.decode()
    assert "Mill House" in page
    chosen = {"_selected_action": [str(feed.pk)]}
    answer = browser.post("/admin/feeds/feed/", {"action": "check_now", **chosen}, follow=True)
    assert b"has 2 events" in answer.content
    assert b"Mill House" in browser.get(f"/admin/feeds/feed/{feed.pk}/change/").content
    browser.post("/admin/feeds/feed/", {"action": "leave_out", **chosen})
    browser.post("/admin/feeds/feed/", {"action": "approve", **chosen})
    browser.post("/admin/feeds/feed/", {"action": "remove", "reason": "Old.", **chosen})
    feed.refresh_from_db()
    assert (feed.state, feed.state_reason) == ("removed", "Old.")
    assert logged_in(Role.VIEWER).get("/admin/feeds/feed/add/").status_code == 403


def test_the_command_line_adds_lists_checks_and_removes_feeds(run: Run, web: Hosts) -> None:
    reach = {"GLEANERY_NET_RESOLVE": web.resolve}
    checked = run("feed", "check", URL, **reach)
    assert "iCalendar “Mill House”: 2 events on 1 page." in checked.stdout
    assert "Choir" in checked.stdout
    assert "Nothing was stored." in checked.stdout
    run("submit", "mill.example")
    added = told(run("feed", "add", "mill.example", URL, "--json", **reach))
    assert (added["state"], added["platform"]) == ("found", "icalendar")
    listed = told(run("feed", "list", "mill.example", "--json"))
    assert [each["url"] for each in listed] == [URL]
    approval = run("domain", "approve", "mill.example", "--leave-out", URL)
    assert approval.returncode == 0, approval.stderr
    assert told(run("feed", "list", "--json"))[0]["state"] == "left_out"
    assert told(run("feed", "remove", URL, "--reason", "Old.", "--json"))["state"] == "removed"
    assert "No matching feeds." in run("feed", "list").stdout
    unknown = run("feed", "remove", "http://mill.example/other.ics")
    assert (unknown.returncode, "There is no feed" in unknown.stderr) == (1, True)


def test_an_address_is_imported_like_a_file(run: Run, web: Hosts) -> None:
    reach = {"GLEANERY_NET_RESOLVE": web.resolve}
    wanted = ("--source", "Mill", "--json")
    dry = told(run("import", URL, *wanted, "--dry-run", **reach))
    assert (dry["rows"], dry["created"] + dry["in_review"], dry["refused"]) == (3, 2, 1)
    assert told(run("observation", "list", "--json")) == []
    stored = told(run("import", URL, *wanted, "--trust", "7", **reach))
    assert stored["created"] + stored["in_review"] == 2
    again = told(run("import", URL, *wanted, **reach))
    assert again["unchanged"] == 2
    table = told(run("import", "http://mill.example/list", *wanted, **reach))
    assert (table["rows"], table["refused"]) == (1, 0)
    feed = told(run("import", "http://mill.example/wp-json/tribe/events/v1/events", *wanted, **reach))
    assert (feed["rows"], feed["created"] + feed["in_review"]) == (2, 1)
    assert feed["refusals"] == [{"line": 2, "reason": "It has no name and was left out."}]
    page = run("import", "http://mill.example/", *wanted, **reach)
    assert page.returncode == 1
    assert "It links to these feeds" in page.stdout
    missing = run("import", "there-is-none.csv", *wanted)
    assert missing.returncode == 2
    assert "does not exist" in missing.stdout + missing.stderr
