"""Review queue and approvals in command line, API and console."""

import json
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gleanery.accounts.models import JournalEntry
from gleanery.crawling.models import Crawl, Page, Snapshot, Visit
from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.judging.models import Candidate, Contact
from gleanery.review.models import Item
from gleanery.review.sources import source_decisions
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told
from tests.judging.test_services import GOOD
from tests.review.shop import proposed, put, somebody

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
Call = Callable[..., Any]
QUEUE = "/api/v1/admin/review-queue"
DOMAINS = "/api/v1/admin/domains"


@pytest.fixture
def call(client: Client, bearer: Bearer) -> Call:
    """Return a client with a key that may decide; scopes and headers can be changed."""
    keys: dict[tuple[Scope, ...], dict[str, str]] = {}

    def make(method: str, address: str, body: Any = None, *scopes: Scope, **headers: str) -> Any:
        wanted = scopes or (Scope.READ, Scope.DECIDE)
        keys.setdefault(wanted, bearer(*wanted))
        return client.generic(
            method,
            address,
            "" if body is None else json.dumps(body),
            content_type="application/json",
            headers={**keys[wanted], **headers},
        )

    return make


def test_an_agent_lists_claims_and_decides_items(db: None, call: Call) -> None:
    domain = proposed()
    (item,) = call("GET", QUEUE).json()["items"]
    assert (item["domain"], item["status"], item["topic"], item["came"]) == (
        "iskra.bg",
        "pending",
        "funding-bulgaria",
        "judged",
    )
    assert (float(item["confidence"]), item["preview"]) == (0.8, "waiting")
    address = f"{QUEUE}/{item['id']}"
    shown = call("GET", address)
    assert shown.headers["ETag"] == '"1"'
    assert shown.json()["allowed_actions"] == ["approve", "reject", "claim"]
    assert shown.json()["dossier"]["settings"] == {"depth": 3, "rate": 2, "frequency": 24}
    claimed = call("POST", f"{address}/claim").json()
    assert "a test" in claimed["item"]["claimed_by"]
    assert claimed["allowed_actions"] == ["approve", "reject", "claim", "release"]
    assert call("GET", QUEUE + "?claimed=false").json()["items"] == []
    done = call("POST", f"{address}/approve", {"version": 1, "depth": 2}).json()
    assert (done["item"]["status"], done["item"]["version"], done["allowed_actions"]) == ("approved", 2, ["undo"])
    assert done["said"].endswith("Crawling started. Check back in a few minutes.")
    domain.refresh_from_db()
    assert (domain.approval_status, domain.max_crawl_depth) == ("approved", 2)
    assert call("GET", QUEUE).json()["items"] == []
    assert call("POST", f"{address}/undo").json()["item"]["status"] == "pending"
    entry = JournalEntry.objects.filter(subject_kind="review item", action="approve").get()
    assert entry.key is not None


def test_a_stale_version_and_a_foreign_claim_are_conflicts(db: None, call: Call) -> None:
    proposed()
    address = f"{QUEUE}/{Item.objects.get().pk}"
    assert call("POST", f"{address}/approve", {"version": 7}).status_code == 409
    stale = call("POST", f"{address}/reject", {"reason": "no"}, **{"If-Match": '"7"'})
    assert (stale.status_code, stale.json()["type"]) == (409, "urn:gleanery:conflict")
    assert call("POST", f"{address}/approve", {}, **{"If-Match": "x"}).status_code == 422
    call("POST", f"{address}/claim")
    other = call("POST", f"{address}/approve", {}, Scope.DECIDE)
    assert other.status_code == 409
    assert "has claimed iskra.bg until" in other.json()["detail"]
    assert call("POST", f"{address}/release", None, Scope.ADMIN).status_code == 200
    assert call("POST", f"{address}/reject", {"reason": "no"}, Scope.DECIDE).json()["item"]["status"] == "rejected"
    assert call("POST", f"{address}/claim").status_code == 409
    assert call("GET", f"{QUEUE}/{Domain.objects.get().pk}").status_code == 404


