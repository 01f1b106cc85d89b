"""Use cases of what the public may see: publishing a record, and taking that back."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.extraction.turn import take_turn
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import RECORD


@transaction.atomic
def publish(actor: Actor, record: Record, reason: str = "") -> Record:
    """From now on no doubt holds it back."""
    take_turn()
    record = journal.move(
        record,
        RECORD,
        "publish",
        actor,
        reason=reason,
        published_at=Coalesce("published_at", Now()),
        version=F("version") + 1,
        updated_at=Now(),
    )
    pipeline.happened_to_records("published", [record.pk])
    return record


@transaction.atomic
def withdraw(actor: Actor, record: Record, reason: str = "") -> Record:
    """The decision to publish it is undone: it waits for another, as if it had never been published."""
    take_turn()
    journal.move(
        record,
        RECORD,
        "withdraw",
        actor,
        reason=reason,
        published_at=None,
        version=F("version") + 1,
        updated_at=Now(),
    )
    reprojection.reproject([str(record.pk)], storage.moment(), undone=True)
    record.refresh_from_db()
    return record
