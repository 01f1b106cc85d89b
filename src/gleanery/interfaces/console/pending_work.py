"""Pending work on the dashboard: each count with a link to its list."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from gleanery import words
from gleanery.review.queue.item_list import DUPLICATES
from gleanery.review.queue.waiting_counts import waiting


class Count(NamedTuple):
    title: str
    many: int
    address: str


def counts() -> dict[str, Any]:
    found = waiting()
    return {
        "waiting": [
            _count("sources to approve or reject", found.sources, kind="source"),
            _count("records to approve, merge or reject", found.records, kind="record"),
            _count("of these, possible duplicates", found.duplicates, warning=DUPLICATES),
        ],
        "warnings": [_count(words.of(code), count, warning=code) for code, count in found.warnings],
    }


def _count(title: str, count: int, **filters: str) -> Count:
    return Count(title, count, f"{reverse('admin:review_item_changelist')}?{urlencode(filters)}")