def test_a_rejection_needs_a_reason_and_agents_cannot_blacklist(db: None, call: Call) -> None:
    proposed()
    address = f"{QUEUE}/{Item.objects.get().pk}/reject"
    assert call("POST", address, {}).status_code == 422
    assert call("POST", address, {"reason": " "}).status_code == 422
    assert call("POST", address, {"reason": "spam", "blacklist": True}).status_code == 403
    assert Domain.objects.get().approval_status == "pending_review"
    assert call("POST", address, {"reason": "spam", "blacklist": True}, Scope.ADMIN).status_code == 200
    assert Domain.objects.get().processing_status == "blacklisted"


def test_the_queue_has_filters_and_pages_in_both_orders(db: None, call: Call) -> None:
    put("rejected", "old.iskra.bg")
    for name in ("iskra.bg", "bb.bg", "cc.bg"):
        proposed(name)
    found = call("GET", QUEUE + "?warning=sibling_rejected").json()["items"]
    assert [each["domain"] for each in found] == ["iskra.bg"]
    assert found[0]["warnings"][0]["detail"] == {"count": 1, "domains": ["old.iskra.bg"]}
    assert [each["domain"] for each in call("GET", QUEUE + "?status=rejected").json()["items"]] == ["old.iskra.bg"]
    assert len(call("GET", QUEUE + "?status=").json()["items"]) == 4
    assert call("GET", QUEUE + "?topic=no-such").json()["items"] == []
    assert call("GET", QUEUE + "?kind=record").json()["items"] == []
    for order, expected in (("oldest", ["iskra.bg", "bb.bg", "cc.bg"]), ("newest", ["cc.bg", "bb.bg", "iskra.bg"])):
        seen: list[str] = []
        cursor = ""
        while cursor is not None:
            page = call("GET", f"{QUEUE}?order={order}&limit=2" + (f"&cursor={cursor}" if cursor else "")).json()
            seen += [each["domain"] for each in page["items"]]
            cursor = page["next_cursor"]
        assert seen == expected


def test_the_queue_has_a_constant_number_of_queries(db: None, call: Call, logged_in: LoggedIn) -> None:
    browser = logged_in(Role.REVIEWER)
    counts: dict[str, list[int]] = {"api": [], "console": []}
    proposed("first.bg")
    call("GET", QUEUE)
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            call("GET", QUEUE)
        counts["api"].append(len(queries))
        with CaptureQueriesContext(connection) as queries:
            browser.get("/admin/review/item/")
        counts["console"].append(len(queries))
        for number in range(5):
            proposed(f"more{number}.first.bg") if len(counts["api"]) == 1 else None
    assert counts["api"][0] == counts["api"][1]
    assert counts["console"][0] == counts["console"][1]


def test_domains_have_their_own_routes_for_decisions(db: None, call: Call) -> None:
    domain = registry.register("iskra.bg")
    address = f"{DOMAINS}/{domain.pk}"
    approved = call("POST", f"{address}/approve", {"rate": 5}).json()
    assert (approved["domain"]["approval_status"], approved["domain"]["crawl_rate_limit_seconds"]) == ("approved", 5)
    assert "Crawling started" in approved["said"]
    assert approved["crawl"] == str(Crawl.objects.get().pk)
    assert call("POST", f"{address}/approve").status_code == 409
    for action, state in (("suspend", "suspended"), ("resume", "approved"), ("undo", "pending_review")):
        assert call("POST", f"{address}/{action}").json()["domain"]["approval_status"] == state
    rejected = call("POST", f"{address}/reject", {"reason": "no"}).json()["domain"]
    assert (rejected["approval_status"], rejected["rejection_reason"]) == ("rejected", "no")
    assert rejected["reviewed_by"] == "some-admin"
    changed = call("POST", f"{address}/configure", {"depth": 6, "frequency": 48}).json()["domain"]
    assert (changed["max_crawl_depth"], changed["scrape_frequency_hours"]) == (6, 48)
    assert call("POST", f"{address}/configure", {"depth": 7}).status_code == 422
    assert call("POST", f"{address}/crawl").status_code == 409
    assert call("POST", f"{address}/trust").status_code == 403
    assert call("POST", f"{address}/trust", None, Scope.ADMIN).json()["domain"]["is_trusted"] is True
    assert call("POST", f"{address}/untrust", None, Scope.ADMIN).json()["domain"]["is_trusted"] is False


def test_crawl_now_reads_every_page(db: None, call: Call) -> None:
    domain = put("approved")
    answer = call("POST", f"{DOMAINS}/{domain.pk}/crawl").json()
    assert "Crawling started" in answer["said"]
    assert Crawl.objects.get(pk=answer["crawl"]).kind == "deep"


