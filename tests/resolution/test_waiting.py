"""Every waiting record has a reason, and leaves the queue when that is gone: after merges, edits, decisions, undos."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.accounts.actor import Actor
from gleanery.resolution import services
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.services import decide
from tests.resolution import history
from tests.resolution.shop import BACKWARDS, EARLIER, JAZZ, LATER, record_of, tell

pytestmark = pytest.mark.django_db

HOTEL = JAZZ | {"venue_name": "Rex Hotel"}


def fresh(record: Record) -> Record:
    return Record.objects.get(pk=record.pk)


def warnings_of(record: Record) -> list[str]:
    items = Item.objects.filter(record=record, status="pending")
    return sorted(each.code for item in items for each in item.warnings.all())


def colliding(admin: Actor, **second: Any) -> tuple[Record, Record, Record]:
    """Return two events of equal identity, because their venues were merged, and the merged venue."""
    one = record_of(tell("a", "event", "1", **JAZZ))
    other = record_of(tell("b", "event", "1", **(HOTEL | second)))
    assert one.place is not None
    assert other.place is not None
    services.merge(admin, other.place, one.place)
    return fresh(one), fresh(other), other.place


def test_a_collision_that_a_split_ends_is_asked_about_no_more(admin: Actor) -> None:
    _, other, place = colliding(admin)
    assert warnings_of(other) == ["potential_duplicate"]
    services.unmerge(admin, place)
    assert warnings_of(other) == []
    assert Item.objects.get(record=other).status == "superseded"
    assert fresh(other).status == "published"


def test_a_collision_that_an_edit_made_ends_with_it(admin: Actor) -> None:
    tell("a", "event", "1", **JAZZ)
    other = record_of(tell("b", "event", "1", **HOTEL | {"venue_name": "The Rex", "name": "Poetry Slam"}))
    services.edit(admin, other, {"name": "Jazz Night"})
    assert warnings_of(other) == ["potential_duplicate"]
    services.unedit(admin, other, ["name"])
    assert Item.objects.get(record=other).status == "superseded"
    history.check()


@pytest.mark.parametrize("end", ["edit", "delete", "merge", "verdict"])
def test_a_collision_ends_with_what_becomes_of_the_other_one(admin: Actor, end: str) -> None:
    one, other, _ = colliding(admin)
    if end == "edit":
        services.edit(admin, one, {"name": "Blues Night"})
    elif end == "delete":
        services.delete(admin, one, "Spam.")
    elif end == "merge":
        services.merge(admin, one, other)
    else:
        services.give_verdict(admin, one, other, "different")
    assert Item.objects.get(record=other).status == "superseded"
    history.check()


def test_other_doubts_stay_when_a_collision_ends(admin: Actor) -> None:
    _, other, place = colliding(admin, end=EARLIER)
    assert warnings_of(other) == ["potential_duplicate", "reversed_dates"]
    services.unmerge(admin, place)
    assert warnings_of(other) == ["reversed_dates"]
    assert fresh(other).status == "in_review"


def test_what_waits_for_a_collision_alone_is_published_when_that_ends(admin: Actor) -> None:
    _, other, place = colliding(admin, end=EARLIER)
    services.edit(admin, other, {"end": LATER})
    assert warnings_of(other) == ["potential_duplicate"]
    services.unmerge(admin, place)
    assert fresh(other).status == "published"


def test_each_of_several_of_one_name_is_asked_about_and_one_left_is_enough(admin: Actor) -> None:
    one, other, _ = colliding(admin)
    third = record_of(tell("c", "event", "1", **(JAZZ | {"venue_name": "Inn"})))
    assert third.place is not None
    services.merge(admin, third.place, one.place)  # type: ignore[arg-type]
    assert warnings_of(third) == ["potential_duplicate"] * 2
    services.delete(admin, one, "Spam.")
    assert warnings_of(third) == ["potential_duplicate"]
    assert Item.objects.get(record=third, status="pending").warnings.get().detail["duplicate_of"] == str(other.pk)


def test_a_record_that_comes_back_is_compared_with_what_is_there_now(admin: Actor) -> None:
    one, _, _ = colliding(admin)
    services.delete(admin, one, "Spam.")
    services.restore(admin, one)
    assert warnings_of(one) == ["potential_duplicate"]
    history.check()


def test_what_only_an_edit_published_waits_again_without_it(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    assert services.edit(admin, record, {"end": LATER}).status == "published"
    assert warnings_of(record) == []
    record = services.unedit(admin, record, ["end"])
    assert (record.status, record.published_at) == ("in_review", None)
    assert warnings_of(record) == ["reversed_dates"]
    assert services.edit(admin, record, {"end": LATER}).status == "published"


def test_what_a_source_brought_meanwhile_keeps_it_published_without_the_edit(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    services.edit(admin, record, {"end": LATER})
    tell("b", "event", "1", 9, **(JAZZ | {"end": LATER}))
    assert services.unedit(admin, record, ["end"]).status == "published"


@pytest.mark.parametrize("how", ["before", "by a person"])
def test_what_was_public_otherwise_stays_public_when_an_edit_is_taken_back(admin: Actor, how: str) -> None:
    """A warning holds back only records that were never published."""
    if how == "before":
        record = record_of(tell("a", "event", "1", **JAZZ))
        tell("a", "event", "1", **BACKWARDS)
    else:
        record = record_of(tell("a", "event", "1", **BACKWARDS))
        decide(admin, claims.find(Item.objects.get(record=record).pk), "approve")
    services.edit(admin, record, {"end": LATER})
    assert services.unedit(admin, record, ["end"]).status == "published"
    assert warnings_of(record) == []


def test_what_only_a_merge_made_fit_waits_again_after_the_split(admin: Actor) -> None:
    one = record_of(tell("a", "event", "1", **BACKWARDS))
    other = record_of(tell("b", "event", "1", **(BACKWARDS | {"name": "Jazz"})))
    before = [warnings_of(each) for each in (one, other)]
    services.merge(admin, other, one, {"end": LATER})
    assert fresh(one).status == "published"
    services.unmerge(admin, other)
    assert [fresh(each).status for each in (one, other)] == ["in_review", "in_review"]
    assert [warnings_of(each) for each in (one, other)] == before


def test_whoever_was_public_by_another_is_so_while_any_such_is_part_of_it(admin: Actor) -> None:
    """Of two that wait, one took in two public ones, and went into the other; they are split off in any order."""
    waiting = [record_of(tell("a", "event", name, **(BACKWARDS | {"name": name}))) for name in ("Poetry Slam", "Tango")]
    public = [record_of(tell("b", "event", name, **(JAZZ | {"name": name}))) for name in ("Chess Lesson", "Bazaar")]
    start = history.snapshot()
    services.merge(admin, public[0], waiting[0])
    services.merge(admin, public[1], waiting[0])
    services.merge(admin, waiting[0], waiting[1])
    assert fresh(waiting[1]).status == "published"
    services.unmerge(admin, public[0])
    assert fresh(waiting[1]).status == "published"
    services.unmerge(admin, public[1])
    assert fresh(waiting[1]).status == "in_review"
    services.unmerge(admin, waiting[0])
    assert history.snapshot() == start
    history.check()


def test_what_is_withdrawn_waits_with_a_reason(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    assert services.withdraw(admin, record).status == "in_review"
    assert warnings_of(record) == ["undone"]
    tell("b", "event", "1", **(JAZZ | {"image_url": "https://b.example/i.png"}))
    assert fresh(record).status == "in_review", "a person took it back, so a person decides"
    decide(admin, claims.find(Item.objects.get(record=record, status="pending").pk), "approve")
    assert fresh(record).status == "published"


@pytest.mark.parametrize("way", ["merge and split", "delete and restore"])
def test_what_is_withdrawn_still_waits_after_a_detour(admin: Actor, way: str) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    other = record_of(tell("b", "event", "1", **(JAZZ | {"name": "Blues"})))
    services.withdraw(admin, record)
    if way == "merge and split":
        services.merge(admin, record, other)
        services.unmerge(admin, record)
    else:
        services.delete(admin, record, "Spam.")
        services.restore(admin, record)
    assert fresh(record).status == "in_review"
    assert warnings_of(record) == ["undone"]
    history.check()


def test_publishing_settles_what_held_it_back(admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    services.publish(admin, record)
    assert Item.objects.get(record=record).status == "superseded"


def test_publishing_leaves_the_question_whether_it_is_another(admin: Actor) -> None:
    _, other, _ = colliding(admin, end=EARLIER)
    services.publish(admin, other)
    assert warnings_of(other) == ["potential_duplicate"]
