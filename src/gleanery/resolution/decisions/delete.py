"""Use cases for deleting and restoring a record; a tombstone keeps sources from creating it again."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, NotFound
from gleanery.extraction.write_lock import take_write_lock
from gleanery.matching.live import stored
from gleanery.resolution.decisions.verdicts import require_decider
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.models import Record, Tombstone
from gleanery.resolution.records.life import RECORD
from gleanery.text import clean_text

LONGEST_REASON = 2_000


@transaction.atomic
def delete(actor: Actor, record: Record, reason: str) -> Record:
    """Delete a record. Later observations of it are kept, but not used until somebody restores it."""
    require_decider(actor, "delete a record")
    take_write_lock()
    row, now = _locked(record), storage.batch_time()
    reason = clean_text(reason, limit=LONGEST_REASON, multiline=True)
    grown: dict[str, Any] = {"version": F("version") + 1, "updated_at": now}
    row = journal.move(row, RECORD, "delete", actor, reason=reason, **grown)
    Tombstone.objects.create(
        record=row, kind=row.kind, identity_hash=row.identity_hash, reason=reason, by=actor.user, at=now
    )
    stored.forget([str(row.pk)])
    pipeline.happened_to_records("settled", [row.pk])
    return row


@transaction.atomic
def restore(actor: Actor, record: Record, reason: str = "") -> Record:
    """Restore a deleted record, including what its sources have sent since."""
    require_decider(actor, "restore a record")
    take_write_lock()
    row, now = _locked(record), storage.batch_time()
    if row.status != "deleted":
        raise Conflict(f"{row} is not deleted, so there is nothing to restore. Nothing was changed.")
    back = "restore_published" if row.published_at is not None else "restore_in_review"
    journal.move(row, RECORD, back, actor, reason=reason, version=F("version") + 1, updated_at=now)
    Tombstone.objects.filter(record=row, lifted_at=None).update(lifted_at=now)
    reprojection.reproject([str(row.pk)], now, undone=True)
    row.refresh_from_db()
    return row


def _locked(record: Record) -> Record:
    row = Record.objects.select_for_update(no_key=True).filter(pk=record.pk).first()
    if row is None:
        raise NotFound("There is no such record.")
    return row
