"""Counts of pending items, in a fixed number of queries."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count

from gleanery.review.models import Item
from gleanery.review.queue.item_list import DUPLICATES, filtered


class Waiting(NamedTuple):
    sources: int
    records: int
    duplicates: int
    warnings: list[tuple[str, int]]  # number of items per code, the most frequent first


def waiting() -> Waiting:
    """Return the counts. Indexes: review_pending, and that of the warnings of an item."""
    items = filtered(Item.objects.order_by(), status="pending")
    kinds = dict(items.values_list("kind").annotate(Count("pk")))
    warned = items.filter(warnings__isnull=False).values_list("warnings__code")
    warnings = warned.annotate(items=Count("pk", distinct=True)).order_by("-items", "warnings__code")
    duplicates = filtered(items, warning=DUPLICATES).count()
    return Waiting(kinds.get("source", 0), kinds.get("record", 0), duplicates, list(warnings))
