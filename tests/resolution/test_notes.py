"""Notes are shown with a record and do not hold it back, unless all its sources ask to review them."""

from __future__ import annotations

import pytest
from django.db import connection

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Invalid, NotAllowed
from gleanery.extraction import services as extraction
from gleanery.resolution.intake import recompute
from gleanery.resolution.models import Record
from gleanery.resolution.presenting.note_counts import note_counts
from gleanery.resolution.presenting.record_list import filtered
from gleanery.resolution.records.quality import Doubt
from gleanery.review.models import Item
from gleanery.review.opening import open_records
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, source, tell
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db

BARE = {"name": "Jazz Night", "start": "2027-03-12T19:00:00+02:00"}


def waits(record: Record) -> list[str]:
    """Return the codes of the warnings of a waiting record; none if it is published."""
    record.refresh_from_db()
    items = Item.objects.filter(record=record, status="pending")
    codes = sorted(each.code for item in items for each in item.warnings.all())
    assert (record.status == "in_review") == bool(codes)
    return codes


def test_a_record_with_notes_alone_is_published_with_them() -> None:
    answer = tell("a", "event", "1", **BARE)
    assert answer.outcome == "created"
    assert answer.notes == ("missing_description", "missing_venue")
    record = record_of(answer)
    assert record.notes == ["missing_description", "missing_venue"]
    assert waits(record) == []
    assert list(filtered(note="missing_venue")) == [record]
    assert not filtered(note="too_far_in_future")


def test_a_note_ends_when_any_source_says_what_was_missing() -> None:
    record = record_of(tell("a", "event", "1", **{**JAZZ, "description": ""}))
    assert record.notes == ["missing_description"]
    tell("b", "event", "1", **JAZZ)
    record.refresh_from_db()
    assert record.notes == []


def test_what_a_source_asks_about_waits_until_it_asks_no_more(admin: Actor) -> None:
    extraction.set_asks(admin, source("a"), ["missing_venue"])
    asked = record_of(tell("a", "event", "1", **BARE))
    other = record_of(tell("a", "event", "2", **{**JAZZ, "name": "Choir", "description": ""}))
    assert waits(asked) == ["missing_venue"]
    assert waits(other) == []
    extraction.set_asks(admin, source("a"), [])
    assert waits(asked) == []
    assert [each.after for each in JournalEntry.objects.filter(action="set_asks").order_by("id")] == [
        {"asks": ["missing_venue"]},
        {"asks": []},
    ]


def test_all_that_a_source_on_probation_brings_waits(admin: Actor) -> None:
    extraction.set_asks(admin, source("a"), ["probation"])
    record = record_of(tell("a", "event", "1", **JAZZ))
    assert waits(record) == ["probation"]
    tell("b", "event", "1", **JAZZ)
    assert waits(record) == [], "a source that asks nothing vouches for it"


def test_what_is_public_stays_public_when_its_source_begins_to_ask(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **BARE))
    extraction.set_asks(admin, source("a"), ["missing_venue", "probation"])
    assert waits(record) == []
    tell("a", "event", "1", **{**BARE, "cost": "5 EUR"})
    assert waits(record) == []


def test_only_admins_say_what_a_source_asks_about_and_only_what_there_is(admin: Actor) -> None:
    with pytest.raises(NotAllowed):
        extraction.set_asks(somebody(Role.REVIEWER), source("a"), ["probation"])
    with pytest.raises(Invalid, match="reversed_dates"):
        extraction.set_asks(admin, source("a"), ["reversed_dates"])
    assert source("a").asks == []


def test_notes_are_counted_for_each_source() -> None:
    for number, who in enumerate("aab"):
        tell(who, "event", str(number), **{**BARE, "name": f"Concert {'xyz'[number] * 5}", "description": "x"})
    assert [(each.source, each.note, each.records) for each in note_counts()] == [
        ("a", "missing_venue", 2),
        ("b", "missing_venue", 1),
    ]


def test_records_of_older_rules_follow_the_new_ones_and_what_waited_for_a_note_is_published() -> None:
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    fine = record_of(tell("a", "event", "2", **{**BARE, "name": "Choir"}))
    Record.objects.update(rules=0, notes=[])
    Record.objects.filter(pk=fine.pk).update(status="in_review", published_at=None)
    open_records({fine.pk: [Doubt("missing_description", "It has no description.")]})
    assert recompute.catch_up() == Record.objects.count()
    assert waits(record) == ["reversed_dates"]
    assert waits(fine) == []
    assert fine.notes == ["missing_description", "missing_venue"]
    assert recompute.catch_up() == 0


def test_outdated_records_are_found_by_their_index() -> None:
    tell("a", "event", "1", **JAZZ)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN " + recompute.OUTDATED, {"rules": 1, "most": 5})
        assert "record_rules" in str(cursor.fetchall())
