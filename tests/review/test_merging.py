"""Merging from the queue: into one of those that a warning names, and back."""

from __future__ import annotations

import pytest

from gleanery.errors import Invalid
from gleanery.resolution.models import Merge, Record, Verdict
from gleanery.resolution.services import give_verdict
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.services import allowed_actions, decide
from gleanery.roles import Role
from tests.resolution.shop import record_of, tell
from tests.resolution.test_matching_flow import REX, REX_HOTEL
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db


def in_doubt() -> tuple[Record, Item]:
    """What is there, and the item of what may be the same."""
    one = record_of(tell("a", "place", "1", **REX))
    other = tell("b", "place", "2", **REX_HOTEL)
    return one, claims.find(Item.objects.get(record=other.record, status="pending").pk)


def test_merging_closes_the_item_and_undo_reopens_it() -> None:
    one, item = in_doubt()
    reviewer = somebody(Role.REVIEWER)
    assert allowed_actions(reviewer, item) == ["approve", "reject", "merge", "claim"]
    said = decide(reviewer, item, "merge", merge_into=one.pk).said
    assert one.name in said
    item = claims.find(item.pk)
    assert item.record is not None
    assert (item.status, item.record.status, item.record.merged_into) == ("merged", "merged", one)
    assert Verdict.objects.get(superseded_at=None).verdict == "same"
    assert allowed_actions(reviewer, item) == ["undo"]
    decide(reviewer, item, "undo")
    item = claims.find(item.pk)
    assert item.record is not None
    assert (item.status, item.record.status) == ("pending", "in_review")
    assert [each.detail["duplicate_of"] for each in item.warnings.all()] == [str(one.pk)]
    assert Verdict.objects.get(superseded_at=None).verdict == "unsure"
    assert Merge.objects.get().undone_at is not None


def test_only_a_candidate_can_be_merged_into() -> None:
    _, item = in_doubt()
    stranger = record_of(tell("c", "place", "3", name="Elsewhere", locality="Ruse"))
    with pytest.raises(Invalid, match="is not a possible duplicate"):
        decide(somebody(Role.REVIEWER), item, "merge", merge_into=stranger.pk)
    assert claims.find(item.pk).status == "pending"


def test_a_value_may_be_taken_over() -> None:
    one, item = in_doubt()
    decide(somebody(Role.REVIEWER), item, "merge", merge_into=str(one.pk), fields=["name"])
    one.refresh_from_db()
    assert one.name == REX_HOTEL["name"]


def test_approving_keeps_the_two_separate_for_good() -> None:
    one, item = in_doubt()
    decide(somebody(Role.REVIEWER), item, "approve")
    assert Verdict.objects.get().verdict == "different"
    tell("b", "place", "2", **REX_HOTEL, phone="+1 416 598 2475")
    tell("a", "place", "1", **REX, description="Live music.")
    assert not Item.objects.filter(status="pending").exists()
    assert one.status == "published"


def test_records_without_possible_duplicates_cannot_be_merged() -> None:
    answer = tell("a", "event", "1", name="Quiz", start="2027-03-12", end="2027-03-11", locality="Ruse")
    item = claims.find(Item.objects.get(record=answer.record).pk)
    assert "merge" not in allowed_actions(somebody(Role.REVIEWER), item)


def test_an_undone_rejection_drops_warnings_answered_since() -> None:
    one, item = in_doubt()
    reviewer = somebody(Role.REVIEWER)
    decide(reviewer, item, "reject", reason="no")
    item = claims.find(item.pk)
    assert item.record is not None
    give_verdict(reviewer, one, item.record, "different")
    decide(reviewer, item, "undo")
    item = claims.find(item.pk)
    assert [each.code for each in item.warnings.all()] == ["undone"]
    assert (item.status, item.record and item.record.status) == ("pending", "in_review")
