"""Updates of the warnings of waiting records when something happens to them."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q
from django.db.models.fields.json import KT

from gleanery.resolution.intake import collisions
from gleanery.resolution.models import Record, Verdict
from gleanery.resolution.records.duplicate_sentences import BY_IDENTITY
from gleanery.resolution.records.quality import CODES, Doubt
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.opening import open_items, release, warning
from gleanery.review.queue import warning_codes
from gleanery.sql import rows

UNDONE = Doubt(warning_codes.UNDONE, "The decision about it was undone, so it needs a new one.")

# Waiting records with the identity of another one, where either is among these. The others are looked up one by one,
# so that the whole queue is never read. Indexes: review_warning_pair, review_record_once.
TAKEN_FOR_ANOTHER = """
    SELECT record_id FROM review_item JOIN review_warning ON review_warning.item_id = review_item.id
    WHERE record_id = ANY(%(ids)s::uuid[]) AND status = 'pending' AND detail ->> 'by' = %(by)s
    UNION
    SELECT record_id FROM unnest(%(texts)s::text[]) AS wanted (record)
         CROSS JOIN LATERAL (
             SELECT item_id FROM review_warning
             WHERE detail ? 'duplicate_of' AND detail ->> 'duplicate_of' = wanted.record AND detail ->> 'by' = %(by)s
             OFFSET 0
         ) AS taken
         JOIN review_item ON review_item.id = taken.item_id
    WHERE status = 'pending'
"""


def look_again(records: Collection[UUID]) -> None:
    """Check again whether these changed records still have the identity of another record."""
    values = {"ids": list(records), "texts": [str(each) for each in records], "by": BY_IDENTITY}
    affected = {record for (record,) in rows(TAKEN_FOR_ANOTHER, **values)}
    if not affected:
        return
    found = collisions.of(affected)
    items = dict(Item.objects.filter(record__in=affected, status="pending").values_list("record_id", "pk"))
    fresh = [warning(items[record], each) for record, doubts in found.items() for each in doubts]
    current = {(row.item_id, row.detail["duplicate_of"]) for row in fresh}
    existing = Row.objects.filter(item__in=items.values(), detail__by=BY_IDENTITY)
    outdated = [row.pk for row in existing if (row.item_id, row.detail["duplicate_of"]) not in current]
    Row.objects.filter(pk__in=outdated).delete()
    Row.objects.bulk_create(fresh, ignore_conflicts=True)
    release(affected)


# One by one, as above: thousands may be gone at once. Index: review_warning_pair.
LIKE_ONE_GONE = """
    DELETE FROM review_warning
    USING unnest(%(texts)s::text[]) AS gone (record)
          CROSS JOIN LATERAL (
              SELECT id, item_id FROM review_warning
              WHERE detail ? 'duplicate_of' AND detail ->> 'duplicate_of' = gone.record AND detail ? 'model'
              OFFSET 0
          ) AS taken
          JOIN review_item ON review_item.id = taken.item_id
    WHERE review_warning.id = taken.id AND status = 'pending'
    RETURNING record_id
"""


def forget(records: Collection[UUID]) -> None:
    """Delete the warnings that name these records, which were deleted or merged."""
    if affected := {record for (record,) in rows(LIKE_ONE_GONE, texts=[str(each) for each in records])}:
        release(affected)


def is_asked(one: UUID, other: UUID) -> bool:
    """Return True if an open item has one of these two as a possible duplicate of the other."""
    warnings = Row.objects.filter(item__status="pending", detail__has_key="duplicate_of").alias(
        other=KT("detail__duplicate_of")
    )
    pair = Q(item__record=one, other=str(other)) | Q(item__record=other, other=str(one))
    return warnings.filter(pair).exists()


def drop_likeness(pair: Collection[UUID]) -> None:
    """Delete the warnings that these two may be the same, because somebody decided that they are not."""
    texts = [str(each) for each in pair]
    warnings = Row.objects.filter(item__record__in=pair, item__status="pending", detail__duplicate_of__in=texts)
    affected = set(warnings.filter(detail__has_key="model").values_list("item__record", flat=True))
    if affected:
        warnings.filter(detail__has_key="model").delete()
        release(affected)


def drop_answered(item: Item, record: Record) -> None:
    """Delete the warnings of a reopened item about pairs that somebody has decided about since."""
    about = Q(low=record) | Q(high=record)
    verdicts = Verdict.objects.filter(about, verdict="different", superseded_at=None).values_list("low_id", "high_id")
    others = {str(each) for pair in verdicts for each in pair} - {str(record.pk)}
    answered, _ = item.warnings.filter(detail__duplicate_of__in=others).delete()
    if not answered or item.warnings.exists():
        return
    if record.status == "in_review":
        warning(item.pk, UNDONE).save(force_insert=True)
    else:
        release([record.pk])


def ask_again(records: Collection[UUID]) -> None:
    """Open items for records whose decision was undone, with a warning that says so."""
    items = open_items(records)
    Row.objects.filter(item__in=items.values(), code__in=CODES).delete()
    warned = set(Row.objects.filter(item__in=items.values()).values_list("item_id", flat=True))
    Row.objects.bulk_create([warning(item, UNDONE) for item in items.values() if item not in warned])


def end_doubts(records: Collection[UUID]) -> None:
    """Delete all warnings of published records but those about possible duplicates."""
    open_doubts = Row.objects.filter(item__record__in=records, item__status="pending")
    open_doubts.exclude(detail__has_key="duplicate_of").delete()
    release(records)