def test_people_can_decide_about_many_domains(db: None, logged_in: LoggedIn, call: Call) -> None:
    proposed("iskra.bg"), proposed("bb.bg")
    browser = logged_in(Role.REVIEWER)

    def bulk(**given: Any) -> Any:
        return browser.post(f"{DOMAINS}/bulk", given, "application/json")

    answer = bulk(action="approve", domains=["iskra.bg", "nobody.bg"]).json()
    assert [each["name"] for each in answer["done"]] == ["iskra.bg"]
    assert answer["refused"] == [
        {"given": "nobody.bg", "reason": "nobody.bg is not known yet. To add it, submit it as a source."}
    ]
    assert bulk(action="suspend", domains=["iskra.bg"]).json()["done"][0]["approval_status"] == "suspended"
    assert bulk(action="resume", domains=["iskra.bg"]).json()["done"][0]["approval_status"] == "approved"
    assert bulk(action="reject", domains=["bb.bg"]).status_code == 422
    assert bulk(action="reject", domains=["bb.bg"], reason="no").json()["done"][0]["approval_status"] == "rejected"
    assert bulk(action="blacklist", domains=["bb.bg"]).status_code == 422
    assert bulk(action="blacklist", domains=["bb.bg"], reason="spam").json()["done"][0]["name"] == "bb.bg"
    assert bulk(action="dance", domains=["bb.bg"]).status_code == 422
    assert call("POST", f"{DOMAINS}/bulk", {"action": "approve", "domains": ["bb.bg"]}).status_code == 403


def test_a_candidate_shows_the_status_of_its_open_item(db: None, call: Call, logged_in: LoggedIn) -> None:
    proposed()
    item = Item.objects.get()

    def shown() -> str:
        return str(call("GET", "/api/v1/admin/candidates").json()["items"][0]["shown_status"])

    assert shown() == "pending_review"
    assert call("GET", "/api/v1/admin/candidates?status=in_review").json()["items"] == []
    call("POST", f"{QUEUE}/{item.pk}/claim")
    assert shown() == "in_review"
    assert len(call("GET", "/api/v1/admin/candidates?status=in_review").json()["items"]) == 1
    assert "in review" in logged_in(Role.VIEWER).get("/admin/judging/candidate/").content.decode()
    call("POST", f"{QUEUE}/{item.pk}/approve")
    assert shown() == "approved"


def seen_site(domain: Domain) -> None:
    """Store the result of a preview with one page that was read and one that was not."""
    crawl = Crawl.objects.get(domain=domain)
    page = Page.objects.create(domain=domain, url="https://iskra.bg/", depth=0)
    snapshot = Snapshot.objects.create(
        page=page,
        url=page.url,
        content_hash=b"x" * 32,
        content_type="text/html",
        raw=b"",
        raw_size=0,
        title="Фондация <b>Искра</b>",
        outbound=["partner.example", "bnr.bg"],
        types=["Organization"],
    )
    Page.objects.update(current_snapshot=snapshot)
    Visit.objects.create(crawl=crawl, url=page.url, depth=0, state="stored", status=200, snapshot=snapshot)
    Visit.objects.create(crawl=crawl, url="https://iskra.bg/x", depth=1, state="failed", reason="It timed out.")
    Crawl.objects.update(status="completed")


def test_the_page_of_an_item_shows_the_dossier(db: None, logged_in: LoggedIn) -> None:
    put("rejected", "old.iskra.bg")
    domain = proposed()
    seen_site(domain)
    Contact.objects.create(candidate=Candidate.objects.get(domain=domain), name="Desk", email="desk@iskra.bg")
    item = Item.objects.get(status="pending")
    page = logged_in(Role.VIEWER).get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert "Another domain of the same owner was rejected" in page
    for text in ("old.iskra.bg", "Фондация &lt;b&gt;Искра", "It timed out.", "partner.example (1)"):
        assert text in page, text
    for text in ("Organization (1)", "desk@iskra.bg", "1 page could be read", "3 links deep", "funding-bulgaria"):
        assert text in page, text
    assert 'value="approve"' not in page
    assert 'value="approve"' in logged_in(Role.REVIEWER).get(f"/admin/review/item/{item.pk}/change/").content.decode()


