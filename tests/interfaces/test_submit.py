"""Submissions by form, API and command, with the same outcomes."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from gleanery.accounts.actor import system
from gleanery.crawling.models import Crawl
from gleanery.domains import registry
from gleanery.domains.models import Domain, Submission
from gleanery.domains.submissions import limits
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told

LoggedIn = Callable[[Role], Client]
Bearer = Callable[..., dict[str, str]]
WHY = "the reviewer's own words"
FORM = {"given": "foodbank.org", "context": "", "depth": "3", "website": ""}


def known(name: str, **facts: Any) -> Domain:
    domain = registry.register(name)
    Domain.objects.filter(pk=domain.pk).update(**facts)
    domain.refresh_from_db()
    return domain


def prepare(standing: str) -> None:
    """Create foodbank.org in the given state."""
    facts: dict[str, Any] = {"approval_status": standing}
    if standing == "rejected":
        facts["rejection_reason"] = WHY
    if standing == "blacklisted":
        by = {"blacklisted_at": Now(), "blacklisted_by": system().user, "blacklist_reason": WHY}
        facts = {"processing_status": "blacklisted", **by}
    known("foodbank.org", **facts)


def post(client: Client, body: dict[str, Any], **more: Any) -> Any:
    return client.post("/api/v1/submissions", json.dumps(body), "application/json", **more)


def text_of(answer: Any) -> str:
    """Return the text of a page without markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


OUTCOMES = [
    # standing, given, outcome, status, a part of the answer
    ("none", "foodbank.org", "submitted", 201, "now waits for a reviewer"),
    ("none", "foodbank.org/a", "unknown_domain", 200, "is not one of our sources yet"),
    ("pending_review", "foodbank.org", "pending", 200, "already submitted for review"),
    ("approved", "foodbank.org", "approved", 200, "one of our sources already"),
    ("approved", "foodbank.org/a", "queued", 201, "https://foodbank.org/a will be read soon"),
    ("rejected", "foodbank.org", "rejected", 409, "is not one of our sources"),
    ("suspended", "foodbank.org", "suspended", 409, "is paused at the moment"),
    ("blacklisted", "foodbank.org", "blacklisted", 409, "cannot be taken as a source"),
    ("none", "http://localhost/", "refused", 422, "is a single word"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("standing", "typed", "outcome", "status", "part"), OUTCOMES)
def test_the_api_has_a_response_for_each_outcome(
    client: Client, standing: str, typed: str, outcome: str, status: int, part: str
) -> None:
    prepare(standing)
    answer = post(client, {"given": typed, "context": "why"})
    body = answer.json()
    assert (answer.status_code, body["outcome"]) == (status, outcome)
    assert part in body["message"]
    assert WHY not in answer.content.decode()
    assert (body["follow_url"] is None) == (outcome in {"refused", "unknown_domain"})
    assert (body["offer"] is not None) == (outcome == "unknown_domain")
    if status >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert body["type"] == f"urn:gleanery:submission-{outcome}"
        assert (body["status"], body["detail"]) == (status, body["message"])


@pytest.mark.django_db
@pytest.mark.parametrize(("standing", "typed", "outcome", "status", "part"), OUTCOMES)
def test_the_form_has_a_page_for_each_outcome(
    client: Client, standing: str, typed: str, outcome: str, status: int, part: str
) -> None:
    prepare(standing)
    answer = client.post("/submit/", {**FORM, "given": typed})
    assert answer.status_code == (422 if outcome == "refused" else 200)
    assert part in text_of(answer)
    assert WHY not in text_of(answer)


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["given", "url", "domain"])
def test_the_api_accepts_the_address_under_all_field_names(client: Client, field: str) -> None:
    assert post(client, {field: "foodbank.org"}).json()["domain"] == "foodbank.org"


@pytest.mark.django_db
def test_accepting_the_offer_submits_the_unknown_site(client: Client) -> None:
    wish = {"url": "https://foodbank.org/services", "context": "Food", "depth": 4}
    asked = post(client, wish).json()
    assert asked["offer"] == {"action": "submit", "question": "Would you like to submit foodbank.org for review?"}
    said = post(client, {**wish, "yes": True})
    assert (said.status_code, said.json()["outcome"]) == (201, "submitted")
    assert "can be slow" in said.json()["warnings"][0]


@pytest.mark.django_db
def test_the_progress_of_a_submission_is_shown_in_api_and_page(client: Client) -> None:
    address = post(client, {"given": "foodbank.org/", "context": "Food <b>bank</b>"}).json()["follow_url"]
    token = address.removeprefix("http://testserver/submit/").strip("/")
    told_by_api = client.get(f"/api/v1/submissions/{token}")
    assert told_by_api.json()["state"] == "pending_review"
    assert "waits for a reviewer" in told_by_api.json()["message"]
    page = client.get(address)
    assert "Waiting for review" in text_of(page)
    assert "Food &lt;b&gt;bank&lt;/b&gt;" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in page.headers["X-Robots-Tag"]
    Domain.objects.update(approval_status="rejected", rejection_reason=WHY, notes=WHY)
    for answer in (client.get(address), client.get(f"/api/v1/submissions/{token}")):
        assert "not taken" in answer.content.decode().lower()
        assert WHY not in html.unescape(answer.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["x", "a" * 500, "%00", "%ff", "..%2f"])
