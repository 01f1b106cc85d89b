"""Judging in command line, API and console."""

from collections.abc import Callable

import pytest
from django.test import Client

from gleanery import words
from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.discovery import services as discovery
from gleanery.discovery.models import Session
from gleanery.judging import services
from gleanery.judging.models import Candidate, Contact
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, told
from tests.judging.test_services import GOOD, WEAK, take

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]


@pytest.fixture
def session(db: None) -> Session:
    session = discovery.start_file_session(system(), discovery.add_topic(system(), "funding", "Bulgaria"))
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    services.judge_session(session)
    return session


@pytest.mark.xdist_group("judge")
def test_the_command_explains_a_case_as_a_table(run: Run) -> None:
    told(run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--json"))
    case = ("https://www.iskra.bg/grants", "--topic", "funding-bulgaria", "--title", GOOD[0], "--text", GOOD[1])
    explained = told(run("judge", *case, "--json"))
    assert explained["should_crawl"] is True
    assert [each["name"] for each in explained["scores"]][:2] == ["keywords", "credibility"]
    shown = run("judge", *case).stdout
    assert f"Confidence {explained['confidence']}, threshold 0.60: propose it." in shown
    assert explained["scores"][0]["explanation"][:20] in shown
    assert run("judge", "127.0.0.1", "--topic", "funding-bulgaria").returncode == 1


@pytest.mark.xdist_group("judge")
def test_discovery_ends_with_candidates_and_statistics(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    import json  # noqa: PLC0415

    told(run("topic", "add", "--preset", "funding", "--place", "Bulgaria", "--name", "ends", "--json"))
    file = tmp_path_factory.mktemp("lines") / "results.jsonl"
    rows = [("https://svetlina.bg/", *GOOD), ("https://soups.example/", *WEAK)]
    keys = ("url", "title", "description")
    file.write_text("\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in rows))
    session = told(run("discover", "--topic", "ends", "--file", str(file), "--json"))
    stats = session["judging"]
    assert (stats["total"], stats["created"], stats["skipped_low_confidence"], stats["failures"]) == (2, 1, 1, 0)
    good = told(run("result", "list", "--session", session["id"], "--json"))[0]
    assert float(good["confidence"]) >= 0.6
    assert len(good["judges"]) == 4
    listed = told(run("candidate", "list", "--topic", "ends", "--json"))
    assert [each["domain"] for each in listed] == ["svetlina.bg"]
    shown = told(run("candidate", "show", "www.svetlina.bg", "--json"))
    assert shown["evidence"][0]["scores"][0]["explanation"]
    assert "svetlina.bg" in run("candidate", "show", "svetlina.bg").stdout


def test_the_api_explains_a_case_without_storing_it(session: Session, client: Client, bearer: Bearer) -> None:
    given = {"topic": "funding-bulgaria", "url": "https://new.bg/", "title": GOOD[0], "text": GOOD[1]}
    answer = client.post("/api/v1/admin/judge", given, "application/json", headers=bearer(Scope.READ)).json()
    assert answer["should_crawl"]
    assert answer["confidence"] >= answer["threshold"]
    assert answer["domain_name"] == "new.bg"
    assert answer["reasoning"] == " ".join(each["explanation"] for each in answer["scores"])
    assert Candidate.objects.count() == 2


def test_the_api_lists_candidates_and_shows_their_evidence(session: Session, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    (best,) = client.get("/api/v1/admin/candidates", {"status": "pending_crawl"}, headers=headers).json()["items"]
    assert (best["domain"], best["topic"]) == ("iskra.bg", "funding-bulgaria")
    shown = client.get(f"/api/v1/admin/candidates/{best['id']}", headers=headers).json()
    assert shown["evidence"][0]["url"] == "https://iskra.bg/"
    assert client.get("/api/v1/admin/candidates", {"topic": "no-such"}, headers=headers).json()["items"] == []


def test_the_api_shows_statistics(session: Session, client: Client, bearer: Bearer) -> None:
    headers = bearer(Scope.READ)
    (run,) = client.get("/api/v1/admin/judging-runs", headers=headers).json()["items"]
    assert (run["numbers"]["total"], run["numbers"]["created"]) == (2, 1)
    stats = client.get("/api/v1/admin/stats", headers=headers).json()
    assert stats["best"][0]["domain"] == "iskra.bg"


def test_the_dashboard_has_charts_with_figures(session: Session, logged_in: LoggedIn) -> None:
    page = logged_in(Role.VIEWER).get("/admin/").content.decode()
    assert page.count('class="chart"') == 4
    assert "Confidence of candidates" in page
    assert "iskra.bg" in page


def test_the_console_shows_the_explanations_of_the_judges(session: Session, logged_in: LoggedIn) -> None:
    candidate = Candidate.objects.get(status="pending_crawl")
    page = logged_in(Role.VIEWER).get(f"/admin/judging/candidate/{candidate.pk}/change/").content.decode()
    for score in services.evidence_of(candidate)[0].scores:
        assert words.of(score["name"]) in page
    for url in ("/admin/judging/candidate/", "/admin/judging/run/"):
        assert logged_in(Role.VIEWER).get(url).status_code == 200


def test_contacts_are_edited_by_reviewers_and_visible_to_staff_only(session: Session, logged_in: LoggedIn) -> None:
    candidate = Candidate.objects.get(status="pending_crawl")
    Contact.objects.create(candidate=candidate, name="Programme desk", email="desk@iskra.bg")
    address = f"/admin/judging/candidate/{candidate.pk}/change/"
    assert "desk@iskra.bg" in logged_in(Role.VIEWER).get(address).content.decode()
    form = {
        "contacts-TOTAL_FORMS": "1",
        "contacts-INITIAL_FORMS": "0",
        "contacts-0-candidate": str(candidate.pk),
        "contacts-0-name": "Press desk",
    }
    logged_in(Role.VIEWER).post(address, form)
    assert not Contact.objects.filter(name="Press desk").exists()
    logged_in(Role.REVIEWER).post(address, form)
    assert Contact.objects.filter(name="Press desk").exists()
    assert JournalEntry.objects.get(action="set_contacts").subject_name == "iskra.bg"
    assert Client().get(address).status_code == 302


def test_the_quality_of_domains_is_derived_and_can_be_filtered(
    session: Session, client: Client, bearer: Bearer, logged_in: LoggedIn
) -> None:
    query = {"min_confidence": "0.60"}
    (best,) = client.get("/api/v1/admin/domains", query, headers=bearer(Scope.READ)).json()["items"]
    assert (best["name"], best["occurrences"], best["high_count"], best["low_count"]) == ("iskra.bg", 1, 1, 0)
    page = logged_in(Role.VIEWER).get("/admin/domains/domain/", {"quality": "low"}).content.decode()
    assert "recipes.example" in page
    assert "iskra.bg" not in page


def test_saving_an_old_page_does_not_undo_later_changes(session: Session, logged_in: LoggedIn) -> None:
    domain = Candidate.objects.get(status="pending_crawl").domain
    logged_in(Role.REVIEWER).post(f"/admin/domains/domain/{domain.pk}/change/", {"notes": "call them on Monday"})
    domain.refresh_from_db()
    assert (domain.notes, domain.processing_status) == ("call them on Monday", "pending_crawl")
    assert JournalEntry.objects.get(action="set_notes").after == {"notes": "call them on Monday"}
