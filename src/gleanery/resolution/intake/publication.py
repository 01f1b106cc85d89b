"""Decides by its doubts whether a record waits or is published; every change of a record goes through here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce, Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.journal import Naming
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import RECORD
from gleanery.resolution.records.quality import Doubt
from gleanery.sql import rows

RECORD_OF = Naming(Record, "record.name", order="id")
TAKEN_BACK = "The edit or merge that had resolved its warnings was undone."
# Records that were published automatically thanks to an edit or a merge that is undone now. Records that were public
# before it, or by the decision of a person, are not included. Indexes: edit_of_record, journal_subject.
BY_WHAT_WAS_UNDONE = """
    SELECT record.id::text FROM record
    WHERE id = ANY(%(ids)s::uuid[]) AND status = 'published'
      AND (EXISTS (SELECT FROM edit
                   WHERE edit.record_id = record.id AND at <= published_at AND withdrawn_at > published_at)
           OR EXISTS (SELECT FROM merge
                      WHERE survivor_id = record.id AND at <= published_at AND undone_at > published_at))
      AND %(machine)s = (SELECT actor_id FROM journal
                         WHERE subject_kind = 'record' AND subject_id = record.id::text AND action = 'publish'
                         ORDER BY at DESC, id DESC LIMIT 1)
"""


def weigh(weighed: Iterable[RecordDraft], collisions: Mapping[str, Sequence[Doubt]], *, undone: bool) -> None:
    """Report the doubts of records in review, and those that have none, so that none waits without a reason.

    `undone`: a decision about them was undone, so a person decides again even if there is no doubt.
    """
    doubtful: dict[UUID, list[Doubt]] = {}
    clear, changed = [], []
    for row in weighed:
        if doubts := [*(row.doubts if row.status == "in_review" else ()), *collisions.get(row.id, ())]:
            doubtful[UUID(row.id)] = doubts
        elif row.status == "in_review":
            clear.append(UUID(row.id))
        if (row.changed or row.other_identities != row.other_identities_before) and not row.is_new:
            changed.append(UUID(row.id))
    pipeline.happened_to_records("doubtful", doubtful)
    pipeline.happened_to_records("undone" if undone else "clear", clear)
    pipeline.happened_to_records("changed", changed)


def publish_many(actor: Actor, ids: Collection[UUID], reason: str, *, since: datetime | None = None) -> set[UUID]:
    """Publish those of these records that are in review, and return their ids. Only this publishes a record that waits.

    `since`: when the content was first public, if it was public before in another record.
    """
    ids = set(ids)
    first = Now() if since is None else Value(since, DateTimeField())
    Record.objects.filter(pk__in=ids, status="in_review").update(
        published_at=Coalesce("published_at", first), version=F("version") + 1, updated_at=Now()
    )
    step = RECORD.step("in_review", "publish")
    return journal.move_many(ids, RECORD, step, actor, reason=reason, naming=RECORD_OF)


def unpublish_many(actor: Actor, ids: Collection[UUID], reason: str) -> set[UUID]:
    """Return published records to review as if they had never been published, and return their ids."""
    step = RECORD.step("published", "withdraw")
    moved = journal.move_many(ids, RECORD, step, actor, reason=reason, naming=RECORD_OF)
    Record.objects.filter(pk__in=moved).update(published_at=None, version=F("version") + 1, updated_at=Now())
    return moved


def public_by_what_was_undone(ids: Collection[str]) -> set[str]:
    found = rows(BY_WHAT_WAS_UNDONE, ids=list(ids), machine=system().user.pk)
    return {record for (record,) in found}


def hold_back(shaky: Iterable[RecordDraft]) -> None:
    """Return records with doubts to review, since they were published only because of what was undone."""
    held = {UUID(row.id): row for row in shaky if row.status == "published" and row.doubts}
    if not held:
        return
    for each in unpublish_many(system(), set(held), TAKEN_BACK):
        held[each].status = "in_review"
