"""Use cases of what the public may see: publishing a record, and taking that back."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.accounts.journal import Naming
from gleanery.resolution.life import RECORD
from gleanery.resolution.models import Record
from gleanery.resolution.turn import take_turn

RECORD_OF = Naming(Record, "record.name", order="id")


@transaction.atomic
def publish(actor: Actor, record: Record, reason: str = "") -> Record:
    """From now on no doubt holds it back."""
    take_turn()
    return journal.move(
        record,
        RECORD,
        "publish",
        actor,
        reason=reason,
        published_at=Coalesce("published_at", Now()),
        version=F("version") + 1,
        updated_at=Now(),
    )


@transaction.atomic
def withdraw(actor: Actor, record: Record, reason: str = "") -> Record:
    """The decision to publish it is undone: it waits for another, as if it had never been published."""
    take_turn()
    return journal.move(
        record,
        RECORD,
        "withdraw",
        actor,
        reason=reason,
        published_at=None,
        version=F("version") + 1,
        updated_at=Now(),
    )


def publish_many(actor: Actor, ids: Collection[UUID], reason: str) -> set[UUID]:
    """Within the turn of whoever found that nothing speaks against them any more."""
    ids = set(ids)
    Record.objects.filter(pk__in=ids, status="in_review").update(
        published_at=Coalesce("published_at", Now()), version=F("version") + 1, updated_at=Now()
    )
    step = RECORD.step("in_review", "publish")
    return journal.move_many(ids, RECORD, step, actor, reason=reason, naming=RECORD_OF)
