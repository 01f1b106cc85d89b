"""Decisions whether two records are the same thing; later ones supersede earlier ones, none is deleted."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid, NotAllowed
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import storage
from gleanery.resolution.models import Record, Verdict
from gleanery.resolution.records.life import VERDICTS
from gleanery.roles import DECIDER, may_act


def require_decider(actor: Actor, to: str) -> None:
    if not may_act(actor.who, DECIDER):
        raise NotAllowed(f"You need the role reviewer to {to}, or a key with the scope review:decide.")


@transaction.atomic
def give_verdict(actor: Actor, one: Record, other: Record, verdict: str) -> Verdict:
    require_decider(actor, "decide whether two records are the same")
    if verdict not in VERDICTS:
        raise Invalid(f"The verdict must be one of {', '.join(VERDICTS)}. Nothing was changed.")
    if one.pk == other.pk:
        raise Invalid("A verdict needs two different records. Nothing was changed.")
    take_write_lock()
    return record_verdict(actor, one, other, verdict, storage.batch_time())


def record_verdict(actor: Actor, one: Record, other: Record, verdict: str, now: datetime) -> Verdict:
    """Store a verdict, superseding the one before. The caller holds the write lock."""
    low, high = sorted((one, other), key=lambda each: each.pk)
    before = Verdict.objects.filter(low=low, high=high, superseded_at=None).first()
    if before is not None:
        if before.verdict == verdict:
            return before
        Verdict.objects.filter(pk=before.pk).update(superseded_at=now)
    row = Verdict.objects.create(low=low, high=high, verdict=verdict, by=actor.user, at=now)
    about = {"low": str(low.pk), "high": str(high.pk)}
    earlier = {**about, "verdict": before.verdict} if before else None
    journal.write(actor, "give_verdict", row, before=earlier, after={**about, "verdict": verdict})
    pipeline.happened_to_records("changed", [low.pk, high.pk])
    if verdict == "different":
        pipeline.happened_to_records("told_apart", [low.pk, high.pk])
    return row
