"""Sample of a feed: its next few events. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gleanery.extraction.draft import Draft

MOST = 5
SHOWN = ("name", "start", "end", "venue_name", "locality", "url")


def sample_of(drafts: Sequence[Draft], most: int = MOST) -> list[dict[str, Any]]:
    """Return the events that come next."""
    first = sorted(drafts, key=lambda draft: str(draft.fields.get("start", "")))[:most]
    return [{name: each.fields[name] for name in SHOWN if name in each.fields} for each in first]
