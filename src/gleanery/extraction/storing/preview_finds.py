"""What the preview of a source tells of; its pages are read once more when it is approved."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any

from gleanery.domains.models import Domain
from gleanery.extraction.models import PreviewFind
from gleanery.extraction.running.batch import Finding, Worker
from gleanery.extraction.running.extractor_pool import Extractor
from gleanery.extraction.storing.statements import Waiting

MOST = 100
LONGEST_NAME = 500


def look_at_preview(domain: Domain, batch: list[Waiting]) -> list[Finding]:
    """Without the model, which is not asked about a source that nobody wants yet."""
    with asyncio.Runner() as runner:
        extractor = Extractor()
        try:
            runner.run(extractor.__aenter__())
            return Worker(domain, extractor, runner, asks_model=False).look_at(batch)
        finally:
            runner.run(extractor.close())


def finds(domain: Domain, found: list[Finding]) -> list[PreviewFind]:
    """Each thing once, as far as its kind and name tell."""
    things = {
        (said.draft.kind, str(said.payload["name"])): (each.done.page, said.payload)
        for each in found
        for said in each.said
    }
    return [
        PreviewFind(domain=domain, page_id=page, kind=kind, name=name[:LONGEST_NAME], day=_day(payload))
        for (kind, name), (page, payload) in list(things.items())[:MOST]
    ]


def _day(payload: Mapping[str, Any]) -> date | None:
    """On which it begins, or closes."""
    try:
        return date.fromisoformat(str(payload.get("start") or payload.get("deadline") or "")[:10])
    except ValueError:
        return None
