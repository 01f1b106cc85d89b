"""The console pages of a record and of a pair, with the questions about them that wait for an answer."""

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
class AskedRecordAdmin(RecordAdmin):
    """Review is a later stage than making records, so what it asks is added here to the pages of the earlier one."""

    def about(self, *shown: Record) -> dict[str, Any]:
        waiting = list(Item.objects.filter(record__in=shown, status="pending").select_related("record"))
        return {"likely": likely(*shown) if len(shown) == 1 else [], "waiting": waiting}


def likely(record: Record) -> list[Record]:
    """Those that it is taken for, and those that are taken for it. Indexes: review_record_once, review_warning_pair."""
    taken_for = {
        other
        for item in Item.objects.filter(record=record, status="pending")
        for other in record_decisions.candidates(item)
    }
    told = Row.objects.filter(detail__has_key="duplicate_of").alias(other=KT("detail__duplicate_of"))
    taken = told.filter(other=str(record.pk), item__status="pending").values_list("item__record", flat=True)
    there = Record.objects.filter(pk__in={*taken_for, *taken}, kind=record.kind, status__in=LIVE)
    return list(there.order_by("name", "pk")[:MOST_LIKELY])