def test_a_reviewer_decides_and_undoes_without_javascript(db: None, logged_in: LoggedIn) -> None:
    domain, browser = proposed(), logged_in(Role.REVIEWER)
    item = Item.objects.get()
    address = f"/admin/review/item/{item.pk}/act/"
    browser.get(address, {"action": "approve"})
    assert Item.objects.get().status == "pending"
    page = browser.post(address, {"action": "claim"}, follow=True).content.decode()
    assert "You have claimed iskra.bg for 15 minutes." in page
    page = browser.post(address, {"action": "approve", "version": "1"}, follow=True)
    assert page.redirect_chain[-1][0] == "/admin/review/item/"
    assert "Crawling started. Check back in a few minutes." in page.content.decode()
    browser.post(address, {"action": "undo", "version": "2"})
    domain.refresh_from_db()
    assert domain.approval_status == "pending_review"
    page = browser.post(address, {"action": "reject", "reason": ""}, follow=True).content.decode()
    assert "needs a reason" in page
    page = browser.post(address, {"action": "approve", "version": "1"}, follow=True).content.decode()
    assert "has changed since you opened it" in page
    browser.post(address, {"action": "reject", "reason": "spam", "blacklist": "yes"})
    domain.refresh_from_db()
    assert (domain.approval_status, domain.processing_status) == ("rejected", "blacklisted")


def test_a_viewer_cannot_decide_in_the_console(db: None, logged_in: LoggedIn) -> None:
    domain, browser = proposed(), logged_in(Role.VIEWER)
    for address in (f"/admin/review/item/{Item.objects.get().pk}/act/", f"/admin/domains/domain/{domain.pk}/act/"):
        page = browser.post(address, {"action": "approve"}, follow=True).content.decode()
        assert "the role reviewer" in page
    assert Domain.objects.get().approval_status == "pending_review"


