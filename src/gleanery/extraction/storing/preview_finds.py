"""Finds of a preview, shown before a source is approved; its pages are extracted again after approval."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any

from gleanery.domains.models import Domain
from gleanery.extraction.models import PreviewFind
from gleanery.extraction.running.batch import BatchExtractor, PageResult
from gleanery.extraction.running.extractor_pool import Extractor
from gleanery.extraction.storing.statements import WaitingPage

MOST = 100
LONGEST_NAME = 500


def extract_preview_pages(domain: Domain, batch: list[WaitingPage]) -> list[PageResult]:
    """Extract preview pages without the model, whose caps are kept for approved sources."""
    with asyncio.Runner() as runner:
        extractor = Extractor()
        try:
            runner.run(extractor.__aenter__())
            return BatchExtractor(domain, extractor, runner, asks_model=False).extract_pages(batch)
        finally:
            runner.run(extractor.close())


def preview_finds(domain: Domain, found: list[PageResult]) -> list[PreviewFind]:
    """Return one find per kind and name."""
    things = {
        (prepared.draft.kind, str(prepared.payload["name"])): (each.done.page, prepared.payload)
        for each in found
        for prepared in each.prepared
    }
    return [
        PreviewFind(domain=domain, page_id=page, kind=kind, name=name[:LONGEST_NAME], day=_day(payload))
        for (kind, name), (page, payload) in list(things.items())[:MOST]
    ]


def _day(payload: Mapping[str, Any]) -> date | None:
    """Return the day of the start or deadline."""
    try:
        return date.fromisoformat(str(payload.get("start") or payload.get("deadline") or "")[:10])
    except ValueError:
        return None
