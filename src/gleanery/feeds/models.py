"""Table of feeds, with validators for the next reading and results of the last one."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.domains.models import Code, Domain, choices
from gleanery.feeds.addresses import LONGEST
from gleanery.feeds.life import FEED
from gleanery.feeds.platforms import BY_NAME
from gleanery.ids import uuid7


class Feed(models.Model):
    """A calendar, API or syndication address of a source. Removed feeds stay, so that they are not found again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="feeds", db_index=False)
    url = models.CharField(max_length=LONGEST)
    host = models.CharField(max_length=253, help_text="Who is asked; another one than the source for some platforms.")
    platform = models.CharField(max_length=40)
    title = models.CharField(max_length=200, default="", db_default="")
    found_on = models.CharField(max_length=LONGEST, default="", db_default="", help_text="A page that shows it.")
    is_guess = models.BooleanField(default=False, db_default=False, help_text="It follows from a sign of its platform.")
    covers = models.JSONField(default=list, help_text="Addresses that bring the same and are not asked.")
    state = Code(max_length=10, choices=choices(FEED.states), default=FEED.first, db_default=FEED.first)
    state_reason = models.TextField(default="", db_default="", help_text="Why it is in this state.")
    found_at = models.DateTimeField(db_default=Now())
    shown_at = models.DateTimeField(db_default=Now(), help_text="When a page showed it last.")

    # For the next reading; validators belong to `asked_url`.
    due_at = models.DateTimeField(null=True, db_default=Now(), help_text="Empty: it is not asked.")
    asked_url = models.CharField(max_length=LONGEST, default="", db_default="")
    etag = models.CharField(max_length=300, default="", db_default="")
    last_modified = models.CharField(max_length=300, default="", db_default="")
    digest = models.BinaryField(max_length=32, default=b"", help_text="Of all that it answered.")
    ttl = models.DurationField(null=True, help_text="How long it asks not to be asked.")

    # Results of the last reading.
    asked_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True, help_text="When it last answered as its platform does.")
    changed_at = models.DateTimeField(null=True)
    answer = models.TextField(default="", db_default="", help_text="What the last answer was, in a sentence.")
    pages = models.PositiveSmallIntegerField(default=0, db_default=0)
    size = models.PositiveIntegerField(default=0, db_default=0)
    said = models.JSONField(default=list, help_text="Kind and external id of each thing that it tells of.")
    sample = models.JSONField(default=list, help_text="The first few of them.")
    problems = models.JSONField(default=list)
    failures = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="In a row.")

    class Meta:
        db_table = "feed"
        indexes = [models.Index(fields=["due_at"], name="feed_due", condition=Q(state__in=("found", "approved")))]
        constraints = [
            models.UniqueConstraint(fields=["domain", "url"], name="feed_once"),
            models.CheckConstraint(
                name="stopped_feed_needs_reason", condition=~Q(state="stopped") | ~Q(state_reason="")
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def label(self) -> str:
        return BY_NAME[self.platform].label

    @property
    def brings(self) -> int:
        return len(self.said)
