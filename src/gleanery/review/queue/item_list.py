"""Queries of the review queue: its items with everything a list shows, in one query per page."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Case, CharField, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from gleanery import words
from gleanery.crawling.models import Crawl
from gleanery.resolution.near.flagging import ALL_CODES
from gleanery.review.models import Item
from gleanery.review.queue.claims import all_items
from gleanery.sql import rows
from gleanery.text import clean_text

DUPLICATES = "duplicates"  # any warning that something may be the same as another
SHORTEST = 8  # letters of an id, which differ for ids made a minute apart
SUBMITTED = ~Q(domain__submitter_type="system") | Q(domain__submitted_by__isnull=False)

# The next smaller and next larger ids among items and their records. A beginning that differs from both neighbours is
# unique. Indexes: review_item_pkey, and that of record_id.
NEIGHBOURS = """
    SELECT shown.id::text, beside.id::text
    FROM unnest(%(ids)s::uuid[]) AS shown (id)
         CROSS JOIN LATERAL (
             (SELECT id FROM review_item WHERE id < shown.id ORDER BY id DESC LIMIT 1)
             UNION ALL
             (SELECT id FROM review_item WHERE id > shown.id ORDER BY id LIMIT 1)
             UNION ALL
             (SELECT record_id FROM review_item
              WHERE record_id < shown.id AND id <> shown.id ORDER BY record_id DESC LIMIT 1)
             UNION ALL
             (SELECT record_id FROM review_item
              WHERE record_id > shown.id AND id <> shown.id ORDER BY record_id LIMIT 1)
         ) AS beside
"""


def queue() -> QuerySet[Item]:
    """Return items with topic, confidence, origin, preview state and warnings."""
    crawls = Crawl.objects.filter(domain=OuterRef("domain")).exclude(kind="url").order_by("-id")
    return (
        all_items()
        .annotate(
            topic=F("domain__candidate__topic__name"),
            confidence=F("domain__candidate__confidence"),
            came=Case(
                When(kind="record", then=Value("observed")),
                When(SUBMITTED, then=Value("submitted")),
                default=Value("judged"),
                output_field=CharField(),
            ),
            preview=Coalesce(Subquery(crawls.values("status")[:1]), Value("none")),
        )
        .prefetch_related("warnings")
    )


def submitter_of(item: Item) -> str | None:
    """Return the name of the submitter, or the type if no person is known; None if it was found by a search."""
    domain = item.domain
    if domain is None or (domain.submitted_by is None and domain.submitter_type == "system"):
        return None
    return str(domain.submitted_by or words.of(domain.submitter_type))


def filtered(
    items: QuerySet[Item],
    *,
    kind: str | None = None,
    status: str | None = None,
    warning: str | None = None,
    topic: str | None = None,
    claimed: bool | None = None,
) -> QuerySet[Item]:
    """Filter by any of these; None and empty texts do not filter. `warning` is a code or DUPLICATES."""
    exact = {"kind": kind, "status": status, "domain__candidate__topic__name": topic}
    items = items.filter(**{name: clean_text(value) for name, value in exact.items() if value})
    if warning:
        codes = ALL_CODES if warning == DUPLICATES else (clean_text(warning),)
        items = items.filter(pk__in=Item.objects.filter(warnings__code__in=codes))
    held = Q(claimed_until__gt=Now())
    return items if claimed is None else items.filter(held if claimed else ~held)


def unique_id_length(ids: Iterable[UUID]) -> int:
    """Return how many letters of these ids are needed so that no other item or record begins with them."""
    pairs = rows(NEIGHBOURS, ids=list(ids))
    return max([SHORTEST, *(_first_difference(one, other) + 1 for one, other in pairs)])


def _first_difference(one: str, other: str) -> int:
    return next(at for at, (letter, there) in enumerate(zip(one, other, strict=True)) if letter != there)
