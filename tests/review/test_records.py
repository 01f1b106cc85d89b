"""Records with warnings wait in the queue: approved they are published, rejected deleted, and both can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict, Invalid, NotAllowed
from gleanery.resolution import services
from gleanery.resolution.models import Record, Tombstone, Verdict
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.queue import claims
from gleanery.review.services import allowed_actions, decide
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db


def doubtful() -> Item:
    """An event that ends before it begins: never published, so it waits."""
    answer = tell("a", "event", "1", **BACKWARDS)
    assert answer.outcome == "in_review"
    return claims.find(Item.objects.get(record=answer.record).pk)


def again(item: Item) -> Item:
    return claims.find(item.pk)


def act(item: Item, action: str, who: str = Role.REVIEWER, **details: Any) -> Item:
    decide(somebody(who), again(item), action, **details)
    return again(item)


def test_approving_publishes_and_undo_withdraws() -> None:
    item = doubtful()
    assert [each.code for each in item.warnings.all()] == ["reversed_dates"]
    assert allowed_actions(somebody(Role.REVIEWER), item) == ["approve", "reject", "claim"]
    item = act(item, "approve")
    assert (item.status, item.record and item.record.status) == ("approved", "published")
    assert allowed_actions(somebody(Role.REVIEWER), item) == ["undo"]
    item = act(item, "undo")
    assert (item.status, item.record and item.record.status) == ("pending", "in_review")
    assert item.record is not None
    assert item.record.published_at is None
    told = JournalEntry.objects.filter(subject_kind="record", subject_id=str(item.record.pk)).order_by("id")
    assert [each.action for each in told] == ["publish", "withdraw"]


def test_rejecting_deletes_with_the_reason_and_undo_restores() -> None:
    item = act(doubtful(), "reject", reason="An advertisement")
    assert (item.status, item.reason, item.record and item.record.status) == (
        "rejected",
        "An advertisement",
        "deleted",
    )
    assert Tombstone.objects.get().reason == "An advertisement"
    item = act(item, "undo")
    assert (item.status, item.record and item.record.status) == ("pending", "in_review")
    assert Item.objects.filter(record=item.record).count() == 1
    assert [each.code for each in item.warnings.all()] == ["reversed_dates"]


def test_rejecting_needs_a_reason_and_a_record_is_never_blacklisted() -> None:
    item = doubtful()
    with pytest.raises(Invalid, match="reason"):
        act(item, "reject", reason=" ")
    with pytest.raises(Invalid, match="blacklist"):
        act(item, "reject", reason="no", blacklist=True)
    with pytest.raises(Invalid, match="depth"):
        act(item, "approve", depth=2)
    assert again(item).status == "pending"


def test_outdated_versions_and_missing_permissions_are_refused() -> None:
    item = doubtful()
    with pytest.raises(Conflict):
        decide(somebody(Role.REVIEWER), item, "approve", version=99)
    with pytest.raises(NotAllowed):
        decide(somebody(Role.VIEWER), item, "approve")
    claims.claim(somebody(Role.ADMIN), item)
    with pytest.raises(Conflict, match="has claimed"):
        decide(somebody(Role.REVIEWER), again(item), "approve")
    assert act(item, "approve", Role.ADMIN).status == "approved"


def test_an_agent_with_the_scope_decides() -> None:
    assert act(doubtful(), "approve", "agent").status == "approved"


def test_a_record_decided_elsewhere_leaves_the_queue() -> None:
    item = doubtful()
    assert item.record is not None
    services.delete(somebody(Role.REVIEWER), item.record, "gone")
    item = again(item)
    assert item.status == "superseded"
    assert allowed_actions(somebody(Role.REVIEWER), item) == []
    with pytest.raises(Conflict):
        decide(somebody(Role.REVIEWER), item, "approve")
    with pytest.raises(Conflict, match="cannot be undone here"):
        decide(somebody(Role.REVIEWER), item, "undo")


def test_a_decision_about_a_record_that_changed_since_cannot_be_undone() -> None:
    item = act(doubtful(), "approve")
    assert item.record is not None
    services.delete(somebody(Role.REVIEWER), item.record, "gone")
    assert allowed_actions(somebody(Role.REVIEWER), again(item)) == []
    with pytest.raises(Conflict):
        act(item, "undo")


def test_approving_marks_possible_duplicates_as_different_until_undone() -> None:
    item = doubtful()
    other = record_of(tell("b", "event", "2", **{**JAZZ, "name": "Chess", "start": "2027-05-01"}))
    Row.objects.create(item=item, code="potential_duplicate", sentence="?", detail={"duplicate_of": str(other.pk)})
    Row.objects.create(item=item, code="potential_duplicate", sentence="!", detail={"duplicate_of": "nonsense"})
    item = act(item, "approve")
    assert Verdict.objects.get(superseded_at=None).verdict == "different"
    act(item, "undo")
    assert Verdict.objects.get(superseded_at=None).verdict == "unsure"
    assert Record.objects.get(pk=other.pk).status == "published"


def test_a_published_record_stays_published_when_a_later_approval_is_undone() -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    item = Item.objects.create(kind="record", record=record)
    item = act(item, "approve")
    item = act(item, "undo")
    assert (item.status, item.record and item.record.status) == ("pending", "published")


def test_records_fixed_by_their_sources_leave_the_queue() -> None:
    item = doubtful()
    tell("a", "event", "1", **JAZZ)
    item = again(item)
    assert (item.status, item.record and item.record.status) == ("superseded", "published")
