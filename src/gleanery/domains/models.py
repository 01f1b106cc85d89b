"""Tables of domains, one row per normalised name, and of submissions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from gleanery import words
from gleanery.domains.life import APPROVAL, BLACKLISTED, PROCESSING
from gleanery.domains.names import DomainName
from gleanery.domains.urls import LONGEST
from gleanery.ids import uuid7

SUBMITTERS = ("admin", "public_user", "system")


def choices(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in values]


class Code(models.CharField[str, str]):
    """Column of a few codes with words for display; migrations contain only the codes, so words can change freely."""

    def __init__(self, *, choices: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(choices=words.labelled(code for code, _ in choices), **options)

    def deconstruct(self) -> Any:
        name, _, args, options = super().deconstruct()
        codes = choices(tuple(code for code, _ in options["choices"]))
        return name, "django.db.models.CharField", args, {**options, "choices": codes}


def person() -> models.ForeignKey[Any, Any]:
    """Return a column for a person, without an index, because nobody looks domains up by it."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", editable=False, db_index=False
    )


class Domain(models.Model):
    """Domain and its states; figures about its quality are derived from other tables, not stored here."""

    followed: Mapping[str, int] = {}  # counts of affected records after the last change; not stored

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=253, editable=False)
    registrable = models.CharField(max_length=253, editable=False)
    processing_status = Code(
        max_length=30, choices=choices(PROCESSING.states), default=PROCESSING.first, db_default=PROCESSING.first
    )
    approval_status = Code(
        max_length=20, choices=choices(APPROVAL.states), default=APPROVAL.first, db_default=APPROVAL.first
    )
    # No foreign key: sessions belong to a later stage, which may import this one but not the reverse.
    first_session = models.UUIDField(null=True, editable=False)
    discovered_at = models.DateTimeField(db_default=Now(), editable=False)
    last_seen_at = models.DateTimeField(db_default=Now(), editable=False)
    last_processed_at = models.DateTimeField(null=True, editable=False)
    processing_count = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    failure_reason = models.TextField(default="", db_default="", editable=False)
    failure_count = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    retry_after = models.DateTimeField(null=True, editable=False)
    no_funds_year = models.PositiveSmallIntegerField(null=True, editable=False)
    notes = models.TextField(default="", db_default="", blank=True)
    blacklisted_at = models.DateTimeField(null=True, editable=False)
    blacklisted_by = person()
    blacklist_reason = models.TextField(default="", db_default="", editable=False)
    # Once a person has lifted the blacklist, the machine does not blacklist it again.
    lifted_at = models.DateTimeField(null=True, editable=False)
    submitted_by = person()
    submitter_type = Code(max_length=20, choices=choices(SUBMITTERS), default="system", db_default="system")
    submission_context = models.TextField(default="", db_default="", editable=False)
    reviewed_by = person()
    reviewed_at = models.DateTimeField(null=True, editable=False)
    rejection_reason = models.TextField(default="", db_default="", editable=False)
    max_crawl_depth = models.PositiveSmallIntegerField(default=3, db_default=3)
    crawl_rate_limit_seconds = models.PositiveSmallIntegerField(default=2, db_default=2)
    scrape_frequency_hours = models.PositiveIntegerField(default=24, db_default=24)
    last_crawled_at = models.DateTimeField(null=True, editable=False)
    is_trusted = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "domain"
        indexes = [
            models.Index(fields=["registrable"], name="domain_registrable"),
            # Most domains are only discovered, and nobody lists those, so they are left out.
            models.Index(
                fields=["processing_status", "id"],
                name="domain_processing",
                condition=~Q(processing_status="discovered"),
            ),
            models.Index(
                fields=["approval_status", "id"], name="domain_approval", condition=~Q(approval_status="none")
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="domain_name_once"),
            models.CheckConstraint(
                name="blacklisted_needs_at_by_reason",
                condition=~Q(processing_status=BLACKLISTED)
                | Q(blacklisted_at__isnull=False, blacklisted_by__isnull=False) & ~Q(blacklist_reason=""),
            ),
            models.CheckConstraint(
                name="rejected_needs_a_reason", condition=~Q(approval_status="rejected") | ~Q(rejection_reason="")
            ),
            models.CheckConstraint(
                name="failed_needs_reason_and_retry",
                condition=~Q(processing_status="processing_failed")
                | ~Q(failure_reason="")
                & Q(last_processed_at__isnull=False, retry_after__isnull=False, retry_after__gt=F("last_processed_at")),
            ),
            models.CheckConstraint(
                name="no_funds_year_in_range",
                condition=~Q(processing_status="no_funds_this_year") & Q(no_funds_year__isnull=True)
                | Q(no_funds_year__isnull=False, no_funds_year__range=(2020, 2100)),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def named(self) -> DomainName:
        return DomainName(self.name, self.registrable)

    @property
    def display(self) -> str:
        """Return the name for display: decoded where that is safe."""
        return self.named.display


class Submission(models.Model):
    """Submission and its outcome; repeated ones are kept too, because reviewers may want to see them."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    given = models.CharField(max_length=LONGEST, help_text="As it was typed.")
    url = models.CharField(max_length=LONGEST, default="", db_default="", help_text="Empty for a whole domain.")
    # Empty for a question about an unknown domain, which is registered only once somebody says yes.
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, null=True, related_name="submissions")
    context = models.TextField(default="", db_default="")
    depth = models.PositiveSmallIntegerField(null=True)
    submitter_type = Code(max_length=20, choices=choices(SUBMITTERS))
    submitted_by = person()
    # Identifies the submissions of one address on one day; the address cannot be recovered from it.
    address_hash = models.CharField(max_length=64, default="", db_default="", editable=False)
    outcome = models.CharField(max_length=20)
    follow_hash = models.CharField(max_length=64, editable=False, help_text="Digest of the secret in its link.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "submission"
        indexes = [
            models.Index(fields=["address_hash"], name="submission_address", condition=~Q(address_hash="")),
            models.Index(fields=["created_at"], name="submission_public", condition=Q(submitter_type="public_user")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["follow_hash"], name="submission_follow_once"),
            models.CheckConstraint(
                name="submission_depth_in_range", condition=Q(depth__isnull=True) | Q(depth__range=(0, 6))
            ),
        ]

    def __str__(self) -> str:
        return self.given
