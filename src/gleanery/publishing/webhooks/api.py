"""Routes of webhooks: for admins and their keys."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.cursor import MOST, newest_first
from gleanery.publishing.webhooks import services
from gleanery.publishing.webhooks.life import WEBHOOK
from gleanery.publishing.webhooks.models import Delivery, Webhook

router = Router(tags=["webhooks"])


class WebhookIn(Schema):
    url: str = Field(description="Where changes are sent by POST, on port 80 or 443 of a public host.")
    kinds: list[str] = Field([], description="Only records of these kinds.")
    query: str = Field("", description="Only records that this search finds, as its address has it: `place=Sofia`.")


class WebhookOut(Schema):
    id: UUID
    url: str
    kinds: list[str]
    query: str
    status: str = Field(description="active, disabled or failed")
    status_reason: str
    failing_since: datetime | None
    created_at: datetime
    allowed_actions: list[str]


class NewWebhookOut(WebhookOut):
    secret: str = Field(description="Verifies what you get. It is shown this once.")


class DeliveryOut(Schema):
    id: UUID
    message_id: str = Field(description="The header `webhook-id`; the same for each attempt.")
    type: str
    changes: int
    outcome: str = Field(description="pending, delivered or failed")
    attempts: int
    answer: str
    created_at: datetime
    tried_at: datetime | None


class DeliveryPage(Schema):
    items: list[DeliveryOut]
    next_cursor: str | None


class WebhookReasonIn(Schema):
    reason: str = ""


@router.get("/admin/webhooks", response=list[WebhookOut], summary="Webhooks")
def list_webhooks(request: HttpRequest) -> object:
    return [_out(request, each) for each in Webhook.objects.exclude(status="removed").order_by("created_at")]


@router.post("/admin/webhooks", response=NewWebhookOut, summary="Send changes to an address from now on")
def add(request: HttpRequest, given: WebhookIn) -> object:
    webhook, secret = services.add(actor_behind(request), given.url, given.kinds, given.query)
    return {**_out(request, webhook), "secret": secret}


@router.post("/admin/webhooks/{webhook_id}/test", response=DeliveryOut, summary="Send a test message now")
def test(request: HttpRequest, webhook_id: UUID) -> object:
    return services.test(actor_behind(request), services.find(webhook_id))


@router.post("/admin/webhooks/{webhook_id}/disable", response=WebhookOut, summary="Send nothing until it is enabled")
def disable(request: HttpRequest, webhook_id: UUID, given: WebhookReasonIn | None = None) -> object:
    reason = given.reason if given else ""
    return _out(request, services.disable(actor_behind(request), services.find(webhook_id), reason))


@router.post("/admin/webhooks/{webhook_id}/enable", response=WebhookOut, summary="Go on where it stopped")
def enable(request: HttpRequest, webhook_id: UUID) -> object:
    return _out(request, services.enable(actor_behind(request), services.find(webhook_id)))


@router.post("/admin/webhooks/{webhook_id}/remove", response=WebhookOut, summary="Send nothing any more")
def remove(request: HttpRequest, webhook_id: UUID, given: WebhookReasonIn | None = None) -> object:
    reason = given.reason if given else ""
    return _out(request, services.remove(actor_behind(request), services.find(webhook_id), reason))


@router.get("/admin/webhooks/{webhook_id}/deliveries", response=DeliveryPage, summary="What was sent, newest first")
def list_deliveries(
    request: HttpRequest,
    webhook_id: UUID,
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    return newest_first(Delivery.objects.filter(webhook=services.find(webhook_id)), cursor, limit)


@router.post(
    "/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/resend",
    response=DeliveryOut,
    summary="Send a message once more, under its id",
)
def resend(request: HttpRequest, webhook_id: UUID, delivery_id: UUID) -> object:
    return services.resend(actor_behind(request), services.find_delivery(services.find(webhook_id), delivery_id))


def _out(request: HttpRequest, webhook: Webhook) -> dict[str, Any]:
    names = ("id", "url", "kinds", "query", "status", "status_reason", "failing_since", "created_at")
    facts = {name: getattr(webhook, name) for name in names}
    return {**facts, "allowed_actions": WEBHOOK.allowed(webhook.status, actor_behind(request).who)}
