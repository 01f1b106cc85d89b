"""Tables: subscriptions to searches, and the e-mails that go out. Never exported; in no plain backup."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.domains.models import Code, choices
from gleanery.ids import uuid7
from gleanery.publishing.digests.rhythm import RHYTHMS

LONGEST_ADDRESS = 254
LONGEST_QUERY = 6_000
TYPES = ("confirmation", "digest")
# It waits, a worker has it, the server is being handed it, and what became of it. `unsure`: the worker died, or the
# server went away, after it could have been taken, so it is not sent again.
STATUSES = ("waiting", "sending", "handed", "sent", "empty", "unsure", "given_up")


class Subscription(models.Model):
    """A mailbox that gets new entries of one search; nothing is sent there before its owner has confirmed."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.CharField(max_length=LONGEST_ADDRESS, help_text="In small letters.")
    query = models.CharField(max_length=LONGEST_QUERY, default="", db_default="")
    rhythm = Code(max_length=10, choices=choices(tuple(RHYTHMS)))
    reminds = models.BooleanField(help_text="Also of deadlines that come near.")
    language = models.CharField(max_length=5)
    confirmed_at = models.DateTimeField(null=True)
    since = models.DateTimeField(null=True, help_text="Up to when everything is in an e-mail that was queued.")
    due_at = models.DateTimeField(null=True)
    refused = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="How often the mailbox was refused.")
    # Tells apart who asked for it today; forgotten after two days.
    address_hash = models.CharField(max_length=64, default="", db_default="", editable=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "subscription"
        indexes = [
            models.Index(fields=["due_at"], name="subscription_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["email"], name="subscription_email"),
            models.Index(fields=["address_hash"], name="subscription_asked", condition=~Q(address_hash="")),
            models.Index(fields=["created_at"], name="subscription_new", condition=Q(confirmed_at=None)),
        ]
        constraints = [
            models.CheckConstraint(
                name="subscription_due_is_confirmed",
                condition=Q(due_at=None) | Q(confirmed_at__isnull=False, since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Without the mailbox: this reaches logs."""
        return f"{self.rhythm} e-mails"


class Letter(models.Model):
    """One e-mail to one subscriber: the row is the queue, and the record that it went out."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="letters", db_index=False)
    type = Code(max_length=12, choices=choices(TYPES))
    since = models.DateTimeField(null=True)
    until = models.DateTimeField(db_default=Now())
    status = Code(max_length=10, choices=choices(STATUSES), default="waiting", db_default="waiting")
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    try_at = models.DateTimeField(db_default=Now())
    taken_at = models.DateTimeField(null=True, help_text="When a worker took it.")

    class Meta:
        db_table = "letter"
        indexes = [
            models.Index(fields=["try_at"], name="letter_waiting", condition=Q(status="waiting")),
            models.Index(fields=["taken_at"], name="letter_taken", condition=Q(status__in=("sending", "handed"))),
            models.Index(fields=["until"], name="letter_until"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "type", "until"], name="letter_once"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.status}"
