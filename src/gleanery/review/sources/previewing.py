"""Previews of waiting sources: a few pages each, for a limited number of domains a day."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F

from gleanery.crawling import services as crawling
from gleanery.domains.models import Domain

log = structlog.get_logger(__name__)


def preview_some(domains: Collection[UUID]) -> int:
    """Start previews, submitted sources first, then by confidence; one that fails stops no other."""
    left = crawling.previews_left() if domains else 0
    best = Domain.objects.filter(pk__in=domains).order_by(F("candidate__confidence").desc(nulls_first=True), "id")
    return sum(_start_preview(domain) for domain in best[:left]) if left else 0


def _start_preview(domain: Domain) -> bool:
    try:
        with transaction.atomic():
            return crawling.preview(domain) is not None
    except Exception:
        log.exception("a preview could not be asked for", domain=domain.name)
        return False
