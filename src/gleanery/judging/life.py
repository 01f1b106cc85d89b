"""The life of a candidate. What people see as pending_review or in_review is derived from its open review item."""

from __future__ import annotations

from gleanery.roles import DECIDER, SYSTEM
from gleanery.states import Machine, Move

CANDIDATE = Machine(
    "candidate",
    "skipped_low_confidence",
    #    before                    action     after            who
    Move("skipped_low_confidence", "lift", "pending_crawl", SYSTEM),
    Move("pending_crawl", "approve", "approved", DECIDER),
    Move("pending_crawl", "reject", "rejected", DECIDER, needs_reason=True),
    *(Move(state, "undo", "pending_crawl", DECIDER) for state in ("approved", "rejected")),
)

# Why a result was not judged: its domain stands where no evidence counts, or the judges themselves failed.
SKIPPED = ("blacklisted", "processed_low_quality", "no_funds_this_year", "before_retry", "failed")
