"""Codes of all warnings that an item may have."""

from __future__ import annotations

from gleanery.resolution.near import flagging
from gleanery.resolution.records import quality

DEEP_CRAWL, LOOKALIKE = "deep_crawl", "lookalike"
SIBLING_REJECTED, SIBLING_APPROVED = "sibling_rejected", "sibling_approved"
UNDONE, REPORTED = "undone", "reported"
CODES = (
    *(SIBLING_REJECTED, SIBLING_APPROVED, DEEP_CRAWL, LOOKALIKE),
    *quality.CODES,
    *flagging.ALL_CODES,
    UNDONE,
    REPORTED,
)
