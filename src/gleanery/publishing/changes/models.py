"""Table: each change of what is public. Triggers on `record` and `occurrence` write it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from gleanery.domains.models import Code, choices
from gleanery.kinds import KINDS

PRESENT = ("created", "updated", "split")  # it is public after these
ABSENT = ("merged", "unpublished", "deleted")
CHANGES = PRESENT + ABSENT


class RecordChange(models.Model):
    """A change of a public record. It has a position once it is listed: readers see it only then, and in that order."""

    id = models.BigAutoField(primary_key=True)
    # No foreign key: thousands are written at once.
    record = models.UUIDField(db_column="record_id")
    kind = Code(max_length=20, choices=choices(KINDS))
    change = Code(max_length=12, choices=choices(CHANGES))
    fields = ArrayField(
        models.TextField(), default=list, db_default=[], help_text="Public fields that an update changed."
    )
    into = models.UUIDField(null=True, db_column="into_id", help_text="The record that it was merged into.")
    transaction = models.BigIntegerField(help_text="In which it was written: updates in one are one.")
    position = models.BigIntegerField(null=True, unique=True)
    listed_at = models.DateTimeField(null=True)
    is_latest = models.BooleanField(default=False, db_default=False, help_text="No later one of its record is listed.")

    class Meta:
        db_table = "record_change"
        indexes = [
            models.Index(fields=["record"], name="change_latest", condition=Q(is_latest=True)),
            models.Index(fields=["kind", "position"], name="change_latest_of_kind", condition=Q(is_latest=True)),
            models.Index(fields=["listed_at", "position"], name="change_listed"),
        ]

    def __str__(self) -> str:
        return f"{self.change} {self.record}"
