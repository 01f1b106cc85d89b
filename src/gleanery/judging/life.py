"""States of a candidate; pending_review and in_review are derived from its open review item."""

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

# Reasons why a result was not judged: a status of its domain, or a failure of the judges.
SKIPPED = ("blacklisted", "processed_low_quality", "no_funds_this_year", "before_retry", "failed")
