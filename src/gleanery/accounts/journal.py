"""The one way to write the journal, and the one way to move a thing from state to state."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models, transaction

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Conflict
from gleanery.states import Machine

Row = TypeVar("Row", bound=models.Model)
Facts = dict[str, Any] | None


def write(
    actor: Actor, action: str, subject: models.Model, *, before: Facts = None, after: Facts = None, reason: str = ""
) -> JournalEntry:
    """Belongs inside the transaction of what it tells about, so that neither is there without the other."""
    return JournalEntry.objects.create(
        actor=actor.user,
        key=actor.key,
        action=action,
        subject_kind=str(subject._meta.verbose_name),
        subject_id=str(subject.pk),
        subject_name=str(subject),
        before=before,
        after=after,
        reason=reason,
    )


def move(row: Row, machine: Machine, action: str, actor: Actor, *, reason: str = "", **changes: Any) -> Row:
    """Compare and swap: the row moves only if it is still in the state in which the actor saw it."""
    step = machine.move(getattr(row, machine.column), action, actor.who, reason)
    with transaction.atomic():
        same_state = type(row)._default_manager.filter(pk=row.pk, **{machine.column: step.before})
        if not same_state.update(**{machine.column: step.after}, **changes):
            raise Conflict(f"{row} is no longer {step.before}: look again and decide anew.")
        before, after = {machine.column: step.before}, {machine.column: step.after}
        write(actor, action, row, before=before, after=after, reason=reason)
    row.refresh_from_db()
    return row