def test_a_wrong_link_is_not_found(client: Client, token: str) -> None:
    assert client.get(f"/submit/{token}/").status_code == 404
    assert client.get(f"/api/v1/submissions/{token}").status_code == 404


@pytest.mark.django_db
def test_callers_with_a_key_or_session_are_staff(client: Client, bearer: Bearer, logged_in: LoggedIn) -> None:
    assert post(client, {"given": "a.org"}, headers=bearer(Scope.ADMIN)).status_code == 201
    assert post(logged_in(Role.REVIEWER), {"given": "b.org"}).status_code == 201
    assert post(client, {"given": "c.org"}, headers=bearer(Scope.READ)).status_code == 201
    assert post(client, {"given": "d.org"}, headers={"Authorization": "Bearer glean_wrong"}).status_code == 401
    kinds = dict(Domain.objects.values_list("name", "submitter_type"))
    assert kinds == {"a.org": "admin", "b.org": "admin", "c.org": "public_user"}


@pytest.mark.django_db
def test_a_session_needs_a_csrf_token_but_the_public_does_not(logged_in: LoggedIn) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert post(careful, {"given": "a.org"}).status_code == 201
    careful.cookies = logged_in(Role.ADMIN).cookies
    assert post(careful, {"given": "b.org"}).status_code == 403
    assert not Domain.objects.filter(name="b.org").exists()


@pytest.mark.django_db
def test_other_sites_cannot_submit_through_a_visitors_browser(client: Client) -> None:
    """Browsers send text and forms across sites without a check, but not JSON."""
    body = json.dumps({"given": "foodbank.org"})
    assert client.post("/api/v1/submissions", body, "text/plain").status_code == 422
    careful = Client(enforce_csrf_checks=True)
    assert careful.post("/submit/", FORM).status_code == 403
    assert not Domain.objects.exists()


@pytest.mark.django_db
def test_the_hidden_field_detects_bots_in_form_and_api(client: Client) -> None:
    api = post(client, {"given": "foodbank.org", "website": "http://spam.example"})
    assert (api.status_code, api.json()["outcome"]) == (201, "submitted")
    page = client.post("/submit/", {**FORM, "website": "http://spam.example"})
    assert "Submitted for review" in text_of(page)
    assert not Submission.objects.exists()
    assert not Domain.objects.exists()


@pytest.mark.django_db
def test_the_limit_says_when_to_try_again_and_keeps_the_input(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "A_DAY_FROM_ONE_ADDRESS", 1)
    post(client, {"given": "a.org"})
    api = post(client, {"given": "b.org"})
    assert (api.status_code, api.json()["outcome"]) == (429, "limit")
    assert 0 < int(api.headers["Retry-After"]) <= 86_401
    page = client.post("/submit/", {**FORM, "given": "b.org", "context": "long <text>", "depth": "5"})
    assert page.status_code == 429
    assert "Retry-After" in page.headers
    assert "after midnight UTC" in text_of(page)
    for typed in ('value="b.org"', "long &lt;text&gt;", '<option value="5" selected>'):
        assert typed in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("direct", "forwarded", "counts_as"),
    [
        ("203.0.113.1", "198.51.100.9", "203.0.113.1"),
        ("127.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("127.0.0.1", "10.0.0.1, 198.51.100.9", "198.51.100.9"),
        ("::1", "2001:db8::5", "2001:db8::5"),
        ("127.0.0.1", "", "127.0.0.1"),
    ],
)
def test_forwarded_addresses_count_only_from_a_local_web_server(
    client: Client, settings: Any, direct: str, forwarded: str, counts_as: str
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://gleanery.example.org")
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    post(client, {"given": "foodbank.org"}, headers=headers, REMOTE_ADDR=direct)
    kept = Submission.objects.get()
    assert kept.address_hash == limits.address_hash(counts_as, kept.created_at)


@pytest.mark.django_db
def test_forwarded_addresses_are_ignored_without_a_public_url(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "A_DAY_FROM_ONE_ADDRESS", 2)
    answers = [
        post(client, {"given": f"site{each}.org"}, headers={"X-Forwarded-For": f"198.51.100.{each}"}).status_code
        for each in range(3)
    ]
    assert answers == [201, 201, 429]


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_do_not_exceed_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "A_DAY_FROM_ONE_ADDRESS", 5)
    statuses: list[int] = []
    start = threading.Barrier(10)

    def hurry(number: int) -> None:
        try:
            start.wait()
            statuses.append(post(Client(), {"given": f"site{number}.org"}).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=hurry, args=[number]) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201] * 5 + [429] * 5


