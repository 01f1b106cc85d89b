"""Jobs of review."""

from __future__ import annotations

from procrastinate.contrib.django import app

from gleanery.review.previewing import preview_waiting


@app.periodic(cron="7 * * * *")
@app.task(queueing_lock="preview_waiting_sources")
def preview_waiting_sources(timestamp: int) -> None:
    """What was found on a day that had no previews left gets one on a day that has."""
    preview_waiting()
