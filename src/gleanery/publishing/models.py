"""Tables: what search knows of each published record, and how the public site presents itself."""

from __future__ import annotations

from datetime import date

from django.contrib.postgres.indexes import GinIndex, GistIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Coalesce, Now
from django.urls import reverse

from gleanery.domains.models import Code, choices
from gleanery.kinds import KINDS
from gleanery.publishing.changes.models import RecordChange  # noqa: F401  # where Django looks for tables
from gleanery.publishing.digests.models import Letter, Subscription  # noqa: F401  # the same
from gleanery.publishing.site.accent import DEFAULT as DEFAULT_ACCENT
from gleanery.publishing.site.accent import checked
from gleanery.publishing.site.languages import LANGUAGES
from gleanery.publishing.site.languages import choices as language_choices
from gleanery.publishing.site.zones import choices as zone_choices
from gleanery.publishing.webhooks.models import Webhook  # noqa: F401  # the same
from gleanery.resolution.models import LONGEST_NAME, Record

__all__ = ["LANGUAGES", "PublicSite", "SearchEntry"]
FAR = date.max  # of what has no day
LONGEST_PATIENCE = 3650


class SearchEntry(models.Model):
    """Search entry of a published record. A trigger on `record` writes it, so it is never older than that."""

    # The migration has the constraint: the database deletes the entry with its record.
    record = models.OneToOneField(
        Record, on_delete=models.CASCADE, primary_key=True, related_name="search_entry", db_constraint=False
    )
    kind = Code(max_length=20, choices=choices(KINDS))
    name = models.TextField(help_text="In small Latin letters without accents.")
    words = SearchVectorField()
    town = models.CharField(max_length=LONGEST_NAME, default="")
    folded_town = models.TextField(default="", help_text="In small Latin letters without accents.")
    start_date = models.DateField(null=True)
    deadline = models.DateField(null=True)
    next_day = models.DateField(null=True, help_text="When it takes place next, else when it closes; empty once over.")
    last_day = models.DateField(default=FAR, db_default=FAR, help_text="After this day it is over.")
    soon = models.GeneratedField(
        expression=Coalesce("next_day", Value(FAR)), output_field=models.DateField(), db_persist=True
    )
    lat = models.FloatField(null=True)
    lon = models.FloatField(null=True)
    language = models.CharField(max_length=3, default="", db_default="", help_text="Its code, such as bg.")
    is_free = models.BooleanField(default=False)
    is_online = models.BooleanField(default=False)
    is_cancelled = models.BooleanField(default=False)
    is_accessible = models.BooleanField(default=False, db_default=False, help_text="Says that wheelchairs get in.")
    published_at = models.DateTimeField()
    unconfirmed_since = models.DateTimeField(
        null=True, help_text="Since when no source lists it, if all were read again twice without it."
    )

    class Meta:
        db_table = "search_entry"
        indexes = [
            GinIndex(fields=["words"], name="search_words"),
            GinIndex(OpClass(F("name"), name="gin_trgm_ops"), name="search_name"),
            models.Index(fields=["kind", "-published_at"], name="search_kind"),
            models.Index(fields=["-published_at", "-record"], name="search_newest"),
            models.Index(
                fields=["folded_town", "soon", "record"], name="search_town_soonest", condition=~Q(folded_town="")
            ),
            models.Index(fields=["deadline"], name="search_deadline", condition=Q(deadline__isnull=False)),
            models.Index(fields=["soon", "record"], name="search_soonest"),
            models.Index(fields=["kind", "soon", "record"], name="search_kind_soonest"),
            models.Index(fields=["name", "record"], name="search_by_name"),
            models.Index(
                fields=["unconfirmed_since"], name="search_unconfirmed", condition=Q(unconfirmed_since__isnull=False)
            ),
            GinIndex(
                Func(F("name"), template="to_tsvector('simple'::regconfig, %(expressions)s)"), name="search_name_words"
            ),
            # Points of the plane find what lies in a box; which of these are near enough is computed on the sphere.
            GistIndex(
                Func(F("lon"), F("lat"), function="point"), name="search_position", condition=Q(lat__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PublicSite(models.Model):
    """How the public site presents itself: one row at most, written when an admin first changes something."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(max_length=60, default="Gleanery")
    about = models.CharField(
        max_length=200, blank=True, default="", verbose_name="one line about it", help_text="Shown on the start page."
    )
    accent = models.CharField(
        max_length=7,
        default=DEFAULT_ACCENT,
        validators=[checked],
        help_text="A colour such as #2c6a41, dark enough to be read on white.",
    )
    language = models.CharField(
        max_length=8,
        choices=language_choices,
        default="en",
        help_text="For visitors whose browser asks for none of the languages of this site.",
    )
    place = models.CharField(
        max_length=100,
        blank=True,
        default="",
        help_text="The town or region that this site is about.",
    )
    zone = models.CharField(
        max_length=64,
        choices=zone_choices,
        default="UTC",
        verbose_name="time zone",
        help_text="For times whose place is not known well enough to have a zone of its own.",
    )
    contact = models.CharField(
        max_length=200, blank=True, default="", help_text="How to reach you, shown on the page About."
    )
    about_text = models.TextField(
        validators=[MaxLengthValidator(10_000)],
        blank=True,
        default="",
        verbose_name="more about it",
        help_text="For the page About. An empty line begins a new paragraph.",
    )
    logo = models.BinaryField(null=True, editable=False)
    logo_type = models.CharField(max_length=20, default="", editable=False)
    logo_digest = models.CharField(max_length=16, default="", editable=False)
    hide_after_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_PATIENCE)],
        verbose_name="hide what is no longer listed after (days)",
        help_text="Empty: never; it is shown with a note that its source no longer lists it.",
    )
    changed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "public_site"
        verbose_name = "public site"
        verbose_name_plural = "public site"
        constraints = [models.CheckConstraint(name="public_site_is_one_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return self.name

    @property
    def logo_address(self) -> str:
        """A new picture has a new address, so browsers may keep each for ever."""
        return reverse("logo", args=[self.logo_digest]) if self.logo_digest else ""
