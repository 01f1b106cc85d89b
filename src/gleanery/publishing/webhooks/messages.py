"""The next message of a webhook: the changes after its position that it wants, as the API shows them."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from gleanery.publishing.api.documents import documents
from gleanery.publishing.changes.feed import Change, changes_after
from gleanery.publishing.changes.messages import message
from gleanery.publishing.webhooks.choosing import wanted
from gleanery.publishing.webhooks.models import Delivery, Webhook

CHANGED, TEST = "records.changed", "webhook.test"
A_MESSAGE = 50  # changes
LOOKED_AT = 1_000  # changes at a time, for a webhook that wants few of them


@transaction.atomic
def next_message(webhook: Webhook) -> Delivery | None:
    """Return the message that waits, or make one of what it has not been sent; None if it has all that it wants."""
    row = Webhook.objects.select_for_update().get(pk=webhook.pk)
    waiting = Delivery.objects.filter(webhook=row, outcome="pending").select_related("webhook").first()
    if waiting is not None:
        return waiting
    changes = changes_after(row.position, LOOKED_AT)
    chosen = wanted(row, changes)[:A_MESSAGE]
    if changes:
        end = chosen[-1] if len(chosen) == A_MESSAGE else changes[-1]
        Webhook.objects.filter(pk=row.pk).update(position=end.position)
    return _made(row, chosen) if chosen else None


def test_message(webhook: Webhook) -> Delivery:
    """Never pending: a test that fails holds up nothing."""
    body = _body(TEST, {"webhook": str(webhook.pk)})
    return Delivery.objects.create(webhook=webhook, type=TEST, body=body, outcome="failed")


def _made(webhook: Webhook, changes: list[Change]) -> Delivery:
    root = root_url()
    there = documents({each.record for each in changes}, root)
    sent = [message(each, root, there.get(each.record)) for each in changes]
    body = _body(CHANGED, {"changes": sent})
    return Delivery.objects.create(webhook=webhook, type=CHANGED, body=body, changes=len(changes))


def _body(kind: str, data: dict[str, Any]) -> str:
    return json.dumps(
        {"type": kind, "timestamp": timezone.now(), "data": data}, cls=DjangoJSONEncoder, ensure_ascii=False
    )


def root_url() -> str:
    """Where people reach this site; no request says it here."""
    environment = settings.ENVIRONMENT
    return environment.public_url or f"http://127.0.0.1:{environment.port}"
