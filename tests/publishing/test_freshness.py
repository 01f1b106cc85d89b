"""Freshness: when a record counts as no longer listed, what lists do about it, and the days that go by."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from gleanery.accounts.actor import Actor
from gleanery.crawling.models import Page, Snapshot
from gleanery.domains import registry
from gleanery.extraction.models import Extraction, Observation, Source
from gleanery.extraction.storing.statements import mark_unseen
from gleanery.feeds.models import Feed
from gleanery.publishing import freshness, services
from gleanery.publishing.models import SearchEntry
from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.resolution.models import Occurrence, Record
from tests.publishing.shop import add, day

pytestmark = pytest.mark.django_db
KEY = "event Open evening"


def crawled(name: str, record: Record) -> Page:
    """The source of this name is a site that tells of the record on a page of its own."""
    domain = registry.register(f"{name}.example")
    Source.objects.filter(name=name).update(domain=domain, kind="crawled")
    page = Page.objects.create(domain=domain, url=f"https://{name}.example/evening", depth=0, last_status=200)
    Observation.objects.filter(source__name=name, record=record.pk, kind="event").update(page=page)
    return page


def read(page: Page, hours: int, *, says: bool) -> None:
    """Some hours from now the page is read, and its content extracted."""
    at = timezone.now() + timedelta(hours=hours)
    content = Snapshot.objects.create(page=page, url=page.url, content_hash=str(hours).encode(), raw=b"", raw_size=0)
    said = [KEY] if says else []
    Extraction.objects.create(page=page, snapshot=content, version=1, ms=1, count=1, said=said, extracted_at=at)
    Page.objects.filter(pk=page.pk).update(last_fetched_at=at, current_snapshot=content)
    source = Source.objects.get(domain=page.domain_id)
    mark_unseen(page.domain_id, source.pk)


def unconfirmed() -> list[str]:
    services.refresh_lists()
    return list(SearchEntry.objects.filter(unconfirmed_since__isnull=False).values_list("name", flat=True))


def evening(who: str = "hall") -> tuple[Record, Page]:
    record = add("Open evening", who=who, locality="Ruse", venue_name="Old Hall")
    return record, crawled(who, record)


def test_a_record_is_unconfirmed_after_two_readings_without_it_and_confirmed_by_one_with_it() -> None:
    record, page = evening()
    read(page, -1, says=False)
    assert unconfirmed() == [], "one reading may be a slip"
    read(page, 1, says=False)
    assert unconfirmed() == ["open evening"]
    assert freshness.of([record.pk])[record.pk].unconfirmed_since is not None
    read(page, 2, says=True)
    assert unconfirmed() == []
    now = freshness.of([record.pk])[record.pk]
    assert now.unconfirmed_since is None
    assert now.last_confirmed is not None
    assert now.last_confirmed > timezone.now() + timedelta(hours=1)


def test_a_page_that_is_gone_or_waits_to_be_extracted() -> None:
    _, page = evening()
    read(page, -1, says=False)
    waiting = Snapshot.objects.create(page=page, url=page.url, content_hash=b"new", raw=b"", raw_size=0)
    later = timezone.now() + timedelta(hours=3)
    Page.objects.filter(pk=page.pk).update(last_fetched_at=later, current_snapshot=waiting)
    assert unconfirmed() == [], "nobody knows yet what it says"
    Page.objects.filter(pk=page.pk).update(last_status=404)
    assert unconfirmed() == ["open evening"]


def test_one_source_that_still_has_it_is_enough() -> None:
    record, page = evening()
    add("Open evening", who="other", locality="Ruse", venue_name="Old Hall")
    assert Observation.objects.filter(record=record.pk).count() == 2
    read(page, -1, says=False)
    read(page, 1, says=False)
    assert unconfirmed() == []


def test_a_feed_that_was_read_again_without_it() -> None:
    record, page = evening()
    feed = Feed.objects.create(domain=page.domain, url="https://hall.example/all.ics", host="h", platform="ical")
    lost = timezone.now()
    Observation.objects.filter(record=record.pk).update(page=None, feed=feed.pk, not_seen_since=lost, in_feed=False)
    Feed.objects.filter(pk=feed.pk).update(read_at=lost)
    assert unconfirmed() == []
    Feed.objects.filter(pk=feed.pk).update(read_at=lost + timedelta(hours=6))
    assert unconfirmed() == ["open evening"]


def lost(record: Record, since: datetime) -> None:
    SearchEntry.objects.filter(pk=record.pk).update(unconfirmed_since=since)


def test_what_no_source_lists_is_shown_with_a_note_until_an_admin_hides_it(admin: Actor, client: Client) -> None:
    record, today = add("Open evening"), timezone.now().date()
    lost(record, timezone.now() - timedelta(days=5))
    assert "No longer listed by its source since" in client.get("/search").content.decode()
    assert [each.name for each in statements.hits(Filters(kind="event", confirmed=True), today)[0]] == []
    services.present(admin, hide_after_days=30)
    assert "Open evening" in client.get("/search").content.decode()
    services.present(admin, hide_after_days=3)
    assert "Open evening" not in client.get("/search").content.decode()
    assert client.get(f"/records/{record.pk}/").status_code == 200


def test_closing_soon_leaves_out_what_no_source_lists(client: Client) -> None:
    record = add("Small grant", kind="funding", funder_name="F", deadline=day(5), locality="")
    assert client.get("/").content.decode().count("Small grant") == 2, "closing soon, and new"
    lost(record, timezone.now())
    assert client.get("/").content.decode().count("Small grant") == 1


def test_days_that_go_by_lead_to_the_next_one_and_then_to_none() -> None:
    times = [f"{day(ahead)}T19:00:00" for ahead in (1, 4)]
    record = add("Open evening", start=times[0], occurrences=[{"start": each} for each in times])
    entry = SearchEntry.objects.get(pk=record.pk)
    assert (str(entry.next_day), str(entry.last_day)) == (day(1), day(4))
    Occurrence.objects.filter(record=record, start_date=day(1)).delete()
    SearchEntry.objects.update(next_day=day(-1))
    services.refresh_lists()
    assert str(SearchEntry.objects.get(pk=record.pk).next_day) == day(4)
    SearchEntry.objects.update(next_day=day(-1), last_day=day(-1))
    services.refresh_lists()
    assert SearchEntry.objects.get(pk=record.pk).next_day is None
