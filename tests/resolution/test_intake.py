"""Observations of sources become records in the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.extraction.models import Observation
from gleanery.resolution.decisions.delete import delete
from gleanery.resolution.intake.batch import intake
from gleanery.resolution.models import Occurrence, Record
from gleanery.resolution.records.identity import Subject, identity
from gleanery.review.models import Item
from tests.resolution.shop import BACKWARDS, JAZZ, LATER, given, record_of, source, tell

pytestmark = pytest.mark.django_db


def test_the_hash_that_is_looked_for_is_the_one_that_is_stored() -> None:
    """Seed 003: the database overwrote the hash of the application with its own, so that none was ever found."""
    first = tell("a", "event", "1", **JAZZ)
    stored = record_of(first)
    computed = identity("event", Subject(stored.fields, str(stored.place_id), None))
    assert bytes(stored.identity_hash or b"") == computed
    second = tell("b", "event", "99", **JAZZ)
    assert (first.outcome, second.outcome) == ("created", "merged")
    assert second.record == first.record
    assert Record.objects.filter(kind="event").count() == 1
    assert Observation.objects.filter(record=first.record).count() == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "JAZZ night!"},
        {"venue_name": "the REX"},
        {"start": "2027-03-12T17:00:00Z"},
        {"start": "2027-03-12"},
        {"start": "2027-03-12T15:00:00+02:00"},
        {"description": "Another text."},
    ],
)
def test_another_spelling_from_another_source_joins(changes: dict[str, Any]) -> None:
    first = tell("a", "event", "1", **JAZZ)
    assert tell("b", "event", "1", **(JAZZ | changes)).record == first.record


@pytest.mark.parametrize("changes", [{"name": "Blues Night"}, {"venue_name": "Hall"}, {"start": "2027-03-13"}])
def test_another_name_venue_or_day_is_another_event(changes: dict[str, Any]) -> None:
    first = tell("a", "event", "1", **JAZZ)
    assert tell("b", "event", "1", **(JAZZ | changes)).record != first.record


def test_the_same_instant_is_the_same_event_though_the_clocks_show_another_day() -> None:
    first = tell("a", "event", "1", **(JAZZ | {"start": "2027-07-01T23:30:00-04:00"}))
    assert tell("b", "event", "1", **(JAZZ | {"start": "2027-07-02T04:30:00Z"})).record != first.record
    blues = JAZZ | {"name": "Blues Night"}
    second = tell("a", "event", "2", **(blues | {"start": "2027-07-01T23:30:00-04:00"}))
    assert tell("b", "event", "2", **(blues | {"start": "2027-07-02T03:30:00Z"})).record == second.record
    assert Occurrence.objects.filter(record=second.record).count() == 1


def test_a_matinee_and_an_evening_show_are_one_event_with_two_occurrences() -> None:
    first = tell("a", "event", "1", **(JAZZ | {"start": "2027-03-12T15:00:00-05:00"}))
    second = tell("a", "event", "2", **(JAZZ | {"start": "2027-03-12T20:00:00-05:00"}))
    assert second.record == first.record
    assert Occurrence.objects.filter(record=first.record).count() == 2


def test_the_same_again_changes_nothing() -> None:
    first = tell("a", "event", "1", **JAZZ)
    before = (Record.objects.count(), Observation.objects.count(), record_of(first).version)
    again = tell("a", "event", "1", **JAZZ)
    assert (again.outcome, again.record) == ("unchanged", first.record)
    assert (Record.objects.count(), Observation.objects.count(), record_of(first).version) == before


def test_a_change_is_a_new_version_of_the_same_record() -> None:
    first = tell("a", "event", "1", **JAZZ)
    again = tell("a", "event", "1", **(JAZZ | {"name": "Jazz Morning"}))
    assert (again.outcome, again.record) == ("updated", first.record)
    assert record_of(first).name == "Jazz Morning"
    versions = Observation.objects.filter(kind="event").order_by("version")
    assert [(each.version, each.is_current, str(each.record)) for each in versions] == [
        (1, False, first.record),
        (2, True, first.record),
    ]
    assert versions[0].first_observed == versions[1].first_observed


def test_trust_decides_and_gaps_are_filled() -> None:
    first = tell("a", "event", "1", **JAZZ)
    tell("b", "event", "1", 5, **(JAZZ | {"description": "later", "image_url": "https://b.example/i.png"}))
    tell("c", "event", "1", 6, **(JAZZ | {"description": "better"}))
    fields = record_of(first).fields
    assert fields["description"] == "better"
    assert fields["image_url"] == "https://b.example/i.png"


def test_the_venue_and_the_organiser_become_records_of_their_own() -> None:
    first = record_of(tell("a", "event", "1", **JAZZ, organizer_name="Jazz Society"))
    assert first.place is not None
    assert first.organization is not None
    assert (first.place.kind, first.place.name, first.place.fields["locality"]) == ("place", "The Rex", "Sofia")
    assert (first.organization.kind, first.organization.name) == ("organization", "Jazz Society")


def test_an_event_that_moves_names_another_venue_and_renames_none() -> None:
    first = record_of(tell("a", "event", "1", **JAZZ))
    moved = record_of(tell("a", "event", "1", **(JAZZ | {"venue_name": "The Library"})))
    assert moved.pk == first.pk
    assert moved.place_id != first.place_id
    assert Record.objects.get(pk=first.place_id).name == "The Rex"
    (gone,) = Observation.objects.filter(record=first.place_id)
    assert gone.not_seen_since is not None


def test_outlets_of_a_chain_with_different_addresses_are_different_places() -> None:
    shop = {"name": "Corner shop", "locality": "Corrabeg"}
    first = tell("a", "place", "1", **shop, address="5 Main St.")
    assert tell("b", "place", "1", **shop, address="7 Main Street").record != first.record
    assert tell("c", "place", "1", **shop, address="5 Main Street").record == first.record


def test_a_hash_match_with_a_conflict_does_not_join() -> None:
    shop = {"name": "Corner shop", "locality": "Corrabeg"}
    first = tell("a", "place", "1", **shop, lat=42.0, lon=23.0)
    other = tell("b", "place", "1", **shop, lat=42.1, lon=23.0)
    assert other.record != first.record
    assert tell("c", "place", "1", **shop, lat=42.1001, lon=23.0).record == other.record
    one = tell("a", "organization", "1", name="Hands", locality="Ruse", official_id="1")
    assert tell("b", "organization", "1", name="Hands", locality="Ruse", official_id="2").record != one.record


def test_next_years_call_is_another_programme() -> None:
    call = {"name": "Small grants", "funder_name": "The Fund", "description": "For schools."}
    first = tell("a", "funding", "1", **call, deadline="2027-02-15")
    assert tell("b", "funding", "1", **call, deadline="2027-02-15").record == first.record
    assert tell("b", "funding", "2", **call, deadline="2028-02-15").record != first.record


def test_one_bad_item_never_loses_the_others() -> None:
    answers = intake(
        source(),
        [
            given("event", "1", **JAZZ),
            given("party", "2", name="x"),
            given("event", "", **JAZZ),
            given("event", "4", start="2027-03-12"),
            given("event", "5", **(JAZZ | {"start": "soon"})),
            given("place", "6", name="Hall", lat=200, lon=1),
            given("place", "7", name="\x00Hall\ud800"),
        ],
    )
    assert [each.outcome for each in answers] == ["created", *["refused"] * 5, "created"]
    assert all(each.reason for each in answers[1:-1])


def test_a_doubt_holds_a_new_record_back_and_asks_for_a_look() -> None:
    answer = tell("a", "event", "1", **BACKWARDS)
    assert answer.outcome == "in_review"
    assert [each.code for each in answer.warnings] == ["reversed_dates"]
    item = Item.objects.get(record=answer.record)
    assert (item.kind, item.status) == ("record", "pending")
    assert [each.code for each in item.warnings.all()] == ["reversed_dates"]
    assert record_of(answer).status == "in_review"


def test_what_was_wrong_is_right_by_a_better_source_and_the_record_is_published() -> None:
    answer = tell("a", "event", "1", **BACKWARDS)
    tell("b", "event", "1", 9, **(JAZZ | {"end": LATER}))
    assert record_of(answer).status == "published"
    assert Item.objects.get(record=answer.record).status == "superseded"


def test_a_later_doubtful_source_does_not_take_a_good_record_off_the_site() -> None:
    first = tell("a", "event", "1", **JAZZ)
    tell("b", "event", "1", 9, **(JAZZ | {"end": "2027-03-12T18:00:00+02:00"}))
    record = record_of(first)
    assert record.fields["end"].startswith("2027-03-12T18")
    assert record.status == "published"
    assert not Item.objects.exists()


def test_a_thing_that_comes_twice_in_a_batch_ends_as_the_second_says() -> None:
    answers = intake(source(), [given("event", "1", **JAZZ), given("event", "1", **(JAZZ | {"name": "Jazz Day"}))])
    assert [each.outcome for each in answers] == ["created", "updated"]
    assert record_of(answers[0]).name == "Jazz Day"


def test_a_thing_that_comes_a_thousand_times_in_a_batch_is_written_once() -> None:
    copies = [given("event", "1", **(JAZZ | {"name": f"Jazz {n // 2}"})) for n in range(1_000)]
    with CaptureQueriesContext(connection) as asked:
        answers = intake(source(), copies)
    assert [each.outcome for each in answers] == ["created", "unchanged", *["updated", "unchanged"] * 499]
    assert len({each.record for each in answers}) == 1
    assert record_of(answers[0]).name == "Jazz 499"
    assert Observation.objects.get(kind="event").version == 1
    assert len(asked) < 50
    again = intake(source(), [copies[-1], given("event", "1", **JAZZ), copies[-1]])
    assert [each.outcome for each in again] == ["unchanged", "updated", "updated"]
    assert Observation.objects.get(kind="event").version == 1, "it ends as it began"


def test_what_was_deleted_is_refused_however_often_a_batch_tells_of_it(admin: Actor) -> None:
    delete(admin, record_of(tell("a", "event", "1", **JAZZ)), "Spam.")
    copies = [given("event", "1", **(JAZZ | {"name": f"Jazz {n}"})) for n in range(3)]
    assert {each.outcome for each in intake(source(), copies)} == {"refused"}


def test_two_of_one_identity_in_a_batch_are_one_record() -> None:
    answers = intake(source(), [given("event", "1", **JAZZ), given("event", "2", **JAZZ)])
    assert [each.outcome for each in answers] == ["created", "merged"]
    assert Record.objects.count() == 2


def test_the_journal_tells_of_the_batch() -> None:
    tell("a", "event", "1", **JAZZ)
    tell("a", "event", "1", **JAZZ)
    entry = JournalEntry.objects.get(action="intake")
    assert (entry.subject_name, entry.after) == ("a", {"created": 1})
