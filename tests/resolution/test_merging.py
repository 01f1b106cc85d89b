"""Merging, splitting, editing, deleting: everything can be undone, and later observations override no decision."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict, Invalid
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation
from gleanery.resolution import services
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.models import Edit, Record, Tombstone, Verdict
from gleanery.review.models import Item
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, source, tell

pytestmark = pytest.mark.django_db

HALL = {"name": "Town hall", "locality": "Corrabeg"}


def snapshot() -> dict[str, tuple[Any, ...]]:
    """Return the projected content of all records, without versions and times."""
    return {
        str(row.pk): (row.status, row.fields, row.provenance, row.place_id, row.organization_id, row.identity_hash)
        for row in Record.objects.all()
    }


def stored_equals_projected() -> None:
    before = snapshot()
    rows = storage.records(ids=list(before))
    reprojection.reproject(list(rows), datetime.now(UTC))
    assert snapshot() == before


def test_merging_moves_all_that_sources_say(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **HALL))
    other = record_of(tell("b", "place", "2", name="The town hall", phone="+35312345", locality="Corrabeg"))
    services.merge(admin, other, one)
    one.refresh_from_db()
    other.refresh_from_db()
    assert (other.status, other.merged_into) == ("merged", one)
    assert one.fields == HALL | {"phone": "+35312345"}
    assert Observation.objects.filter(record=one.pk).count() == 2
    assert tell("b", "place", "2", name="The hall", locality="Corrabeg").record == str(one.pk)
    assert tell("c", "place", "3", name="The town hall", locality="Corrabeg").record == str(one.pk)
    assert {each.action for each in JournalEntry.objects.filter(subject_kind="record")} == {"merge", "absorb"}
    stored_equals_projected()


def test_splitting_gives_back_all_that_the_two_had(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **HALL))
    other = record_of(tell("b", "place", "2", name="The town hall", phone="+35312345", locality="Corrabeg"))
    services.edit(admin, other, {"description": "Old."})
    before = snapshot()
    services.merge(admin, other, one, fields=["name"])
    assert Record.objects.get(pk=one.pk).name == "The town hall"
    assert Record.objects.get(pk=one.pk).fields["description"] == "Old."
    services.unmerge(admin, other)
    assert snapshot() == before
    assert [each.verdict for each in Verdict.objects.order_by("at")] == ["same", "unsure"], "it waits again"
    assert Verdict.objects.filter(superseded_at=None).count() == 1
    stored_equals_projected()


def test_what_came_later_stays_unless_it_is_the_split_one_by_identity(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", **HALL))
    other = record_of(tell("b", "place", "2", name="Assembly rooms", locality="Corrabeg"))
    services.merge(admin, other, one)
    late = tell("c", "place", "3", **HALL)
    his = tell("d", "place", "4", name="Assembly Rooms", locality="Corrabeg")
    assert late.record == his.record == str(one.pk)
    services.unmerge(admin, other)
    owners = dict(Observation.objects.values_list("source__name", "record"))
    assert owners == {"a": one.pk, "b": other.pk, "c": one.pk, "d": other.pk}
    stored_equals_projected()


def test_events_follow_their_place_and_what_collides_is_shown(admin: Actor) -> None:
    one = record_of(tell("a", "event", "1", **JAZZ))
    other = record_of(tell("b", "event", "1", **(JAZZ | {"venue_name": "Old Mill"})))
    before = snapshot()
    assert one.place is not None
    assert other.place is not None
    services.merge(admin, other.place, one.place)
    other.refresh_from_db()
    one.refresh_from_db()
    assert other.place_id == one.place_id
    assert other.identity_hash == one.identity_hash
    (item,) = Item.objects.filter(record=other)
    (warning,) = item.warnings.all()
    assert (warning.code, warning.detail["duplicate_of"]) == ("potential_duplicate", str(one.pk))
    stored_equals_projected()
    place = Record.objects.get(kind="place", status="merged")
    services.unmerge(admin, place)
    assert snapshot() == before


def test_a_verdict_keeps_a_collision_from_being_shown(admin: Actor) -> None:
    one = record_of(tell("a", "event", "1", **JAZZ))
    other = record_of(tell("b", "event", "1", **(JAZZ | {"venue_name": "Old Mill"})))
    services.give_verdict(admin, one, other, "different")
    assert one.place is not None
    assert other.place is not None
    services.merge(admin, other.place, one.place)
    assert not Item.objects.filter(status="pending").exists()


def test_chains_of_merges_are_followed_and_circles_refused(admin: Actor) -> None:
    a, b, c = (record_of(tell("a", "place", name, name=name, locality="x")) for name in ("Hall", "Inn", "Mill"))
    services.merge(admin, a, b)
    services.merge(admin, b, c)
    assert services.survivor_of(a) == c
    for loser, survivor in ((c, a), (c, b), (a, a)):
        with pytest.raises((Conflict, Invalid)):
            services.merge(admin, loser, survivor)
    with pytest.raises(Conflict):
        services.merge(admin, a, c)
    d = record_of(tell("a", "place", "d", name="Farm", locality="x"))
    assert services.merge(admin, d, a).survivor == c
    organization = record_of(tell("a", "organization", "o", name="Farm"))
    with pytest.raises(Invalid):
        services.merge(admin, organization, c)


def test_merges_are_undone_in_any_order(admin: Actor) -> None:
    rows = [record_of(tell(name, "place", name, name=name, locality="x")) for name in "abcd"]
    before = snapshot()
    a, b, c, d = rows
    services.merge(admin, a, b)
    services.merge(admin, b, c)
    services.unmerge(admin, a)
    services.merge(admin, a, c)
    services.merge(admin, d, a)
    stored_equals_projected()
    for each in (b, d, a):
        services.unmerge(admin, each)
        stored_equals_projected()
    assert snapshot() == before


def test_an_edit_survives_any_later_crawl(admin: Actor) -> None:
    first = tell("a", "event", "1", **JAZZ)
    services.edit(admin, record_of(first), {"name": "Jazz Evening", "image_url": None})
    tell("a", "event", "1", **(JAZZ | {"name": "Jazz Crawl", "image_url": "https://a.example/i.png"}))
    tell("b", "event", "9", 10, **JAZZ)
    record = record_of(first)
    assert record.name == "Jazz Evening"
    assert "image_url" not in record.fields
    services.edit(admin, record, {"name": "Jazz Dawn"})
    assert record_of(first).name == "Jazz Dawn"
    services.unedit(admin, record, ["name"])
    assert record_of(first).name == "Jazz Evening"
    services.unedit(admin, record, ["name", "image_url"])
    assert record_of(first).name == "Jazz Crawl"
    stored_equals_projected()


def test_an_edit_of_what_has_changed_meanwhile_is_refused(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    services.edit(admin, record, {"name": "B"}, expected_version=record.version)
    with pytest.raises(Conflict):
        services.edit(admin, record, {"name": "C"}, expected_version=1)


@pytest.mark.parametrize("changes", [{}, {"name": None}, {"lat": 200}, {"party": "x"}, {"place": "x"}])
def test_an_edit_that_cannot_be_is_refused(admin: Actor, changes: dict[str, Any]) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    with pytest.raises(Invalid):
        services.edit(admin, record, changes)
    assert not Edit.objects.exists()


def test_a_place_named_by_hand_is_the_one_that_it_becomes(admin: Actor) -> None:
    event = record_of(tell("a", "event", "1", **JAZZ))
    hall = record_of(tell("a", "place", "1", **HALL))
    inn = record_of(tell("a", "place", "2", name="Inn", locality="Corrabeg"))
    assert services.edit(admin, event, {"place": str(hall.pk)}).place == hall
    services.merge(admin, hall, inn)
    event.refresh_from_db()
    assert event.place == inn
    services.unmerge(admin, hall)
    event.refresh_from_db()
    assert event.place == hall


def test_a_change_of_trust_is_followed(admin: Actor) -> None:
    first = tell("a", "event", "1", **JAZZ)
    tell("b", "event", "1", **(JAZZ | {"description": "From b."}))
    extraction.set_trust(admin, source("b"), 9)
    record = record_of(first)
    assert record.fields["description"] == "From b."
    assert record.provenance["description"]["trust"] == 9
    extraction.set_trust(admin, source("b"), 1)
    assert record_of(first).fields["description"] == JAZZ["description"]
    stored_equals_projected()


def test_what_was_deleted_does_not_come_back_until_it_is_restored(admin: Actor) -> None:
    first = tell("a", "event", "1", **JAZZ)
    services.delete(admin, record_of(first), "Spam.")
    assert Tombstone.objects.get().reason == "Spam."
    again = tell("a", "event", "1", **(JAZZ | {"description": "New."}))
    other = tell("b", "event", "1", **JAZZ)
    assert (again.outcome, other.outcome) == ("refused", "refused")
    assert again.record == other.record == first.record
    assert record_of(first).status == "deleted"
    assert Record.objects.filter(kind="event").count() == 1
    restored = services.restore(admin, record_of(first))
    assert (restored.status, restored.fields["description"]) == ("published", "New.")
    assert Observation.objects.filter(record=first.record, superseded_at=None).count() == 2
    assert tell("c", "event", "1", **JAZZ).outcome == "merged"
    stored_equals_projected()


def test_deleting_needs_a_reason_and_settles_what_was_asked(admin: Actor) -> None:
    answer = tell("a", "event", "1", **BACKWARDS)
    with pytest.raises(Invalid):
        services.delete(admin, record_of(answer), " ")
    services.delete(admin, record_of(answer), "Not an event.")
    assert Item.objects.get().status == "superseded"
    assert services.restore(admin, record_of(answer)).status == "in_review"
    assert Item.objects.filter(status="pending").count() == 1


def test_merging_what_is_published_into_what_waits_keeps_it_on_the_site(admin: Actor) -> None:
    waiting = record_of(tell("a", "event", "1", **(BACKWARDS | {"name": "Chess"})))
    published = record_of(tell("b", "event", "1", **JAZZ))
    before = snapshot()
    services.merge(admin, published, waiting)
    waiting.refresh_from_db()
    assert waiting.status == "published"
    services.unmerge(admin, published)
    assert snapshot() == before
    assert Item.objects.filter(record=waiting, status="pending").count() == 1
