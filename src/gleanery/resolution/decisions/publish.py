"""Use cases for publishing a record and withdrawing it to review."""

from __future__ import annotations

from django.db import transaction

from gleanery import pipeline
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.intake.publication import publish_many, unpublish_many
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import RECORD


@transaction.atomic
def publish(actor: Actor, record: Record, reason: str = "") -> Record:
    """Publish a record; doubts no longer hold it back."""
    take_write_lock()
    RECORD.move(record.status, "publish", actor.who, reason)
    if not publish_many(actor, [record.pk], reason):
        raise Conflict(f"{record} is no longer in review. Nothing was changed; look again.")
    pipeline.happened_to_records("published", [record.pk])
    record.refresh_from_db()
    return record


@transaction.atomic
def withdraw(actor: Actor, record: Record, reason: str = "") -> Record:
    """Undo the publication of a record: it waits for a decision as if it had never been published."""
    take_write_lock()
    RECORD.move(record.status, "withdraw", actor.who, reason)
    if not unpublish_many(actor, [record.pk], reason):
        raise Conflict(f"{record} is no longer published. Nothing was changed; look again.")
    reprojection.reproject([str(record.pk)], storage.batch_time(), undone=True)
    record.refresh_from_db()
    return record
