"""Use cases of deciding about a record that waits; each is one transaction over it, its item and the journal."""

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
# What an undone decision said about two records is in doubt again.
KEPT_APART, IN_DOUBT = "different", "unsure"


@dataclass(frozen=True, slots=True)
class RecordDecision:
    """The new state of what moved, and a sentence for whoever decided."""

    record: Record
    item: Item
    said: str


@transaction.atomic
def approve(actor: Actor, record: Record, *, item: Item) -> RecordDecision:
    """It is good as it is: published, and told apart from whatever it was thought to be."""
    record, item = _taken(actor, item)
    _must_be_there(record)
    _settle(actor, item, "approve", "")
    others = _judge_pairs(actor, record, item, KEPT_APART)
    said = f"{record.name} stays published"
    if record.status == "in_review":
        record, said = resolution.publish(actor, record), f"{record.name} is published"
    different = f", and different from {_listed(others)}: they stay separate" if others else ""
    return _decided(record, item, f"{said}{different}.")


@transaction.atomic
def reject(actor: Actor, record: Record, reason: str, *, item: Item) -> RecordDecision:
    """It is deleted, and does not come back by itself."""
    reason = clean_text(reason, limit=LONGEST_REASON, multiline=True)
    if not reason:
        raise Invalid("To reject a review item needs a reason: say why in a few words.")
    record, item = _taken(actor, item)
    _must_be_there(record)
    _settle(actor, item, "reject", reason)
    record = resolution.delete(actor, record, reason)
    return _decided(record, item, f"{record.name} is rejected and deleted.")


@transaction.atomic
def merge(
    actor: Actor, record: Record, merge_into: UUID | str, fields: resolution.Fields | None = None, *, item: Item
) -> RecordDecision:
    """It is one of those that it was taken for: all that is known of it goes there."""
    record, item = _taken(actor, item)
    _must_be_there(record)
    if str(merge_into) not in candidates(item):
        raise Invalid(_no_candidate(record, merge_into, taken_for(item)))
    survivor = resolution.survivor_of(resolution.find_record(UUID(str(merge_into))))
    _settle(actor, item, "merge", "")
    resolution.merge(actor, record, survivor, fields)
    record.refresh_from_db()
    return _decided(record, item, f"{record.name} is part of {survivor.name} now.")


def candidates(item: Item) -> list[str]:
    """The records that its warnings take this one for, each once."""
    told = (each.detail.get("duplicate_of") for each in item.warnings.all())
    return list(dict.fromkeys(each for each in told if is_id(each)))


def told_apart_by(item: Item) -> str:
    """What approving it would say, so that whoever confirms it says no more than they were shown."""
    others = " ".join(sorted(candidates(item)))
    return f"{item.pk} {others}" if others else ""


def _no_candidate(record: Record, given: UUID | str, there: list[Record]) -> str:
    if not there:
        return f"No warning takes {record.name} for another record: there is nothing that it could be merged into here."
    named = ", ".join(f"“{each.name}” ({each.pk})" for each in there)
    return f"No warning takes {record.name} for {str(given)!r}, only for {named}."


@transaction.atomic
def undo(actor: Actor, record: Record, *, item: Item) -> RecordDecision:
    """The decision is taken back: the record waits as it did before."""
    record, item = _taken(actor, item)
    if not can_be_undone(item):
        raise Conflict(f"Something else became of {record.name} since: this decision cannot be taken back here.")
    was, decided_at = item.status, item.decided_at
    _move(actor, item, "undo", decided_at=None, decided_by=None)
    if was == "rejected":
        record = resolution.restore(actor, record)
    elif was == "merged":
        record = resolution.unmerge(actor, record, verdict=IN_DOUBT)
    else:
        _judge_pairs(actor, record, item, IN_DOUBT)
        if _was_published_by_it(record, decided_at):
            record = resolution.withdraw(actor, record)
    reasons.drop_told_apart(item, record)
    return _decided(record, item, f"{record.name} is up for a decision again.")


def _was_published_by_it(record: Record, decided_at: datetime | None) -> bool:
    """The item is settled first, so what was published before that was not published by this decision."""
    return record.published_at is not None and decided_at is not None and record.published_at >= decided_at


def can_be_undone(item: Item) -> bool:
    """Only the last word on a record, while that is still as it was left."""
    record = item.record
    if record is None or Item.objects.filter(record=record, pk__gt=item.pk).exists():
        return False
    return (item.status, record.status) in {("rejected", "deleted"), ("approved", "published"), ("merged", "merged")}


def _taken(actor: Actor, seen: Item) -> tuple[Record, Item]:
    """Both locked, after the turn: all who write records do it in this order."""
    claims.must_decide(actor, "decide about a record")
    take_write_lock()
    record = Record.objects.select_for_update(no_key=True, of=("self",)).get(review_items=seen)
    item = Item.objects.select_for_update(no_key=True).get(pk=seen.pk)
    if (item.version, item.status) != (seen.version, seen.status):
        raise Conflict(f"Something about {record.name} has changed since you looked: look again.")
    if item.status == "pending":
        claims.must_be_free(item, actor)
    return record, item


def _must_be_there(record: Record) -> None:
    if record.status not in LIVE:
        raise Conflict(f"{record.name} is {record.status}: there is nothing to decide about it any more.")


def _settle(actor: Actor, item: Item, action: str, reason: str) -> None:
    """Before the record moves, which would settle the item in its own way."""
    Item.objects.filter(pk=item.pk).update(reason=reason)  # first: what is rejected must have one
    _move(actor, item, action, reason, decided_at=Now(), decided_by=actor.user)


def _move(actor: Actor, item: Item, action: str, reason: str = "", **changes: Any) -> None:
    grown: dict[str, Any] = {"version": F("version") + 1, **claims.UNCLAIMED}
    journal.move(item, ITEM, action, actor, reason=reason, **grown, **changes)


def taken_for(item: Item) -> list[Record]:
    """Those that it is told apart from when it is approved."""
    if item.record is None:
        return []
    return list(Record.objects.filter(pk__in=candidates(item), kind=item.record.kind).order_by("pk"))


def _judge_pairs(actor: Actor, record: Record, item: Item, verdict: str) -> list[Record]:
    """About each record that a warning took this one for."""
    others = taken_for(item)
    for other in others:
        resolution.give_verdict(actor, record, other, verdict)
    return others


def _listed(others: list[Record]) -> str:
    *first, last = (f"“{other.name}”" for other in others)
    return f"{', '.join(first)} and {last}" if first else last


def _decided(record: Record, item: Item, said: str) -> RecordDecision:
    return RecordDecision(record, claims.find(item.pk), said)
