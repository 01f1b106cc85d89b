"""What waits for a person, as the dashboard shows it: each count with the list of what it counts."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from gleanery import words
from gleanery.review.queue.item_list import DUPLICATES
from gleanery.review.queue.waiting_counts import waiting


class Counted(NamedTuple):
    title: str
    many: int
    address: str


def of_people() -> dict[str, Any]:
    found = waiting()
    return {
        "waiting": [
            _counted("sources to approve or reject", found.sources, kind="source"),
            _counted("records to approve, merge or reject", found.records, kind="record"),
            _counted("of them possible duplicates", found.duplicates, warning=DUPLICATES),
        ],
        "warnings": [_counted(words.of(code), count, warning=code) for code, count in found.warnings],
    }


def _counted(title: str, count: int, **filters: str) -> Counted:
    return Counted(title, count, f"{reverse('admin:review_item_changelist')}?{urlencode(filters)}")
