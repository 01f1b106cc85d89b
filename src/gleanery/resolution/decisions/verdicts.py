"""Whether two records are one thing: said by somebody, superseded by a later word, never forgotten."""

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


def must_decide(actor: Actor, to: str) -> None:
    if not may_act(actor.who, DECIDER):
        raise NotAllowed(f"To {to} takes the role reviewer, or a key with the scope review:decide.")


@transaction.atomic
def give_verdict(actor: Actor, one: Record, other: Record, verdict: str) -> Verdict:
    must_decide(actor, "say whether two records are one")
    if verdict not in VERDICTS:
        raise Invalid(f"A verdict is one of {', '.join(VERDICTS)}.")
    if one.pk == other.pk:
        raise Invalid("A verdict is about two records.")
    take_write_lock()
    return record_verdict(actor, one, other, verdict, storage.moment())


def record_verdict(actor: Actor, one: Record, other: Record, verdict: str, now: datetime) -> Verdict:
    """Within the turn of whoever decides."""
    low, high = sorted((one, other), key=lambda each: each.pk)
    before = Verdict.objects.filter(low=low, high=high, superseded_at=None).first()
    if before is not None:
        if before.verdict == verdict:
            return before
        Verdict.objects.filter(pk=before.pk).update(superseded_at=now)
    row = Verdict.objects.create(low=low, high=high, verdict=verdict, by=actor.user, at=now)
    about = {"low": str(low.pk), "high": str(high.pk)}
    told = {**about, "verdict": before.verdict} if before else None
    journal.write(actor, "give_verdict", row, before=told, after={**about, "verdict": verdict})
    pipeline.happened_to_records("changed", [low.pk, high.pk])
    if verdict == "different":
        pipeline.happened_to_records("told_apart", [low.pk, high.pk])
    return row