@pytest.mark.django_db
def test_the_form_is_explained_and_works_without_javascript(client: Client) -> None:
    page = client.get("/submit/", {"given": 'foodbank.org"><script>'})
    source = page.content.decode()
    assert page.status_code == 200
    assert "<script" not in source
    assert "style=" not in source
    labels = set(re.findall(r'<label for="(\w+)"', source))
    assert labels == set(re.findall(r'<(?:input|textarea|select)[^>]* id="(id_(?!yes)\w+)"', source))
    assert "3 – recommended for most sites" in source
    assert '<option value="3" selected>' in source
    assert "with caution" in source
    assert 'name="website" tabindex="-1" autocomplete="off"' in source
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_errors_are_beside_their_fields_and_input_is_kept(client: Client) -> None:
    typed = {**FORM, "given": "http://user@foodbank.org", "context": "A <food> bank", "depth": "2"}
    page = client.post("/submit/", typed).content.decode()
    assert 'aria-describedby="id_given_error id_given_help"' in page
    assert 'aria-invalid="true"' in page
    assert re.search(r'id="id_given_error">.*contains a user name', page)
    assert 'value="http://user@foodbank.org"' in page
    assert "A &lt;food&gt; bank" in page
    assert '<option value="2" selected>' in page
    empty = client.post("/submit/", {**FORM, "given": ""})
    assert "Enter a domain" in text_of(empty)
    assert client.post("/submit/", {**FORM, "depth": "99"}).status_code == 422


@pytest.mark.django_db
def test_one_button_submits_the_unknown_site(client: Client) -> None:
    question = client.post("/submit/", {**FORM, "given": "foodbank.org/a", "context": 'for "all" & more'})
    source = question.content.decode()
    assert "Yes, submit foodbank.org" in text_of(question)
    hidden = {name: html.unescape(value) for name, value in re.findall(r'hidden" name="(\w+)" value="([^"]*)"', source)}
    answer = client.post("/submit/", hidden)
    assert "now waits for a reviewer" in text_of(answer)
    kept = Submission.objects.get()
    assert (kept.url, kept.context) == ("https://foodbank.org/a", 'for "all" & more')
    (link,) = re.findall(r'href="http://testserver(/submit/[^"]+)"', answer.content.decode())
    assert client.get(link).status_code == 200


@pytest.mark.django_db
def test_staff_can_crawl_an_approved_site_again(logged_in: LoggedIn, client: Client) -> None:
    prepare("approved")
    assert "re-scrape" not in text_of(client.post("/submit/", FORM))
    staff = logged_in(Role.REVIEWER)
    assert "Would you like to re-scrape foodbank.org?" in text_of(staff.post("/submit/", FORM))
    assert "will be read soon" in text_of(staff.post("/submit/", {**FORM, "yes": "true"}))
    assert Crawl.objects.get().kind == "deep"


@pytest.mark.django_db
@given(typed=st.text(), context=st.text(), depth=st.text(max_size=5))
def test_any_text_is_handled_by_the_form(typed: str, context: str, depth: str) -> None:
    Submission.objects.all().delete()
    body = {"given": typed, "context": context, "depth": depth, "website": ""}
    encodable = {name: value.encode("utf-8", "surrogatepass") for name, value in body.items()}
    assert Client().post("/submit/", encodable).status_code in {200, 422}


@pytest.mark.xdist_group("cli")
class TestTheCommand:
    def test_a_submitted_site_is_pending_the_next_time(self, run: Run) -> None:
        first = told(run("submit", "https://www.foodbank.org/", "--context", "Food", "--depth", "4", "--json"))
        assert (first["outcome"], first["domain"]) == ("submitted", "foodbank.org")
        assert "can be slow" in first["warnings"][0]
        assert re.fullmatch(r"http://127\.0\.0\.1:8000/submit/[\w-]{43}/", first["follow_url"])
        again = run("submit", "foodbank.org")
        assert (again.returncode, again.stdout.split(".")[0]) == (0, "foodbank")
        assert "already submitted for review" in again.stdout
        (domain,) = told(run("domain", "list", "--containing", "foodbank", "--json"))
        assert domain["approval_status"] == "pending_review"

    def test_a_page_of_an_unknown_site_asks_unless_yes_is_given(self, run: Run) -> None:
        asked = run("submit", "shelter.org/beds")
        assert asked.returncode == 1
        assert (
            "Would you like to submit shelter.org for review? If so, run the same command with --yes." in asked.stdout
        )
        assert told(run("submit", "shelter.org/beds", "--yes", "--json"))["outcome"] == "submitted"

    def test_an_impossible_source_has_exit_code_1_and_a_reason(self, run: Run) -> None:
        refused = run("submit", "http://127.0.0.1/")
        assert (refused.returncode, "is a numeric address" in refused.stdout) == (1, True)
        assert run("submit", "foodbank.org", "--depth", "9").returncode == 1
        run("domain", "blacklist", "casino.org", "--reason", "sells gambling")
        listed = run("submit", "casino.org", "--json")
        assert (listed.returncode, json.loads(listed.stdout)["outcome"]) == (1, "blacklisted")
        assert "sells gambling" in json.loads(listed.stdout)["message"]
