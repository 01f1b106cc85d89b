"""A record is found by the identities of all its current observations, not just by its own."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.models import OtherIdentity, Record
from gleanery.review.models import Item
from tests.resolution.shop import record_of, tell

pytestmark = pytest.mark.django_db

CHOIR = {
    "start": "2027-03-12T19:00:00+02:00",
    "venue_name": "Town hall",
    "locality": "Corrabeg",
    "description": "Choir.",
}
ONE, OTHER = {"name": "Alpha Choir sings Bach", **CHOIR}, {"name": "Bach sung by the Alpha Choir", **CHOIR}


def two(**other: Any) -> tuple[Record, Record]:
    """Return two records of the same event in different words; the second source has the higher trust."""
    tell("x", "event", "1", trust=3, **ONE)
    tell("y", "event", "1", trust=9, **(OTHER | other))
    return tuple(Record.objects.filter(kind="event").order_by("created_at", "pk"))  # type: ignore[return-value]


def test_what_was_merged_is_found_by_either_name(admin: Actor) -> None:
    one, other = two()
    services.merge(admin, other, one)
    assert Record.objects.get(pk=one.pk).name == OTHER["name"]
    for who, said in (("z", ONE), ("w", OTHER)):
        answer = tell(who, "event", "1", **said)
        assert (answer.outcome, answer.record) == ("merged", str(one.pk))


def test_a_new_version_replaces_the_identities_of_the_old_one(admin: Actor) -> None:
    one, other = two()
    services.merge(admin, other, one)
    tell("x", "event", "1", **(ONE | {"name": "Matinee"}))
    assert tell("z", "event", "1", **ONE).record != str(one.pk)
    assert tell("z", "event", "2", **(ONE | {"name": "Matinee"})).record == str(one.pk)


def test_splitting_gives_each_record_its_identities_back(admin: Actor) -> None:
    one, other = two()
    services.merge(admin, other, one)
    assert OtherIdentity.objects.get(place__isnull=False).record == one
    late, his = tell("z", "event", "1", **ONE), tell("w", "event", "1", **OTHER)
    services.unmerge(admin, other)
    assert not OtherIdentity.objects.filter(place__isnull=False).exists()
    assert tell("z", "event", "1", **ONE).record == late.record == str(one.pk)
    assert tell("w", "event", "1", **OTHER).record == str(other.pk) != his.record
    assert tell("v", "event", "1", **OTHER).record == str(other.pk)


def test_an_edited_name_does_not_hide_the_one_that_sources_use(admin: Actor) -> None:
    one = record_of(tell("x", "event", "1", **ONE))
    services.edit(admin, one, {"name": "Bach in spring"})
    assert tell("z", "event", "1", **ONE).record == str(one.pk)


def test_identities_of_observations_follow_the_venue_that_they_name(admin: Actor) -> None:
    """Also where the record itself is held elsewhere by those who are believed more."""
    one, other = two(venue_name="Assembly rooms")
    named = one.place
    services.merge(admin, other, one)
    assert Record.objects.get(pk=one.pk).place != named
    assert named is not None
    barn = record_of(tell("v", "place", "1", name="Old barn", locality="Corrabeg"))
    services.merge(admin, named, barn)
    assert OtherIdentity.objects.get(record=one, place__isnull=False).place == barn.pk
    said = ONE | {"venue_name": "Old barn"}
    assert tell("z", "event", "1", **said).record == str(one.pk)


def test_a_place_that_joined_by_its_likeness_is_found_by_its_own_words(admin: Actor) -> None:
    hall = {"address": "12 River Street", "locality": "Ruse", "phone": "+359 82 123 456"}
    one = record_of(tell("a", "place", "1", name="Kobalt Theatre", **hall))
    assert tell("b", "place", "1", name="Kobalt Teatre", **hall).record == str(one.pk)
    assert OtherIdentity.objects.filter(record=one).count() == 1
    assert tell("c", "place", "1", name="Kobalt Teatre", **hall).record == str(one.pk)


def test_a_split_leaves_no_question_about_an_identity_that_went_with_it(admin: Actor) -> None:
    one = record_of(tell("a", "place", "1", name="Rex"))
    other = record_of(tell("f", "place", "1", name="Rex", locality="Sofia"))
    services.merge(admin, one, other)
    services.unmerge(admin, one)
    about = Item.objects.filter(record=one, status="pending")
    assert not [each for item in about for each in item.warnings.all() if each.detail.get("by") == "identity"]
