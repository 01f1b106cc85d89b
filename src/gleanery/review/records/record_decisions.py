"""Use cases of decisions about a waiting record; each is one transaction over record, item and journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, Invalid
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import LIVE
from gleanery.review.life import ITEM
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.queue.warning_text import is_id
from gleanery.review.records import reasons
from gleanery.text import clean_text

LONGEST_REASON = 2_000
# Verdicts on a pair: after an approval, and after it was undone.
KEPT_APART, IN_DOUBT = "different", "unsure"


@dataclass(frozen=True, slots=True)
class RecordDecision:
    """Record and item after a decision, and a sentence for the reviewer."""

    record: Record
    item: Item
    said: str


@transaction.atomic
def approve(actor: Actor, record: Record, *, item: Item) -> RecordDecision:
    """Publish the record, and mark it as different from its possible duplicates."""
    record, item = _taken(actor, item)
    _must_be_there(record)
    _settle(actor, item, "approve", "")
    others = _judge_pairs(actor, record, item, KEPT_APART)
    said = f"{record.name} stays published"
    if record.status == "in_review":
        record, said = resolution.publish(actor, record), f"{record.name} is published"
    different = f" and stays separate from {_listed(others)}" if others else ""
    return _decided(record, item, f"{said}{different}.")


@transaction.atomic
def reject(actor: Actor, record: Record, reason: str, *, item: Item) -> RecordDecision:
    """Delete the record; it does not reappear by itself."""
    reason = clean_text(reason, limit=LONGEST_REASON, multiline=True)
    if not reason:
        raise Invalid("Nothing was rejected, because there is no reason. Say why in a few words.")
    record, item = _taken(actor, item)
    _must_be_there(record)
    _settle(actor, item, "reject", reason)
    record = resolution.delete(actor, record, reason)
    return _decided(record, item, f"{record.name} was rejected and deleted.")


@transaction.atomic
def merge(
    actor: Actor, record: Record, merge_into: UUID | str, fields: resolution.Fields | None = None, *, item: Item
) -> RecordDecision:
    """Merge the record into one of its possible duplicates."""
    record, item = _taken(actor, item)
    _must_be_there(record)
    if str(merge_into) not in candidates(item):
        raise Invalid(_no_candidate(record, merge_into, taken_for(item)))
    survivor = resolution.survivor_of(resolution.find_record(UUID(str(merge_into))))
    _settle(actor, item, "merge", "")
    resolution.merge(actor, record, survivor, fields)
    record.refresh_from_db()
    return _decided(record, item, f"{record.name} was merged into {survivor.name}.")


def candidates(item: Item) -> list[str]:
    """Return the ids of the possible duplicates in its warnings, each once."""
    named = (each.detail.get("duplicate_of") for each in item.warnings.all())
    return list(dict.fromkeys(each for each in named if is_id(each)))


def confirmation_key(item: Item) -> str:
    """Return a key of the item and its possible duplicates, so that a confirmation covers only those shown."""
    others = " ".join(sorted(candidates(item)))
    return f"{item.pk} {others}" if others else ""


def _no_candidate(record: Record, given: UUID | str, there: list[Record]) -> str:
    if not there:
        return f"{record.name} has no possible duplicates, so it cannot be merged here."
    named = ", ".join(f"“{each.name}” ({each.pk})" for each in there)
    return f"{str(given)!r} is not a possible duplicate of {record.name}. Choose one of: {named}."


@transaction.atomic
def undo(actor: Actor, record: Record, *, item: Item) -> RecordDecision:
    """Undo the decision; the record waits for review again."""
    record, item = _taken(actor, item)
    if not can_be_undone(item):
        raise Conflict(
            f"{record.name} has changed since this decision, so it cannot be undone here. Look at its history."
        )
    decision, decided_at = item.status, item.decided_at
    _move(actor, item, "undo", decided_at=None, decided_by=None)
    if decision == "rejected":
        record = resolution.restore(actor, record)
    elif decision == "merged":
        record = resolution.unmerge(actor, record, verdict=IN_DOUBT)
    else:
        _judge_pairs(actor, record, item, IN_DOUBT)
        if _was_published_by_it(record, decided_at):
            record = resolution.withdraw(actor, record)
    reasons.drop_answered(item, record)
    return _decided(record, item, f"{record.name} is waiting for review again.")


def _was_published_by_it(record: Record, decided_at: datetime | None) -> bool:
    """Return True if the record was published after the item was decided, so by this decision."""
    return record.published_at is not None and decided_at is not None and record.published_at >= decided_at


def can_be_undone(item: Item) -> bool:
    """Return True for the latest decision about a record that has not changed since."""
    record = item.record
    if record is None or Item.objects.filter(record=record, pk__gt=item.pk).exists():
        return False
    return (item.status, record.status) in {("rejected", "deleted"), ("approved", "published"), ("merged", "merged")}


def _taken(actor: Actor, seen: Item) -> tuple[Record, Item]:
    """Lock record and item, in the order that all writers use: write lock, record, item."""
    claims.must_decide(actor, "decide about a record")
    take_write_lock()
    record = Record.objects.select_for_update(no_key=True, of=("self",)).get(review_items=seen)
    item = Item.objects.select_for_update(no_key=True).get(pk=seen.pk)
    if (item.version, item.status) != (seen.version, seen.status):
        raise Conflict(
            f"{record.name} has changed since you opened it, so nothing was decided. Reload it and try again."
        )
    if item.status == "pending":
        claims.must_be_free(item, actor)
    return record, item


def _must_be_there(record: Record) -> None:
    if record.status not in LIVE:
        raise Conflict(f"{record.name} is {record.status}, so there is nothing left to decide.")


def _settle(actor: Actor, item: Item, action: str, reason: str) -> None:
    """Close the item before the record changes, because that would supersede the item."""
    Item.objects.filter(pk=item.pk).update(reason=reason)  # first, because a rejected item must have one
    _move(actor, item, action, reason, decided_at=Now(), decided_by=actor.user)


def _move(actor: Actor, item: Item, action: str, reason: str = "", **changes: Any) -> None:
    grown: dict[str, Any] = {"version": F("version") + 1, **claims.UNCLAIMED}
    journal.move(item, ITEM, action, actor, reason=reason, **grown, **changes)


def taken_for(item: Item) -> list[Record]:
    """Return the possible duplicates, which an approval marks as different."""
    if item.record is None:
        return []
    return list(Record.objects.filter(pk__in=candidates(item), kind=item.record.kind).order_by("pk"))


def _judge_pairs(actor: Actor, record: Record, item: Item, verdict: str) -> list[Record]:
    """Record the verdict on each pair with a possible duplicate, and return these."""
    others = taken_for(item)
    for other in others:
        resolution.give_verdict(actor, record, other, verdict)
    return others


def _listed(others: list[Record]) -> str:
    *first, last = (f"“{other.name}”" for other in others)
    return f"{', '.join(first)} and {last}" if first else last


def _decided(record: Record, item: Item, said: str) -> RecordDecision:
    return RecordDecision(record, claims.find(item.pk), said)
