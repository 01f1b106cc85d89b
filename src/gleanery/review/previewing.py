"""First looks at sources that wait for a decision: a few pages of the best ones, as many domains a day as is polite."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from gleanery.crawling import services as crawling
from gleanery.crawling.models import Crawl
from gleanery.domains.models import Domain
from gleanery.review.models import Item

log = structlog.get_logger(__name__)


def preview_some(domains: Collection[UUID]) -> int:
    """What people submitted comes first, then what the judges like best. A preview that fails costs nothing else."""
    return _preview(Domain.objects.filter(pk__in=domains)) if domains else 0


def preview_waiting() -> int:
    """Those in the queue that no preview was left for on their day."""
    waiting = Item.objects.filter(domain=OuterRef("pk"), kind="source", status="pending")
    seen = Crawl.objects.filter(domain=OuterRef("pk"), kind="preview")
    return _preview(Domain.objects.filter(Exists(waiting), ~Exists(seen), approval_status="pending_review"))


def _preview(domains: QuerySet[Domain]) -> int:
    left = crawling.previews_left()
    best = domains.order_by(F("candidate__confidence").desc(nulls_first=True), "id")[:left] if left else ()
    return sum(_looked_at(domain) for domain in best)


def _looked_at(domain: Domain) -> bool:
    try:
        with transaction.atomic():
            return crawling.preview(domain) is not None
    except Exception:
        log.exception("a preview could not be asked for", domain=domain.name)
        return False
