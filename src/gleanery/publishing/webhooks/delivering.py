"""Delivers what is due: rounds of one message to each webhook, and what follows from each answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from gleanery.accounts import journal
from gleanery.accounts.actor import system
from gleanery.errors import Invalid
from gleanery.publishing.changes.listing import list_changes
from gleanery.publishing.webhooks.life import WEBHOOK
from gleanery.publishing.webhooks.messages import next_message
from gleanery.publishing.webhooks.models import Delivery, Webhook
from gleanery.publishing.webhooks.patience import GIVEN_UP_AFTER, is_hopeless, pause_after
from gleanery.publishing.webhooks.sending import Answer, send
from gleanery.sql import rows

ROUNDS = 20  # in one run of the job: a webhook with a long backlog goes on in the next
LEASE = timedelta(minutes=2)
KEPT = timedelta(days=30)

# Those that may be sent to now and have something to be sent, each for one worker. A worker that dies loses its lease.
# Indexes: webhook_due, delivery_pending_once.
CLAIM = """
    UPDATE webhook SET leased_until = statement_timestamp() + %(lease)s
    WHERE id IN (
        SELECT id FROM webhook
        WHERE status = 'active' AND secret <> '' AND due_at <= statement_timestamp()
          AND coalesce(leased_until < statement_timestamp(), true)
          AND (position < (SELECT max(position) FROM record_change)
               OR EXISTS (SELECT FROM webhook_delivery WHERE webhook_id = webhook.id AND outcome = 'pending'))
        ORDER BY due_at FOR UPDATE SKIP LOCKED)
    RETURNING id
"""


def deliver() -> int:
    """Deliver what is due, in order for each webhook; return how many messages arrived."""
    list_changes()
    arrived = 0
    for _ in range(ROUNDS):
        claimed = [webhook for (webhook,) in rows(CLAIM, lease=LEASE)]
        if not claimed:
            break
        arrived += _round(claimed)
    return arrived


def _round(claimed: Sequence[UUID]) -> int:
    made = map(_message_of, Webhook.objects.filter(pk__in=claimed).order_by("pk"))
    deliveries = [each for each in made if each is not None]
    answers = send(deliveries) if deliveries else []
    for delivery, answer in zip(deliveries, answers, strict=True):
        settle(delivery, answer)
    Webhook.objects.filter(pk__in=claimed).update(leased_until=None)
    return sum(answer.arrived for answer in answers)


def _message_of(webhook: Webhook) -> Delivery | None:
    """A search that an upgrade no longer understands must not keep the others waiting."""
    try:
        return next_message(webhook)
    except Invalid as problem:
        _give_up(webhook, f"Its search cannot be used any more. {problem}")
        return None


@transaction.atomic
def settle(delivery: Delivery, answer: Answer) -> None:
    """Go on to the next message after a success; schedule another try, or give the receiver up, after a failure."""
    note(delivery, answer)
    webhook = Webhook.objects.select_for_update().get(pk=delivery.webhook_id)
    if answer.arrived:
        webhook.failures, webhook.failing_since = 0, None
        webhook.due_at = timezone.now()
    else:
        webhook.failures += 1
        webhook.failing_since = webhook.failing_since or timezone.now()
        webhook.due_at = timezone.now() + pause_after(webhook.failures)
    webhook.save(update_fields=["failures", "failing_since", "due_at"])
    if not answer.arrived and webhook.status == "active":
        _give_up_if_hopeless(webhook, answer, webhook.failing_since or timezone.now())


def note(delivery: Delivery, answer: Answer) -> None:
    """Write down an attempt."""
    outcome = {"outcome": "delivered"} if answer.arrived else {}
    Delivery.objects.filter(pk=delivery.pk).update(
        attempts=F("attempts") + 1, answer=answer.sentence, tried_at=Now(), **outcome
    )


def _give_up_if_hopeless(webhook: Webhook, answer: Answer, since: datetime) -> None:
    """The message stays: if somebody enables the webhook again, it is the first to be sent."""
    if answer.is_gone:
        reason = "Its receiver answered that it is gone for good (status 410)."
    elif is_hopeless(since, timezone.now()):
        reason = f"Nothing arrived for {GIVEN_UP_AFTER.days} days. {answer.sentence}"
    else:
        return
    _give_up(webhook, reason)


def _give_up(webhook: Webhook, reason: str) -> None:
    journal.move(webhook, WEBHOOK, "give_up", system(), reason=reason, status_reason=reason)


def forget() -> None:
    """Delete old deliveries; what still waits stays."""
    Delivery.objects.filter(created_at__lt=Now() - KEPT).exclude(outcome="pending").delete()
