"""Tables of judging: runs, one judgement per result, one candidate per judged domain, and its contacts."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.discovery.models import Result, Session, Topic
from gleanery.domains.models import Code, Domain, choices
from gleanery.ids import uuid7
from gleanery.judging.life import CANDIDATE, SKIPPED


def two_places(*, null: bool = False) -> models.DecimalField[Any, Any]:
    """Return a decimal field; the CHECK of each table keeps it between 0 and 1."""
    return models.DecimalField(max_digits=3, decimal_places=2, null=null)


class Run(models.Model):
    """One pass of the judges over results without a judgement; its statistics are derived."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, null=True, related_name="judging_runs")
    started_at = models.DateTimeField(db_default=Now())
    completed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "judging_run"
        verbose_name = "judging run"

    def __str__(self) -> str:
        return f"judging of {self.started_at:%Y-%m-%d %H:%M}"


class Candidate(models.Model):
    """Domain proposed as a source, with the confidence of its best judgement."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, related_name="candidate")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="candidates")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="candidates", db_index=False)
    status = Code(max_length=30, choices=choices(CANDIDATE.states))
    confidence = two_places()
    organization = models.CharField(max_length=500, blank=True)
    programme = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    rejection_reason = models.TextField(default="", db_default="")

    class Meta:
        db_table = "candidate"
        indexes = [models.Index(fields=["status", "-confidence"], name="candidate_best")]
        constraints = [
            models.CheckConstraint(
                name="candidate_confidence_in_range", condition=Q(confidence__gte=0, confidence__lte=1)
            ),
            models.CheckConstraint(
                name="candidate_rejected_needs_reason", condition=~Q(status="rejected") | ~Q(rejection_reason="")
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain)


class Judgement(models.Model):
    """Scores of one result with the threshold at that time, or the reason why it was not judged."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    result = models.OneToOneField(Result, on_delete=models.CASCADE, related_name="judgement")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="judgements")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="judgements")
    confidence = two_places(null=True)
    threshold = two_places()
    scores = models.JSONField(default=list)
    organization = models.CharField(max_length=500, blank=True)
    programme = models.CharField(max_length=500, blank=True)
    skipped = Code(max_length=30, choices=choices(SKIPPED), default="", db_default="", blank=True)
    judged_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "judgement"
        constraints = [
            models.CheckConstraint(
                name="judgement_confidence_in_range", condition=Q(confidence__isnull=True) | Q(confidence__range=(0, 1))
            ),
            models.CheckConstraint(
                name="judged_or_skipped", condition=Q(confidence__isnull=False, skipped="") | ~Q(skipped="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.confidence} for {self.result}"

    @property
    def should_crawl(self) -> bool:
        return self.confidence is not None and self.confidence >= self.threshold


class Contact(models.Model):
    """Contact of a candidate, visible to staff only and never published."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="contacts")
    name = models.CharField(max_length=200, blank=True, help_text="A person or a desk.")
    role = models.CharField(max_length=200, blank=True)
    type = models.CharField(max_length=40, blank=True, help_text="Such as programme officer, press, general.")
    authority = models.CharField(max_length=40, blank=True, help_text="Such as decides, advises, forwards.")
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    address = models.TextField(blank=True)
    validated_at = models.DateTimeField(
        null=True, blank=True, help_text="When the site last said so, or when somebody checked it."
    )

    class Meta:
        db_table = "contact"

    def __str__(self) -> str:
        return self.name or self.email or self.phone or "contact"