def test_short_addresses_lead_to_the_queue(db: None, logged_in: LoggedIn) -> None:
    proposed()
    browser = logged_in(Role.REVIEWER)
    assert "iskra.bg" in browser.get("/admin/review-queue", follow=True).content.decode()
    answer = browser.get("/admin/duplicates", follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/review/item/?warning=potential_duplicate"
    assert "iskra.bg" not in answer.content.decode().split('id="changelist-form"')[-1]
    assert "Review queue" in browser.get("/admin/").content.decode()
    for query in ("status=all", "kind=source", "topic=funding-bulgaria", "claimed=no", "q=iskra", "status=approved"):
        found = "iskra.bg" in browser.get(f"/admin/review-queue?{query}", follow=True).content.decode()
        assert found == (query != "status=approved"), query
    assert browser.get("/admin/review/item/01a1df5a-0000-7000-8000-000000000000/change/").status_code == 404


def test_items_and_domains_are_decided_in_lists(db: None, logged_in: LoggedIn) -> None:
    browser = logged_in(Role.ADMIN)
    first, second = proposed("iskra.bg"), proposed("bb.bg")
    chosen = {"action": "approve", "_selected_action": str(Item.objects.get(domain=first).pk)}
    browser.post("/admin/review/item/", chosen)
    chosen = {"action": "reject", "_selected_action": str(Item.objects.get(domain=second).pk)}
    assert "Why?" in browser.post("/admin/review/item/", chosen).content.decode()
    browser.post("/admin/review/item/", {**chosen, "reason": "no"})
    states = dict(Domain.objects.values_list("name", "approval_status"))
    assert states == {"iskra.bg": "approved", "bb.bg": "rejected"}
    Crawl.objects.update(status="cancelled")
    for action, state in (
        ("suspend", "suspended"),
        ("resume", "approved"),
        ("trust", "approved"),
        ("undo", "pending_review"),
        ("approve", "approved"),
    ):
        browser.post("/admin/domains/domain/", {"action": action, "_selected_action": str(first.pk)})
        assert Domain.objects.get(pk=first.pk).approval_status == state, action


def test_the_page_of_a_domain_has_decisions_and_crawl_settings(db: None, logged_in: LoggedIn) -> None:
    domain, browser = proposed(), logged_in(Role.ADMIN)
    address = f"/admin/domains/domain/{domain.pk}"
    page = browser.get(f"{address}/change/").content.decode()
    for action in ("approve", "reject", "trust"):
        assert f'value="{action}"' in page
    assert "Its review item" in page
    page = browser.post(f"{address}/act/", {"action": "approve"}, follow=True).content.decode()
    assert "Crawling started" in page
    assert 'value="suspend"' in page
    form = {"notes": "", "max_crawl_depth": "5", "initial-max_crawl_depth": "3", "crawl_rate_limit_seconds": "2"}
    browser.post(f"{address}/change/", {**form, "initial-crawl_rate_limit_seconds": "2"})
    domain.refresh_from_db()
    assert (domain.max_crawl_depth, domain.crawl_rate_limit_seconds) == (5, 2)
    source_decisions.configure(somebody(Role.REVIEWER), domain, rate=60)
    browser.post(f"{address}/change/", {**form, "initial-crawl_rate_limit_seconds": "2"})
    domain.refresh_from_db()
    assert domain.crawl_rate_limit_seconds == 60, "an old page does not undo what happened since"
    assert JournalEntry.objects.filter(action="configure").count() == 2
    page = browser.post(f"{address}/change/", {**form, "max_crawl_depth": "9"}).content.decode()
    assert "less than or equal to 6" in page


@pytest.mark.xdist_group("review")
def test_a_complete_review_on_the_command_line(run: Run) -> None:
    told(run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--json"))

    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for name in ("iskra.bg", "svetlina.bg"):
            row = {"url": f"https://{name}/", "title": GOOD[0], "description": GOOD[1]}
            file.write(json.dumps(row) + "\n")
        file.flush()
        told(run("discover", "--topic", "funding-bulgaria", "--file", file.name, "--json"))
    listed = told(run("review", "list", "--json"))
    assert {each["domain"] for each in listed} == {"iskra.bg", "svetlina.bg"}
    assert "iskra.bg" in run("review", "list").stdout
    item = next(each for each in listed if each["domain"] == "iskra.bg")
    shown = told(run("review", "show", "www.iskra.bg", "--json"))
    assert shown["item"]["id"] == item["id"]
    assert "Judged for funding-bulgaria" in run("review", "show", item["id"]).stdout
    assert told(run("review", "claim", item["id"], "--json"))["item"]["claimed_by"].startswith("cli:")
    assert told(run("review", "release", item["id"], "--json"))["item"]["claimed_by"] == ""
    said = run("review", "approve", "iskra.bg", "--depth", "2").stdout
    assert "Crawling started. Check back in a few minutes." in said
    facts = told(run("domain", "show", "iskra.bg", "--json"))
    assert (facts["approval_status"], facts["max_crawl_depth"]) == ("approved", 2)
    assert facts["reviewed_by"].startswith("cli:")
    assert told(run("review", "undo", item["id"], "--json"))["item"]["status"] == "pending"
    assert told(run("review", "reject", item["id"], "--reason", "no", "--json"))["item"]["status"] == "rejected"
    assert run("review", "show", "nobody.bg").returncode == 1
    done = told(run("domain", "approve", "svetlina.bg", "--json"))["done"][0]
    assert (done["approval_status"], done["crawl"] is None) == ("approved", False)
    for action, state in (("suspend", "suspended"), ("resume", "approved"), ("undo", "pending_review")):
        assert told(run("domain", action, "svetlina.bg", "--json"))["done"][0]["approval_status"] == state
    assert told(run("domain", "trust", "svetlina.bg", "--json"))["done"][0]["approval_status"] == "approved"
    assert told(run("domain", "untrust", "svetlina.bg", "--json"))["done"][0]["is_trusted"] is False
    paced = told(run("domain", "configure", "svetlina.bg", "--rate", "9", "--json"))["done"][0]
    assert paced["crawl_rate_limit_seconds"] == 9
    answer = run("domain", "reject", "svetlina.bg", "nobody.bg", "--reason", "no", "--json")
    assert answer.returncode == 1
    assert [each["given"] for each in json.loads(answer.stdout)["refused"]] == ["svetlina.bg", "nobody.bg"]
    assert told(run("domain", "list", "--approval", "approved", "--json"))[0]["name"] == "svetlina.bg"


def test_a_filter_with_unstorable_characters_finds_nothing(logged_in: LoggedIn) -> None:
    proposed()
    client = logged_in(Role.VIEWER)
    for name in ("kind", "status", "warning", "topic"):
        assert client.get("/admin/review/item/", {name: "a\0b"}).status_code == 200
