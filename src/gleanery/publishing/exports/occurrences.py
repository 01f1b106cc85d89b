"""The dates of a record that several sources name, each as its clearest source writes it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gleanery.extraction.values import clock
from gleanery.resolution.records.projection import occurrences, spans_of
from gleanery.resolution.records.values import MOST_SPANS

Clearness = tuple[bool, bool]


def united(payloads: Sequence[dict[str, Any]], country: str) -> list[dict[str, str]]:
    """Return all dates as `occurrences` of an import has them; the most trusted source comes first in `payloads`."""
    written = _written(payloads, country)
    spans = occurrences(payloads, country)[:MOST_SPANS]
    return [
        {"start": written[span.start], **({"end": written[span.end]} if span.end in written else {})} for span in spans
    ]


def _written(payloads: Sequence[dict[str, Any]], country: str) -> dict[datetime, str]:
    """An instant with its offset is clearer than a time, and that than a day."""
    found: dict[datetime, tuple[Clearness, str]] = {}
    for text in (text for payload in payloads for span in spans_of(payload) for text in span if text):
        if (moment := clock.read(text, country)) is None:
            continue
        clearness = (moment.exact is not None, moment.wall is not None)
        at = clock.instant(moment)
        if at not in found or clearness > found[at][0]:
            found[at] = clearness, text
    return {at: text for at, (_, text) in found.items()}
