"""Crawls in command line, API and console: a complete run with real processes, then each interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.actor import system
from gleanery.crawling import services
from gleanery.crawling.models import Crawl, Page, Snapshot, Visit
from gleanery.crawling.schedule import refresh
from gleanery.discovery.models import Session
from gleanery.domains.models import Domain
from gleanery.roles import Role, Scope
from tests.crawling.conftest import approved
from tests.crawling.pages import Plan
from tests.crawling.sites import Sites, site
from tests.data_directories import furnished
from tests.interfaces.conftest import Run, command_with, told
from tests.interfaces.test_up import environment_for, start, stop

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
CRAWLS = "/api/v1/admin/crawls"


# ---- the whole way


@dataclass
class House:
    """Start everything that `gleanery up` starts, with two sites to crawl."""

    port: int
    run: Run
    key: str

    def post(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", f"/api/v1{path}", json.dumps(body), headers)
            return json.load(connection.getresponse())
        finally:
            connection.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Sites(2, [Plan(pages=4, fan_out=2), Plan(pages=200)]) as sites:
        environment = environment_for(furnished(tmp_path_factory, "crawl")) | {"GLEANERY_NET_RESOLVE": sites.resolve}
        running = start(environment, "up")
        try:
            with command_with(environment) as run:
                scopes = ("--scope", "read", "--scope", "review:decide")
                key = told(run("key", "add", "curator", *scopes, "--json"))["key"]
                yield House(running.port, run, key)
        finally:
            stop(running)


@pytest.mark.xdist_group("crawl")
def test_a_submitted_site_is_approved_crawled_and_reported(house: House) -> None:
    said = told(house.run("submit", f"http://{site(0)}/", "--context", "A test", "--json"))
    assert said["outcome"] == "submitted"
    waiting = told(house.run("domain", "show", site(0), "--json"))
    assert waiting["next_look"] == {"at": None, "reason": "It is not approved, so it is not crawled."}
    refused = house.run("crawl", site(0))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"{site(0)} is not approved, so it is not crawled." in refused.stderr
    answer = house.post(f"/admin/domains/{waiting['id']}/approve", {"rate": 1})
    assert answer["said"].endswith("Crawling started. Check back in a few minutes.")
    crawled = told(house.run("crawl", site(0), "--json"))
    assert (crawled["domain"], crawled["status"]) == (site(0), "completed")
    assert crawled["numbers"]["states"]["queued"] == 0
    assert {"count": 1, "state": "refused", "reason": "robots.txt asks us not to visit it."} in (
        crawled["numbers"]["reasons"]
    )
    facts = told(house.run("domain", "show", site(0), "--json"))
    assert facts["processing_status"] in ("crawled", "processed_high_quality", "processed_low_quality")
    assert (facts["page_counts"]["pages"], facts["unproductive"]) == (4, [])
    assert facts["next_look"]["reason"] == "It is crawled every 24 hours."
    assert {each["url"] for each in facts["pages"]} == {f"http://{site(0)}/{path}" for path in ("", *PAGES)}
    assert all(each["due_at"] and each["due_reason"].endswith(".") for each in facts["pages"])
    shown = house.run("domain", "show", site(0)).stdout
    assert "reason" in shown
    assert f"http://{site(0)}/page/3" in shown


PAGES = ("page/1", "page/2", "page/3")


@pytest.mark.xdist_group("crawl")
def test_a_crawl_cancelled_by_command_stays_cancelled(house: House) -> None:
    told(house.run("submit", f"http://{site(1)}/", "--json"))
    told(house.run("domain", "approve", site(1), "--json"))
    assert told(house.run("crawl", site(1), "--cancel", "--json"))["status"] == "cancelled"
    facts = told(house.run("domain", "show", site(1), "--json"))
    assert facts["next_look"]["reason"] == "Its last crawl was cancelled."
    assert told(house.run("crawl", "--all", "--due", "--json")) == {"started": 0}
    again = house.run("crawl", site(1), "--cancel")
    assert (again.returncode, again.stdout) == (1, "")
    assert f"{site(1)} is not being crawled." in again.stderr


@pytest.mark.xdist_group("crawl")
@pytest.mark.parametrize("arguments", [["nobody.example"], ["nobody.example", "--cancel"]])
def test_an_unknown_domain_gets_a_sentence(house: House, arguments: list[str]) -> None:
    answer = house.run("crawl", *arguments)
    assert answer.returncode == 1
    assert "nobody.example is not known yet." in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.xdist_group("crawl")
@pytest.mark.parametrize("arguments", [[], [site(0), "--all"]])
def test_either_one_domain_or_all_must_be_given(house: House, arguments: list[str]) -> None:
    answer = house.run("crawl", *arguments)
    assert answer.returncode == 2
    assert "Give one domain, or use --all." in answer.stderr


# ---- the API


def crawled(name: str = "iskra.bg", status: str = "running") -> Crawl:
    """Return a crawl with three different visits."""
    row = services.request_crawl(system(), approved(name))
    Crawl.objects.filter(pk=row.pk).update(status=status)
    for path, state, reason in (("", "stored", ""), ("x", "failed", "It timed out."), ("y", "queued", "")):
        Visit.objects.create(crawl=row, url=f"https://{name}/{path}", depth=0, state=state, reason=reason)
    row.refresh_from_db()
    return row


def test_the_api_shows_crawls_with_figures_and_visits(db: None, client: Client, bearer: Bearer) -> None:
    row, key = crawled(), bearer(Scope.READ)
    crawled("other.bg", "completed")

    def get(path: str = "") -> Any:
        answer = client.get(CRAWLS + path, headers=key)
        assert answer.status_code == 200, answer.content
        return answer.json()

    assert [each["domain"] for each in get()["items"]] == ["other.bg", "iskra.bg"]
    assert [each["domain"] for each in get("?status=running")["items"]] == ["iskra.bg"]
    assert [each["domain"] for each in get("?domain=other.bg&kind=full")["items"]] == ["other.bg"]
    first = get("?limit=1")
    assert [each["domain"] for each in get(f"?cursor={first['next_cursor']}")["items"]] == ["iskra.bg"]
    shown = get(f"/{row.pk}")
    assert (shown["status"], shown["max_pages"], shown["numbers"]["visited"]) == ("running", 500, 2)
    assert shown["numbers"]["states"]["queued"] == 1
    assert len(get(f"/{row.pk}/visits")["items"]) == 3
    (failed,) = get(f"/{row.pk}/visits?state=failed")["items"]
    assert (failed["url"], failed["reason"]) == ("https://iskra.bg/x", "It timed out.")
    assert client.get(f"{CRAWLS}/{row.domain_id}", headers=key).status_code == 404


def test_a_read_key_cannot_cancel_a_crawl(db: None, client: Client, bearer: Bearer) -> None:
    address = f"{CRAWLS}/{crawled().pk}/cancel"
    assert client.post(address).status_code == 401
    assert client.post(address, headers=bearer(Scope.READ)).status_code == 403
    assert Crawl.objects.get().status == "running"
    answer = client.post(address, headers=bearer(Scope.DECIDE))
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert client.post(address, headers=bearer(Scope.DECIDE)).status_code == 409


def test_the_pages_of_a_domain_and_when_each_is_due(db: None, client: Client, bearer: Bearer) -> None:
    domain = hostile_page().domain
    address = f"/api/v1/admin/domains/{domain.pk}/pages"
    assert client.get(address).status_code == 401
    (page,) = client.get(address, headers=bearer(Scope.READ)).json()
    assert (page["url"], page["due_reason"]) == ("https://iskra.bg/", "A <b>test</b>.")


# ---- the console

ATTACK = "<script>alert(1)</script>"
HARMLESS = "&lt;script&gt;alert(1)&lt;/script&gt;"


def hostile_page() -> Page:
    domain = approved("iskra.bg")
    page = Page.objects.create(domain=domain, url="https://iskra.bg/", depth=0, due_reason="A <b>test</b>.")
    kept = Snapshot.objects.create(
        page=page,
        url=page.url,
        content_hash=b"x" * 32,
        content_type="text/html",
        raw=b"x",
        raw_size=1,
        title=f"Title {ATTACK}",
        text=f"Text {ATTACK}\n\n[link](javascript:alert(1))",
        types=[ATTACK],
        language="en",
    )
    Page.objects.update(current_snapshot=kept)
    return page


def seen(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_crawls_are_listed_with_their_results(db: None, logged_in: LoggedIn) -> None:
    row, _ = crawled(), crawled("other.bg", "completed")
    listed = seen(logged_in(Role.VIEWER), "/admin/crawling/crawl/")
    assert "iskra.bg" in listed
    assert "other.bg" in listed
    only = seen(logged_in(Role.VIEWER), f"/admin/crawling/crawl/?domain__id__exact={row.domain_id}")
    assert "iskra.bg" in only
    assert "other.bg" not in only


def test_the_page_of_a_crawl_is_live_and_complete_at_the_end(db: None, logged_in: LoggedIn) -> None:
    row, browser = crawled(), logged_in(Role.VIEWER)
    Visit.objects.filter(state="failed").update(reason=ATTACK, url=f"https://iskra.bg/{ATTACK}")
    live = f"/admin/crawling/crawl/{row.pk}/live/"
    fragment = seen(browser, live)
    assert f'hx-get="{live}"' in fragment
    assert "<html" not in fragment
    assert fragment in seen(browser, f"/admin/crawling/crawl/{row.pk}/change/")
    services.cancel(system(), row, "Enough.")
    fragment = seen(browser, live)
    assert "hx-get" not in fragment
    assert "Enough." in fragment
    assert HARMLESS in fragment
    assert ATTACK not in fragment
    assert 'name="_save"' not in seen(logged_in(Role.ADMIN), f"/admin/crawling/crawl/{row.pk}/change/")
    assert browser.get(f"/admin/crawling/crawl/{row.domain_id}/live/").status_code == 404
    assert Client().get(live).status_code == 302


def test_a_crawl_is_stopped_only_by_post_and_with_permission(db: None, logged_in: LoggedIn) -> None:
    row = crawled()
    page, stop = f"/admin/crawling/crawl/{row.pk}/change/", f"/admin/crawling/crawl/{row.pk}/stop/"
    assert stop not in seen(logged_in(Role.VIEWER), page)
    assert stop in seen(logged_in(Role.REVIEWER), page)
    logged_in(Role.REVIEWER).get(stop)
    assert "the role reviewer" in logged_in(Role.VIEWER).post(stop, follow=True).content.decode()
    Client().post(stop)
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = logged_in(Role.REVIEWER).cookies
    assert careful.post(stop).status_code == 403
    assert Crawl.objects.get().status == "running"
    said = logged_in(Role.REVIEWER).post(stop, follow=True).content.decode()
    assert "was cancelled." in said
    assert Crawl.objects.get().status == "cancelled"
    assert stop not in seen(logged_in(Role.REVIEWER), page)


def test_hostile_page_content_is_escaped(db: None, logged_in: LoggedIn) -> None:
    page, browser = hostile_page(), logged_in(Role.VIEWER)
    for address in ("/admin/crawling/page/", f"/admin/crawling/page/{page.pk}/change/"):
        source = seen(browser, address)
        assert ATTACK not in source
        assert "<b>test</b>" not in source
        assert "A &lt;b&gt;test&lt;/b&gt;." in source
    assert f"Title {HARMLESS}" in source
    assert f"Text {HARMLESS}<br><br>[link](javascript:alert(1))" in source
    assert 'href="javascript' not in source


def test_the_page_of_a_domain_links_to_its_pages_and_crawls(db: None, logged_in: LoggedIn) -> None:
    domain, browser = Domain.objects.get(pk=hostile_page().domain_id), logged_in(Role.VIEWER)
    source = seen(browser, f"/admin/domains/domain/{domain.pk}/change/")
    for kind in ("page", "crawl"):
        address = f"/admin/crawling/{kind}/?domain__id__exact={domain.pk}"
        assert address in source
        seen(browser, address)


def test_an_unknown_crawl_leads_back_to_the_console(logged_in: LoggedIn) -> None:
    assert logged_in(Role.VIEWER).get("/admin/crawling/crawl/nonsense/change/").status_code == 302


# ---- the deep crawl of every approved domain


@pytest.fixture
def deep_crawl(db: None) -> Session:
    for name in ("iskra.bg", "zora.bg"):
        approved(name)
    refresh.start_deep_crawls()
    Crawl.objects.filter(domain__name="iskra.bg").update(status="completed")
    return Session.objects.get()


def test_the_api_shows_the_deep_crawl_as_a_session_with_its_crawls(
    deep_crawl: Session, client: Client, bearer: Bearer
) -> None:
    headers = bearer(Scope.READ)
    (listed,) = client.get("/api/v1/admin/sessions", headers=headers).json()["items"]
    assert (listed["type"], listed["topic"], listed["status"]) == ("weekly_deep_crawl", None, "running")
    shown = client.get(f"/api/v1/admin/sessions/{deep_crawl.pk}", headers=headers).json()
    crawls = shown["numbers"]["crawls"]
    assert (crawls["crawls"], crawls["completed"], crawls["waiting"]) == (2, 1, 1)
    services.request_crawl(system(), approved("other.bg"))
    rows = client.get(shown["links"]["crawls"], headers=headers).json()["items"]
    assert {(row["domain"], row["session"]) for row in rows} == {
        (name, listed["id"]) for name in ("iskra.bg", "zora.bg")
    }


def test_the_console_shows_the_deep_crawl_as_a_session_with_its_crawls(
    deep_crawl: Session, logged_in: LoggedIn
) -> None:
    client = logged_in(Role.VIEWER)
    assert "1 of 2 crawls" in client.get("/admin/discovery/session/").content.decode()
    page = client.get(f"/admin/discovery/session/{deep_crawl.pk}/change/").content.decode()
    assert "pages unchanged" in page
    link = f"/admin/crawling/crawl/?session__id__exact={deep_crawl.pk}"
    assert link in page
    assert client.get(link).content.decode().count("/admin/crawling/crawl/0") >= 2


@pytest.mark.xdist_group("crawl")
def test_the_command_shows_the_deep_crawl_as_a_session(run: Run) -> None:
    told(run("submit", "https://iskra.bg/", "--json"))
    told(run("domain", "approve", "iskra.bg", "--json"))
    told(run("crawl", "iskra.bg", "--cancel", "--json"))
    assert told(run("crawl", "--all", "--json")) == {"started": 1}
    (session,) = told(run("session", "list", "--json"))
    assert (session["type"], session["topic"]) == ("weekly_deep_crawl", None)
    assert session["numbers"]["crawls"]["waiting"] == 1
    assert "0 of 1 crawl" in run("session", "list").stdout
    assert "full crawl of all approved domains: running" in run("session", "show", session["id"]).stdout
