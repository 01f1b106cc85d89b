"""Previews show contacts and finds of a source, and make no records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from gleanery import pipeline
from gleanery.crawling.models import Crawl
from gleanery.domains.models import Domain
from gleanery.extraction import services
from gleanery.extraction.contacts.classification import authority_of, type_of
from gleanery.extraction.contacts.domain_contacts import contacts_of
from gleanery.extraction.draft import ContactDraft
from gleanery.extraction.models import Extraction, Observation, PreviewFind
from gleanery.judging.models import Candidate, Contact
from gleanery.resolution import services as resolution
from gleanery.review.sources.dossier import dossier_of
from gleanery.roles import Role, Scope
from tests.extraction import stored_pages
from tests.review.shop import proposed

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
STAFF = """<html lang="en"><head><title>Concert hall: contact and team</title></head>
<body><main><h1>Concert hall: team</h1>
<p>Concerts, events and tickets of the festival.</p>
<p>Jane Porter, director: jane@hall.example</p><p>Reception: info@hall.example</p></main></body></html>"""


@pytest.fixture
def previewed(db: None) -> Domain:
    """An undecided source with a page about a concert and one about its staff."""
    domain = proposed("hall.example")
    Candidate.objects.update(topic=stored_pages.topic())
    stored_pages.store_page(domain, "/concert", stored_pages.event())
    stored_pages.store_page(domain, "/contact", STAFF)
    Crawl.objects.filter(domain=domain).update(status="completed")
    services.extract_preview(Crawl.objects.get(kind="preview").pk)
    return domain


def test_a_preview_that_ends_is_read_for_the_dossier() -> None:
    assert "gleanery.extraction.tasks.extract_preview" in pipeline.JOBS["preview"]


def test_the_dossier_lists_finds_and_no_records_are_made(previewed: Domain) -> None:
    found = dossier_of(previewed).records
    assert ("event", "Spring concert", date(2027, 3, 12), "", None) in [
        (each.kind, each.name, each.day, each.status, each.record) for each in found
    ]
    assert not Observation.objects.exists()
    assert not Extraction.objects.exists(), "its pages are extracted after approval"


def test_a_second_preview_replaces_the_finds_of_the_first(previewed: Domain) -> None:
    before = PreviewFind.objects.count()
    services.extract_preview(Crawl.objects.get(kind="preview").pk)
    assert PreviewFind.objects.count() == before


@pytest.mark.parametrize("state", ["rejected", "approved", "suspended"])
def test_a_preview_of_a_decided_source_is_not_extracted(previewed: Domain, state: str) -> None:
    PreviewFind.objects.all().delete()
    Domain.objects.update(approval_status=state, rejection_reason="because")
    services.extract_preview(Crawl.objects.get(kind="preview").pk)
    assert not PreviewFind.objects.exists()


def test_after_approval_the_dossier_lists_records(previewed: Domain) -> None:
    Domain.objects.update(approval_status="approved")
    previewed.refresh_from_db()
    services.extract_domain(previewed)
    resolution.resolve_domain(previewed.pk)
    assert not PreviewFind.objects.exists()
    found = {each.name: each for each in dossier_of(previewed).records}
    assert found["Spring concert"].record is not None
    assert found["Spring concert"].status in ("published", "in_review")


def test_contacts_have_a_type_an_authority_and_a_date(
    previewed: Domain, client: Client, bearer: Bearer, logged_in: LoggedIn
) -> None:
    address = f"/api/v1/admin/domains/{previewed.pk}/contacts"
    found = {each["email"]: each for each in client.get(address, headers=bearer(Scope.READ)).json()["items"]}
    jane, desk = found["jane@hall.example"], found["info@hall.example"]
    assert (jane["authority"], desk["type"], desk["authority"]) == ("decides", "general", "forwards")
    assert jane["validated_at"] is not None
    assert [each.email for each in dossier_of(previewed).contacts] == [each.email for each in contacts_of(previewed)]
    item = previewed.review_items.get()  # type: ignore[attr-defined]
    page = logged_in(Role.VIEWER).get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert "jane@hall.example" in page
    assert "Spring concert" in page
    assert client.get(address, headers=bearer(Scope.INGEST)).status_code == 403


def test_edits_of_a_contact_by_staff_stay_and_only_its_date_changes(previewed: Domain) -> None:
    Contact.objects.filter(email="jane@hall.example").update(authority="advises", role="artist", validated_at=None)
    services.extract_preview(Crawl.objects.get(kind="preview").pk)
    jane = Contact.objects.get(email="jane@hall.example")
    assert (jane.authority, jane.role) == ("advises", "artist")
    assert jane.validated_at is not None


def test_contacts_of_an_unjudged_source_are_listed(db: None) -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/contact", STAFF)
    services.extract_domain(domain)
    assert {each.email: each.authority for each in contacts_of(domain)}["jane@hall.example"] == "decides"


@pytest.mark.parametrize(
    ("said", "kind", "authority"),
    [
        ({"role": "Programme Officer"}, "programme officer", "advises"),
        ({"role": "Директор"}, "", "decides"),
        ({"role": "зам.-директор"}, "", "advises"),
        ({"role": "Pressesprecherin"}, "press", ""),
        ({"email": "press@example.org"}, "press", ""),
        ({"email": "office@example.org"}, "general", "forwards"),
        ({"role": "Head of Funding", "email": "info@example.org"}, "programme officer", "decides"),
        ({"role": "Volunteer coordinator"}, "volunteers", "advises"),
        ({"name": "Info Press Ltd", "email": "jane@example.org"}, "", ""),
    ],
)
def test_role_comes_before_mailbox_and_names_are_ignored(said: dict[str, str], kind: str, authority: str) -> None:
    contact = ContactDraft(**said)
    assert (type_of(contact), authority_of(contact)) == (kind, authority)
