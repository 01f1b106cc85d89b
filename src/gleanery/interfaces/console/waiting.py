"""What waits for a person, as the dashboard shows it: each count with the list of what it counts."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from gleanery import words
from gleanery.review.queue import DUPLICATES
from gleanery.review.waiting import waiting

QUEUE, DOMAINS, CANDIDATES = "review_item", "domains_domain", "judging_candidate"


class Counted(NamedTuple):
    title: str
    many: int
    address: str


def of_people() -> dict[str, Any]:
    found = waiting()
    return {
        "waiting": [
            _counted("sources to approve or reject", found.sources, QUEUE, kind="source"),
            _counted("records to approve, merge or reject", found.records, QUEUE, kind="record"),
            _counted("of them possible duplicates", found.duplicates, QUEUE, warning=DUPLICATES),
            _counted("domains waiting for approval", found.domains, DOMAINS, approval_status__exact="pending_review"),
            _counted("good candidates not decided about", found.candidates, CANDIDATES, status__exact="pending_crawl"),
        ],
        "warnings": [_counted(words.of(code), count, QUEUE, warning=code) for code, count in found.warnings],
    }


def _counted(title: str, count: int, page: str, **filters: str) -> Counted:
    return Counted(title, count, f"{reverse(f'admin:{page}_changelist')}?{urlencode(filters)}")
