"""Console pages of a record and of a pair, extended by their open review items."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models.fields.json import KT

from gleanery.resolution.admin import RecordAdmin
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import LIVE
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.records import record_decisions

MOST_LIKELY = 10

admin.site.unregister(Record)


@admin.register(Record)
class ReviewedRecordAdmin(RecordAdmin):
    """Adds open review items to the record pages; review is a later stage, so the resolution stage cannot import it."""

    def about(self, *shown: Record) -> dict[str, Any]:
        waiting = list(Item.objects.filter(record__in=shown, status="pending").select_related("record"))
        return {"likely": likely(*shown) if len(shown) == 1 else [], "waiting": waiting}


def likely(record: Record) -> list[Record]:
    """Return possible duplicates in both directions. Indexes: review_record_once, review_warning_pair."""
    named = {
        other
        for item in Item.objects.filter(record=record, status="pending")
        for other in record_decisions.candidates(item)
    }
    warnings = Row.objects.filter(detail__has_key="duplicate_of").alias(other=KT("detail__duplicate_of"))
    naming = warnings.filter(other=str(record.pk), item__status="pending").values_list("item__record", flat=True)
    found = Record.objects.filter(pk__in={*named, *naming}, kind=record.kind, status__in=LIVE)
    return list(found.order_by("name", "pk")[:MOST_LIKELY])
