"""The queue as people, programs and agents look at it: one query for a page of it, however many rows it has."""

from __future__ import annotations

from django.db.models import Case, CharField, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from gleanery.crawling.models import Crawl
from gleanery.resolution.matches.flagging import ALL_CODES
from gleanery.review.claims import all_items
from gleanery.review.models import Item
from gleanery.text import clean_text

DUPLICATES = "duplicates"  # any warning that something may be the same as another
SUBMITTED = ~Q(domain__submitter_type="system") | Q(domain__submitted_by__isnull=False)


def queue() -> QuerySet[Item]:
    """With what a list shows of each: topic, confidence, how it came, how far its preview is, its warnings."""
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


def filtered(
    items: QuerySet[Item],
    *,
    kind: str | None = None,
    status: str | None = None,
    warning: str | None = None,
    topic: str | None = None,
    claimed: bool | None = None,
) -> QuerySet[Item]:
    """By any of these; None or an empty text asks for nothing. The warning is a code, or DUPLICATES."""
    exact = {"kind": kind, "status": status, "domain__candidate__topic__name": topic}
    items = items.filter(**{name: clean_text(value) for name, value in exact.items() if value})
    if warning:
        codes = ALL_CODES if warning == DUPLICATES else (clean_text(warning),)
        items = items.filter(pk__in=Item.objects.filter(warnings__code__in=codes))
    held = Q(claimed_until__gt=Now())
    return items if claimed is None else items.filter(held if claimed else ~held)
