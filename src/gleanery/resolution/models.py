"""Tables of records, occurrences, edits, verdicts, merges, tombstones and matching features."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now

from gleanery.domains.models import Code, choices
from gleanery.ids import uuid7
from gleanery.kinds import KINDS
from gleanery.resolution.records.life import LIVE, RECORD, VERDICTS

LONGEST_NAME = 500


class Record(models.Model):
    """One real thing. All but its status is computed from its observations and edits, by the projection."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = Code(max_length=20, choices=choices(KINDS))
    status = Code(max_length=10, choices=choices(RECORD.states), default=RECORD.first, db_default=RECORD.first)
    name = models.CharField(max_length=LONGEST_NAME)
    fields = models.JSONField(default=dict)
    provenance = models.JSONField(
        default=dict, help_text="For each field which observation or edit it came from, of which source and trust."
    )
    identity_hash = models.BinaryField(max_length=32, null=True, help_text="Empty where too little is known.")
    # The venue of an event, the place of a service.
    place = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="held", db_index=False)
    # The organisation that organises, funds or provides it.
    organization = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="run", db_index=False)
    start_date = models.DateField(null=True, help_text="The day on which it begins, as the clocks there tell it.")
    deadline = models.DateField(null=True)
    published_at = models.DateTimeField(null=True, help_text="When it first was; no doubt holds it back after that.")
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="merged", db_index=False)
    notes = ArrayField(
        models.CharField(max_length=40),
        default=list,
        db_default=[],
        help_text="Codes of what it lacks, or is odd in it.",
    )
    rules = models.PositiveSmallIntegerField(
        default=0, db_default=0, editable=False, help_text="Number of the rules by which it was computed."
    )
    version = models.PositiveIntegerField(default=1, db_default=1, help_text="Grows with every change.")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "record"
        indexes = [
            models.Index(fields=["kind", "status", "id"], name="record_list"),
            # Not unique, since two outlets of a chain in one town share name and town.
            models.Index(fields=["identity_hash"], name="record_identity", condition=Q(identity_hash__isnull=False)),
            models.Index(fields=["place", "start_date"], name="record_held", condition=Q(place__isnull=False)),
            models.Index(fields=["organization"], name="record_run", condition=Q(organization__isnull=False)),
            GinIndex(fields=["notes"], name="record_notes", condition=~Q(notes=[])),
            models.Index(fields=["rules"], name="record_rules", condition=Q(status__in=LIVE)),
            models.Index(fields=["merged_into"], name="record_merged", condition=Q(merged_into__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(
                name="record_merged_has_survivor",
                condition=Q(status="merged", merged_into__isnull=False) | ~Q(status="merged") & Q(merged_into=None),
            ),
            models.CheckConstraint(name="record_not_merged_into_itself", condition=~Q(merged_into=F("id"))),
            models.CheckConstraint(
                name="record_published_has_been", condition=~Q(status="published") | Q(published_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OtherIdentity(models.Model):
    """A further identity by which a record is found, from an observation that differs from the record."""

    id = models.BigAutoField(primary_key=True)
    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="other_identities", db_index=False)
    identity_hash = models.BinaryField(max_length=32)
    # Records that the observation names, so that the identity is updated when they are merged.
    place = models.UUIDField(null=True, db_column="place_id")
    organization = models.UUIDField(null=True, db_column="organization_id")
    loose = models.BooleanField(
        default=False, db_default=False, help_text="It joins two only if one of them names no venue."
    )

    class Meta:
        db_table = "other_identity"
        indexes = [
            models.Index(fields=["identity_hash"], name="other_identity_found"),
            models.Index(fields=["record"], name="other_identity_record"),
            models.Index(fields=["place"], name="other_identity_held", condition=Q(place__isnull=False)),
            models.Index(fields=["organization"], name="other_identity_run", condition=Q(organization__isnull=False)),
        ]

    def __str__(self) -> str:
        return bytes(self.identity_hash).hex()


class Occurrence(models.Model):
    """One time of an event."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="occurrences", db_index=False)
    start = models.DateTimeField()
    end = models.DateTimeField(null=True)
    start_date = models.DateField(help_text="As the clocks there tell it.")

    class Meta:
        db_table = "occurrence"
        indexes = [models.Index(fields=["start_date", "record"], name="occurrence_day")]
        constraints = [models.UniqueConstraint(fields=["record", "start"], name="occurrence_once")]

    def __str__(self) -> str:
        return f"{self.start:%Y-%m-%d %H:%M}"


class Edit(models.Model):
    """A value of a field set by a curator. It overrides all sources, and moves along when its record is merged."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    record = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="edits", db_index=False)
    field = models.CharField(max_length=60)
    value = models.JSONField(null=True, help_text="Empty clears the field.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now())
    withdrawn_at = models.DateTimeField(null=True, help_text="It was taken back, and counts no more.")

    class Meta:
        db_table = "edit"
        indexes = [
            # Includes undone edits, which are moved with the others.
            models.Index(fields=["record", "field", "at"], name="edit_of_record"),
            # Edits that name a place or an organisation, so that they follow its merges.
            models.Index(
                fields=["value"],
                name="edit_reference",
                condition=Q(withdrawn_at=None, field__in=["place", "organization"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field} of {self.record_id}"


class Verdict(models.Model):
    """Decision whether two records are the same thing; superseded by later ones, never deleted."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    low = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="+", db_index=False)
    high = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="+")
    verdict = Code(max_length=10, choices=choices(VERDICTS))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now())
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "verdict"
        indexes = [models.Index(fields=["low", "high"], name="verdict_of_pair")]
        constraints = [
            models.CheckConstraint(name="verdict_pair_in_order", condition=Q(low__lt=F("high"))),
            models.UniqueConstraint(
                fields=["low", "high"], condition=Q(superseded_at=None), name="verdict_current_once"
            ),
        ]

    def __str__(self) -> str:
        return self.verdict


class Merge(models.Model):
    """Merge of one record into another; `moved` lists all that was moved, so that it can be undone."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    loser = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="merges", db_index=False)
    survivor = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="absorbed")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now())
    undone_at = models.DateTimeField(null=True)
    moved = models.JSONField(default=dict)

    class Meta:
        db_table = "merge"
        constraints = [
            models.UniqueConstraint(fields=["loser"], condition=Q(undone_at=None), name="merge_current_once"),
            models.CheckConstraint(name="merge_of_two", condition=~Q(loser=F("survivor"))),
        ]

    def __str__(self) -> str:
        return f"{self.loser} into {self.survivor}"


class Tombstone(models.Model):
    """Mark of a deleted record, which keeps sources from creating it again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    record = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="tombstones", db_index=False)
    kind = Code(max_length=20, choices=choices(KINDS))
    identity_hash = models.BinaryField(max_length=32, null=True)
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField(db_default=Now())
    lifted_at = models.DateTimeField(null=True, help_text="The record was restored.")

    class Meta:
        db_table = "tombstone"
        constraints = [
            models.UniqueConstraint(fields=["record"], condition=Q(lifted_at=None), name="tombstone_once"),
            models.CheckConstraint(name="tombstone_has_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return self.reason


class Likeness(models.Model):
    """Normalised features of a live record for matching, written with the record."""

    record = models.OneToOneField(Record, on_delete=models.CASCADE, primary_key=True, related_name="likeness")
    kind = Code(max_length=20, choices=choices(KINDS))
    facts = models.JSONField(default=dict, help_text="As matching.facts has them; what is unknown is left out.")
    keys = ArrayField(models.BigIntegerField(), help_text="All that it has: of likeness_key it may have these.")
    written = models.BigIntegerField(
        db_default=Func(Value("likeness_written"), function="nextval"), help_text="Later ones have higher numbers."
    )

    class Meta:
        db_table = "likeness"
        indexes = [models.Index(fields=["written"], name="likeness_written_since")]

    def __str__(self) -> str:
        return str(self.facts.get("name", ""))


class LikenessKey(models.Model):
    """Blocking key by which a record is found as a candidate. No foreign key, since thousands are written at once."""

    pk = models.CompositePrimaryKey("key", "record")
    key = models.BigIntegerField(help_text="A digest of the kind, the rule and the value.")
    record = models.UUIDField(db_column="record_id")

    class Meta:
        db_table = "likeness_key"

    def __str__(self) -> str:
        return str(self.key)
