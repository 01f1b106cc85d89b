"""The life of a candidate. What people see as pending_review or in_review is derived from its open review item."""

from __future__ import annotations

from gleanery.roles import SYSTEM, Role
from gleanery.states import Machine, Move

CANDIDATE = Machine(
    "candidate",
    "skipped_low_confidence",
    #    before                    action     after            who
    Move("skipped_low_confidence", "lift", "pending_crawl", SYSTEM),
    Move("pending_crawl", "approve", "approved", Role.REVIEWER),
    Move("pending_crawl", "reject", "rejected", Role.REVIEWER, needs_reason=True),
)

# Why a result was not judged: its domain stands where no evidence counts, or the judges themselves failed.
SKIPPED = ("blacklisted", "processed_low_quality", "no_funds_this_year", "before_retry", "failed")
