"""The dossier tells how a source came, what its preview found, and what was decided before."""

from dataclasses import replace

import pytest
from django.conf import settings as django_settings

from gleanery.accounts.actor import system
from gleanery.crawling import services as crawling
from gleanery.crawling.models import Crawl, Visit
from gleanery.discovery import services as discovery
from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.domains.submissions.submitting import submit
from gleanery.judging import services as judging
from gleanery.review.sources import source_decisions
from gleanery.review.sources.dossier import dossier_of
from gleanery.roles import Role
from tests.judging.test_services import GOOD, WEAK, take
from tests.review.shop import proposed, put, somebody, topic

pytestmark = pytest.mark.django_db


def test_the_dossier_shows_the_best_judgement_per_page() -> None:
    session = discovery.start_file_session(system(), topic())
    pages = [("https://iskra.bg/soup", WEAK), *[(f"https://iskra.bg/{number}", GOOD) for number in range(5)]]
    take(session, *pages, ("https://iskra.bg/0", GOOD), ("https://iskra.bg/0", GOOD))
    judging.judge_session(session)
    judged = dossier_of(registry.find("iskra.bg")).judged
    assert judged is not None
    assert judged.topic == "funding-bulgaria"
    assert len(judged.evidence) == 5
    assert len({each.url for each in judged.evidence}) == 5
    assert "https://iskra.bg/soup" not in {each.url for each in judged.evidence}
    assert judged.evidence[0].confidence == judged.confidence
    assert all(each.sentences for each in judged.evidence)


def test_the_dossier_shows_the_submitter_and_context() -> None:
    domain = registry.register("iskra.bg")
    assert dossier_of(domain).submitted is None
    Domain.objects.update(submitter_type="public_user", submission_context="They helped our school.")
    submitted = dossier_of(Domain.objects.get()).submitted
    assert submitted is not None
    assert (submitted.by, submitted.context) == ("somebody", "They helped our school.")


def test_the_dossier_shows_the_texts_of_all_submissions() -> None:
    submit("iskra.bg", context="They helped our school.", address="192.0.2.1")
    submit("iskra.bg", context="And our library.", address="192.0.2.2")
    submitted = dossier_of(Domain.objects.get()).submitted
    assert submitted is not None
    assert submitted.context == "They helped our school."
    assert [each.context for each in submitted.also] == ["And our library."]


def test_the_dossier_shows_the_state_of_the_preview(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    domain = proposed()

    def said() -> str:
        return dossier_of(domain).preview.sentence

    assert said() == "The preview is waiting for a worker."
    crawl = Crawl.objects.get()
    Crawl.objects.update(status="running")
    assert said() == "The preview is running."
    Crawl.objects.update(status="failed", end_reason="The site does not answer.")
    assert said() == "The preview failed: The site does not answer."
    Crawl.objects.update(status="completed")
    assert said() == "The preview is complete, but no pages could be read."
    Visit.objects.create(crawl=crawl, url="https://iskra.bg/", depth=0, state="stored", status=200)
    assert said() == "The preview is complete: 1 page could be read."
    Visit.objects.all().delete()
    Crawl.objects.all().delete()
    assert said() == "The preview starts soon."
    monkeypatch.setattr(crawling, "PREVIEWS_A_DAY", 0)
    assert said() == "Today's previews are used up. This one follows on another day."
    settings.ENVIRONMENT = replace(django_settings.ENVIRONMENT, preview_pages=0)  # type: ignore[attr-defined]
    assert said() == "Previews are off (GLEANERY_PREVIEW_PAGES is 0)."


def test_the_dossier_shows_earlier_decisions_and_siblings() -> None:
    put("rejected", "old.iskra.bg")
    domain, anna = proposed(), somebody(Role.REVIEWER)
    source_decisions.undo(anna, source_decisions.reject(anna, domain, "wrong country").domain)
    found = dossier_of(Domain.objects.get(pk=domain.pk))
    (sibling,) = found.siblings
    assert (sibling.name, sibling.approval_status, sibling.reason) == ("old.iskra.bg", "rejected", "because")
    assert [(each.by, each.action, each.reason) for each in found.decisions] == [
        ("a-reviewer", "undo", ""),
        ("a-reviewer", "reject", "wrong country"),
    ]
    assert found.as_dict()["settings"] == {"depth": 3, "rate": 2, "frequency": 24}
