"""Tables of discovery: topics, sessions, their queries to providers, and every hit with its outcome."""

from __future__ import annotations

from decimal import Decimal
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from gleanery.discovery.lifecycle import FOUND, OUTCOMES, PROVIDER_NAMES, SESSION, SESSION_TYPES, THROWN_OUT, WEEKLY
from gleanery.domains.models import Code, Domain, choices
from gleanery.ids import uuid7

PERSON: Final = settings.AUTH_USER_MODEL


def words() -> ArrayField[list[str], list[str]]:
    return ArrayField(models.CharField(max_length=200), default=list, blank=True)


class Topic(models.Model):
    """A subject to find sources on, with its queries and judging criteria."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.SlugField(
        max_length=60, unique=True, help_text="A short name for commands, such as funding-bulgaria."
    )
    title = models.CharField(max_length=200)
    preset = models.CharField(max_length=40, blank=True, editable=False)
    query_templates = ArrayField(
        models.CharField(max_length=300), help_text="May hold {place} and {theme}; every combination is a query."
    )
    places = words()
    themes = words()
    keywords = models.JSONField(default=dict, help_text="Words that speak for a source, by language.")
    organization_words = models.JSONField(default=dict, help_text="Words for the kinds of organisation, by language.")
    geography = words()
    weights = models.JSONField(default=dict, blank=True, help_text="Weights of the judges, where they differ.")
    threshold = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.60"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
    )
    page_threshold = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.30"),
        db_default=Decimal("0.30"),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))],
        help_text="From this score on a page of a source is read for what it offers.",
    )
    kinds = words()
    country = models.CharField(max_length=2, blank=True, help_text="Two letters, as providers want it: bg.")
    language = models.CharField(max_length=2, blank=True, help_text="Two letters, as providers want it: bg.")
    max_queries = models.PositiveSmallIntegerField(default=40, validators=[MinValueValidator(1)])
    schedule = models.CharField(
        max_length=100, blank=True, help_text="Cron text, such as 0 3 * * *; empty: only when somebody asks."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "topic"
        constraints = [
            models.CheckConstraint(name="threshold_in_range", condition=Q(threshold__gte=0, threshold__lte=1)),
            models.CheckConstraint(
                name="page_threshold_in_range", condition=Q(page_threshold__gte=0, page_threshold__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One run of a topic's queries over the providers, or one deep crawl of every approved domain.

    Its figures are derived from its queries and hits, or from its crawls.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, null=True, blank=True, related_name="sessions")
    type = Code(max_length=20, choices=choices(SESSION_TYPES))
    status = Code(max_length=20, choices=choices(SESSION.states), default=SESSION.first)
    queries = ArrayField(models.CharField(max_length=500))
    providers = ArrayField(models.CharField(max_length=20, choices=choices(PROVIDER_NAMES)))
    started_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(db_default=Now())
    # Empty while the session waits for a worker; renewed while it runs; if it gets old, the worker has died.
    alive_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    error = models.TextField(default="", db_default="")

    class Meta:
        db_table = "session"
        indexes = [models.Index(fields=["alive_at"], name="session_running", condition=Q(status="running"))]
        constraints = [
            models.CheckConstraint(
                name="completed_after_start",
                condition=Q(completed_at__isnull=True) | Q(completed_at__gte=F("started_at")),
            ),
            models.CheckConstraint(name="search_has_a_topic", condition=Q(type=WEEKLY) | Q(topic__isnull=False)),
        ]

    def __str__(self) -> str:
        named = f"{self.get_type_display()} {self.topic or ''}".strip()
        return f"{named} {self.started_at:%Y-%m-%d %H:%M}"

    @property
    def subject(self) -> Topic:
        """The topic of a search; a deep crawl has none."""
        if self.topic is None:
            raise ValueError(f"{self} is not a search.")
        return self.topic


class Question(models.Model):
    """One query to one provider, recorded before it is sent, so that daily caps hold across sessions."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="questions", db_index=False)
    provider = Code(max_length=20, choices=choices(PROVIDER_NAMES))
    query = models.CharField(max_length=500)
    asked_at = models.DateTimeField(db_default=Now())
    answered_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=1, db_default=1)
    seconds = models.FloatField(null=True)
    failure_kind = models.CharField(max_length=20, default="", db_default="")
    failure = models.TextField(default="", db_default="")

    class Meta:
        db_table = "question"
        constraints = [models.UniqueConstraint(fields=["session", "provider", "query"], name="question_once")]
        indexes = [models.Index(fields=["provider", "asked_at"], name="question_of_the_day")]

    def __str__(self) -> str:
        return f"{self.provider}: {self.query}"


class Result(models.Model):
    """One hit of one provider with its outcome. Honest results are in three indexes; avoid adding more.

    A trigger forbids changes other than a rescue and the emptying of the spam bin.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="results", db_index=False)
    provider = Code(max_length=20, choices=choices(PROVIDER_NAMES))
    query = models.CharField(max_length=500)
    position = models.PositiveIntegerField()
    url = models.CharField(max_length=2000)
    title = models.CharField(max_length=500)
    description = models.CharField(max_length=1000)
    domain_name = models.CharField(max_length=253)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, null=True, related_name="results")
    outcome = Code(max_length=20, choices=choices(OUTCOMES))
    rule = models.CharField(max_length=40, default="", db_default="")
    reason = models.TextField(default="", db_default="")
    discovered_at = models.DateTimeField(db_default=Now())
    rescued_at = models.DateTimeField(null=True)
    rescued_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    emptied_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "result"
        constraints = [
            models.UniqueConstraint(fields=["session", "provider", "query", "position"], name="result_once"),
            models.CheckConstraint(name="position_is_positive", condition=Q(position__gt=0)),
            models.CheckConstraint(
                name="found_has_a_domain", condition=~Q(outcome__in=FOUND) | Q(domain__isnull=False)
            ),
        ]
        indexes = [
            models.Index(fields=["domain_name"], name="result_of_seller", condition=Q(rule="cross_category")),
            models.Index(fields=["outcome", "id"], name="result_thrown_out", condition=Q(outcome__in=THROWN_OUT)),
        ]

    def __str__(self) -> str:
        return self.url or f"emptied {self.outcome} result"

    @property
    def is_duplicate(self) -> bool:
        return self.outcome == "duplicate"

    @property
    def duplicate_of_domain(self) -> UUID | None:
        """The id of the domain known before this hit; None for a new domain."""
        return self.domain_id if self.is_duplicate else None
