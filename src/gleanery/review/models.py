"""Tables of the review queue: items, their warnings, and reports of visitors."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from gleanery.accounts.models import ApiKey
from gleanery.domains.models import Code, Domain, choices
from gleanery.ids import uuid7
from gleanery.resolution.models import Record
from gleanery.review.life import ITEM, KINDS


class Item(models.Model):
    """Source or record that needs a decision; everything shown about it is read from there, so it is never stale."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = Code(max_length=10, choices=choices(KINDS))
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, null=True, related_name="review_items")
    record = models.ForeignKey(Record, on_delete=models.PROTECT, null=True, related_name="review_items")
    status = Code(max_length=12, choices=choices(ITEM.states), default=ITEM.first, db_default=ITEM.first)
    opened_at = models.DateTimeField(db_default=Now())
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    reason = models.TextField(default="", db_default="")
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    # An agent claims for itself, not for its owner: two keys of one person do not share a claim.
    claimed_key = models.ForeignKey(
        ApiKey, on_delete=models.PROTECT, null=True, related_name="+", db_index=False, editable=False
    )
    claimed_until = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1, db_default=1, help_text="Grows with every change.")

    class Meta:
        db_table = "review_item"
        verbose_name = "review item"
        indexes = [models.Index(fields=["kind", "id"], name="review_pending", condition=Q(status="pending"))]
        constraints = [
            models.UniqueConstraint(fields=["domain"], condition=Q(status="pending"), name="review_source_once"),
            models.UniqueConstraint(fields=["record"], condition=Q(status="pending"), name="review_record_once"),
            models.CheckConstraint(
                name="review_record_has_record", condition=~Q(kind="record") | Q(record__isnull=False)
            ),
            models.CheckConstraint(
                name="review_source_has_domain", condition=~Q(kind="source") | Q(domain__isnull=False)
            ),
            models.CheckConstraint(
                name="review_rejected_needs_reason", condition=~Q(status="rejected") | ~Q(reason="")
            ),
            models.CheckConstraint(
                name="review_claim_whole",
                condition=Q(claimed_by__isnull=True, claimed_until__isnull=True)
                | Q(claimed_by__isnull=False, claimed_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain or self.record or f"{self.kind} {self.pk}")


class Report(models.Model):
    """Report of a visitor, kept only to enforce the daily limits; its text is in a warning."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    address_hash = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "record_report"
        indexes = [
            models.Index(fields=["address_hash"], name="report_address"),
            models.Index(fields=["created_at"], name="report_day"),
        ]

    def __str__(self) -> str:
        return f"report of {self.created_at}"


class Warning(models.Model):  # noqa: A001  # the word of the queue; the built-in is not used here
    """Reason why an item needs a review; one row each, so that concurrent writers do not overwrite each other."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="warnings")
    code = models.CharField(max_length=40)
    sentence = models.CharField(max_length=500)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "review_warning"
        verbose_name = "warning"
        indexes = [
            # Finds the possible duplicates of a record when it changes.
            models.Index(
                KT("detail__duplicate_of"), name="review_warning_pair", condition=Q(detail__has_key="duplicate_of")
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "code", "sentence"],
                condition=~Q(detail__has_key="duplicate_of"),
                name="review_warning_once",
            ),
            # Several duplicates may have the same name, and names may change, so the record id counts.
            models.UniqueConstraint(
                "item",
                "code",
                KT("detail__duplicate_of"),
                condition=Q(detail__has_key="duplicate_of"),
                name="review_warning_once_for_pair",
            ),
        ]

    def __str__(self) -> str:
        return self.sentence
