"""Tables for sources, observations and their versions, extraction passes, relevance flags, contacts and model calls."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.crawling.models import Page, Snapshot
from gleanery.discovery.models import Topic
from gleanery.domains.life import BLACKLISTED
from gleanery.domains.models import Code, Domain, choices
from gleanery.ids import uuid7
from gleanery.kinds import KINDS

SOURCE_KINDS = ("crawled", "import", "curator")
TRUST, TRUST_OF_TRUSTED = 5, 8
LOWEST_TRUST, HIGHEST_TRUST = 1, 10
LONGEST_ID = 500
LONGEST_LINK = 300
FLAGGED_BY = ("rules", "model")
PURPOSES = ("relevance", "extraction")


class Source(models.Model):
    """A crawled domain, import or curator. Its trust follows its domain until an admin sets it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = Code(max_length=10, choices=choices(SOURCE_KINDS))
    name = models.CharField(max_length=253, unique=True)
    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, null=True, related_name="source")
    trust = models.PositiveSmallIntegerField(
        default=TRUST,
        db_default=TRUST,
        validators=[MinValueValidator(LOWEST_TRUST), MaxValueValidator(HIGHEST_TRUST)],
        help_text="1 to 10: of two sources that disagree, the more trusted one is believed.",
    )
    is_trust_set = models.BooleanField(default=False, db_default=False, help_text="An admin has set the trust.")
    asks = ArrayField(
        models.CharField(max_length=40),
        default=list,
        db_default=[],
        blank=True,
        help_text="Notes that hold its records back until a person has looked, or `probation` for all of them.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "source"
        constraints = [
            models.CheckConstraint(
                name="trust_in_range", condition=Q(trust__gte=LOWEST_TRUST, trust__lte=HIGHEST_TRUST)
            ),
            models.CheckConstraint(name="crawled_has_a_domain", condition=~Q(kind="crawled") | Q(domain__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_silent(self) -> bool:
        """Return True if its domain is blacklisted; its observations are then ignored."""
        return self.domain is not None and self.domain.processing_status == BLACKLISTED


class Observation(models.Model):
    """A statement of one source about one thing. A change is a new version; the old one stays."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="observations", db_index=False)
    kind = Code(max_length=20, choices=choices(KINDS))
    external_id = models.CharField(max_length=LONGEST_ID)
    original = models.JSONField(null=True, help_text="As the source gave it.")
    payload = models.JSONField(help_text="The same, normalised.")
    payload_hash = models.BinaryField(max_length=32)
    evidence = models.JSONField(default=dict, help_text="Where on the page each value stood.")
    extractor = models.CharField(max_length=40)
    extractor_version = models.PositiveSmallIntegerField()
    page = models.ForeignKey(Page, on_delete=models.PROTECT, null=True, related_name="observations")
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    # An id instead of a foreign key, since feeds are a later stage. See feed_joining.py.
    feed = models.UUIDField(null=True, editable=False, help_text="The feed that said so last.")
    in_feed = models.BooleanField(default=False, db_default=False, editable=False, help_text="A feed says so now.")
    link = models.CharField(max_length=LONGEST_LINK, default="", db_default="", editable=False)
    parts = models.JSONField(null=True, editable=False, help_text="What the feed says and what its page adds.")
    version = models.PositiveIntegerField(default=1, db_default=1)
    first_seen = models.DateTimeField(db_default=Now(), help_text="When this version was.")
    last_seen = models.DateTimeField(db_default=Now())
    not_seen_since = models.DateTimeField(null=True)
    superseded_at = models.DateTimeField(null=True)
    # An id instead of a foreign key, since records are a later stage. All versions of an observation share it.
    record = models.UUIDField(null=True, editable=False)
    first_observed = models.DateTimeField(db_default=Now(), help_text="When the first version was.")
    resolved_at = models.DateTimeField(null=True, editable=False, help_text="Empty until this version has its record.")

    class Meta:
        db_table = "observation"
        indexes = [
            models.Index(fields=["record"], name="observation_of_record", condition=Q(superseded_at__isnull=True)),
            models.Index(
                fields=["source"],
                name="observation_unresolved",
                condition=Q(superseded_at__isnull=True, resolved_at__isnull=True),
            ),
            models.Index(
                fields=["source", "link"],
                name="observation_link",
                condition=Q(superseded_at__isnull=True) & ~Q(link=""),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["source", "kind", "external_id"],
                condition=Q(superseded_at__isnull=True),
                name="observation_current_once",
            ),
            models.UniqueConstraint(fields=["source", "kind", "external_id", "version"], name="observation_version"),
            models.CheckConstraint(name="external_id_is_there", condition=~Q(external_id="")),
        ]

    def __str__(self) -> str:
        return str(self.payload.get("name") or self.external_id)

    @property
    def is_current(self) -> bool:
        return self.superseded_at is None

    @property
    def values(self) -> list[tuple[str, Any, str]]:
        """Each field with its value and its evidence."""
        return [(name, value, self.evidence.get(name, "")) for name, value in self.payload.items()]


class Extraction(models.Model):
    """One pass of the extractors over one snapshot. The latest pass of a page lists what the page describes now."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    page = models.ForeignKey(Page, on_delete=models.PROTECT, related_name="extractions", db_index=False)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="extractions")
    version = models.PositiveSmallIntegerField()
    extracted_at = models.DateTimeField(db_default=Now())
    ms = models.PositiveIntegerField()
    problem = models.TextField(default="", db_default="")
    count = models.PositiveIntegerField(help_text="Observations that were kept.")
    said = models.JSONField(default=list, help_text="Kind and external id of each.")

    class Meta:
        db_table = "extraction"
        indexes = [models.Index(fields=["page", "-extracted_at"], name="extraction_latest")]
        constraints = [models.UniqueConstraint(fields=["snapshot", "version"], name="extraction_once")]

    def __str__(self) -> str:
        return f"{self.count} from {self.snapshot}"


class Flag(models.Model):
    """Relevance of a page to a topic, with the reasons."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    snapshot = models.OneToOneField(Snapshot, on_delete=models.PROTECT, related_name="flag")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, null=True, related_name="flags")
    score = models.DecimalField(max_digits=3, decimal_places=2)
    threshold = models.DecimalField(max_digits=3, decimal_places=2)
    relevant = models.BooleanField()
    reasons = models.JSONField(default=list)
    by = Code(max_length=10, choices=choices(FLAGGED_BY), default="rules", db_default="rules")
    flagged_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "flag"
        constraints = [
            models.CheckConstraint(name="flag_score_in_range", condition=Q(score__gte=0, score__lte=1)),
            models.CheckConstraint(name="flag_threshold_in_range", condition=Q(threshold__gte=0, threshold__lte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.score} of {self.threshold}"


class PageContact(models.Model):
    """A contact named on a site, for staff only; never published. It is copied once to the candidate of the domain."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="page_contacts", db_index=False)
    page = models.ForeignKey(Page, on_delete=models.PROTECT, null=True, related_name="contacts")
    key = models.CharField(max_length=300, editable=False, help_text="What makes two contacts the same.")
    name = models.CharField(max_length=200, default="", db_default="", blank=True)
    role = models.CharField(max_length=200, default="", db_default="", blank=True)
    email = models.CharField(max_length=254, default="", db_default="", blank=True)
    phone = models.CharField(max_length=40, default="", db_default="", blank=True)
    address = models.TextField(default="", db_default="", blank=True)
    evidence = models.TextField(default="", db_default="", blank=True)
    first_seen = models.DateTimeField(db_default=Now())
    last_seen = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "page_contact"
        verbose_name = "contact on a page"
        verbose_name_plural = "contacts on pages"
        constraints = [models.UniqueConstraint(fields=["domain", "key"], name="page_contact_once")]

    def __str__(self) -> str:
        return self.name or self.email or self.phone or "contact"


class PreviewFind(models.Model):
    """Something found by the preview of a source, shown until the source is decided and then deleted."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="preview_finds")
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = Code(max_length=20, choices=choices(KINDS))
    name = models.CharField(max_length=500)
    day = models.DateField(null=True, help_text="On which it begins, or closes.")

    class Meta:
        db_table = "preview_find"

    def __str__(self) -> str:
        return self.name


class ModelCall(models.Model):
    """One question to the language model, stored before it is asked so that the caps hold across workers."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="model_calls", db_index=False)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    purpose = Code(max_length=12, choices=choices(PURPOSES))
    model = models.CharField(max_length=120)
    asked_at = models.DateTimeField(db_default=Now())
    ms = models.PositiveIntegerField(null=True)
    input_tokens = models.PositiveIntegerField(default=0, db_default=0)
    output_tokens = models.PositiveIntegerField(default=0, db_default=0)
    cost = models.DecimalField(
        max_digits=10, decimal_places=6, null=True, help_text="US dollars, where prices are known."
    )
    problem = models.TextField(default="", db_default="")

    class Meta:
        db_table = "model_call"
        verbose_name = "question to the model"
        verbose_name_plural = "questions to the model"
        indexes = [
            models.Index(fields=["asked_at"], name="model_call_of_the_day"),
            models.Index(fields=["domain", "asked_at"], name="model_call_of_domain"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}"
