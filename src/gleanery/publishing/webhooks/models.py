"""Tables: webhooks, and what was delivered to each."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.domains.models import Code, choices
from gleanery.ids import uuid7
from gleanery.kinds import KINDS
from gleanery.publishing.webhooks.life import OUTCOMES, WEBHOOK

LONGEST_URL = 2_000


class Webhook(models.Model):
    """An address that changes are sent to, in order, from a position of its own in the change feed."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    url = models.CharField(max_length=LONGEST_URL, verbose_name="address")
    kinds = ArrayField(
        Code(max_length=20, choices=choices(KINDS)), default=list, blank=True, help_text="Empty: records of all kinds."
    )
    query = models.TextField(
        default="",
        blank=True,
        verbose_name="search",
        help_text="Only records that this search finds: place=Sofia&free=1",
    )
    secret = models.TextField(editable=False, help_text="Signs what is sent. Shown once; we need it for each delivery.")
    status = Code(max_length=10, choices=choices(WEBHOOK.states), default=WEBHOOK.first, db_default=WEBHOOK.first)
    status_reason = models.TextField(default="", db_default="")
    position = models.BigIntegerField(
        help_text="The last change that a delivery was made of, or that it does not want."
    )
    failures = models.PositiveIntegerField(default=0, db_default=0, help_text="In a row.")
    failing_since = models.DateTimeField(null=True)
    due_at = models.DateTimeField(db_default=Now(), help_text="Before this nothing is sent.")
    leased_until = models.DateTimeField(null=True, help_text="One worker delivers to it until then.")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "webhook"
        indexes = [models.Index(fields=["due_at"], name="webhook_due", condition=Q(status="active"))]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to one webhook. Its id goes along, so that a receiver knows what it was sent twice."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    type = models.CharField(max_length=40)
    body = models.TextField(help_text="As it is sent: the signature is over these characters.")
    changes = models.PositiveIntegerField(default=0, db_default=0)
    outcome = Code(max_length=10, choices=choices(OUTCOMES), default="pending", db_default="pending")
    attempts = models.PositiveIntegerField(default=0, db_default=0)
    answer = models.TextField(default="", db_default="", help_text="What the last attempt brought.")
    created_at = models.DateTimeField(db_default=Now())
    tried_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "webhook_delivery"
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["webhook", "-id"], name="delivery_of_webhook"),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]
        constraints = [
            # In order: the next message is made when this one is settled.
            models.UniqueConstraint(fields=["webhook"], condition=Q(outcome="pending"), name="delivery_pending_once")
        ]

    def __str__(self) -> str:
        return self.message_id

    @property
    def message_id(self) -> str:
        return f"msg_{self.pk.hex}"
