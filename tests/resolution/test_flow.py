"""Stored pages become records, and the domain is rated by them."""

from __future__ import annotations

import pytest

from gleanery.domains.models import Domain
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation, Source
from gleanery.resolution import services
from gleanery.resolution.models import Record
from tests.extraction import stored_pages
from tests.resolution.shop import tell

pytestmark = pytest.mark.django_db


def resolved(domain: Domain) -> int:
    extraction.extract_domain(domain)
    return services.resolve_domain(domain.pk)


def test_a_page_becomes_a_record_and_its_domain_is_rated() -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/one", stored_pages.event())
    assert resolved(domain) == 1
    record = Record.objects.get(kind="event")
    assert record.name == "Spring concert"
    assert record.place is not None
    assert record.place.name == "Town hall"
    domain.refresh_from_db()
    assert domain.processing_status == "processed_high_quality"
    assert not Observation.objects.filter(resolved_at=None).exists()
    assert services.resolve_domain(domain.pk) == 0


def test_a_domain_that_says_nothing_is_of_low_quality() -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/one", stored_pages.NOTHING)
    assert resolved(domain) == 0
    domain.refresh_from_db()
    assert domain.processing_status == "processed_low_quality"


def test_a_changed_page_changes_the_same_record() -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/one", stored_pages.event())
    resolved(domain)
    before = Record.objects.get(kind="event")
    stored_pages.store_page(domain, "/one", stored_pages.event(name="Summer concert"))
    assert resolved(domain) == 1
    after = Record.objects.get(kind="event")
    assert (after.pk, after.name) == (before.pk, "Summer concert")
    versions = Observation.objects.filter(kind="event").order_by("version")
    assert [each.record for each in versions] == [before.pk] * 2
    assert versions[0].first_observed == versions[1].first_observed


def test_two_sites_with_the_same_event_give_one_record() -> None:
    for name in ("hall.example", "town.example"):
        domain = stored_pages.approved(name)
        stored_pages.store_page(domain, "/one", stored_pages.event().replace("hall.example", name))
        resolved(domain)
    record = Record.objects.get(kind="event")
    assert Observation.objects.filter(record=record.pk).count() == 2
    assert Source.objects.count() == 2


def test_what_a_feed_says_of_it_joins_what_the_site_says() -> None:
    domain = stored_pages.approved()
    stored_pages.store_page(domain, "/one", stored_pages.event())
    resolved(domain)
    answer = tell("feed", "event", "7", name="Spring Concert", start="2027-03-12T17:00:00Z", venue_name="Town Hall")
    assert answer.outcome == "merged"
