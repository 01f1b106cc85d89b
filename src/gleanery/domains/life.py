"""States of a domain: its processing, and its approval as a source."""

from __future__ import annotations

from datetime import timedelta

from gleanery.roles import ANYONE, DECIDER, SYSTEM, Role
from gleanery.states import Machine, Move

SETTLED = ("crawled", "processed_high_quality", "processed_low_quality")

PROCESSING = Machine(
    "domain",
    "discovered",
    #    before               action         after                     who
    Move("discovered", "propose", "pending_crawl", SYSTEM),
    Move("discovered", "rate_low", "processed_low_quality", SYSTEM),
    Move("pending_crawl", "start", "processing", SYSTEM),
    Move("processing", "finish", "crawled", SYSTEM),
    Move("processing", "fail", "processing_failed", SYSTEM, needs_reason=True),
    Move("processing_failed", "start", "processing", SYSTEM),
    Move("crawled", "rate_high", "processed_high_quality", SYSTEM),
    Move("crawled", "rate_low", "processed_low_quality", SYSTEM),
    *(Move(state, "start", "processing", SYSTEM) for state in SETTLED),
    *(Move(state, "no_funds", "no_funds_this_year", Role.REVIEWER) for state in SETTLED),
    Move("no_funds_this_year", "start", "processing", SYSTEM),
    *(
        Move(state, "blacklist", "blacklisted", Role.REVIEWER, needs_reason=True)
        for state in ("discovered", "pending_crawl", "processing", "processing_failed", *SETTLED, "no_funds_this_year")
    ),
    Move("blacklisted", "lift", "discovered", Role.ADMIN, needs_reason=True),
    column="processing_status",
)
BLACKLISTED = "blacklisted"

# Pause after the first, second, third and every further failure in a row.
BACK_OFF = (timedelta(hours=1), timedelta(hours=4), timedelta(days=1), timedelta(days=7))
YEARS = range(2020, 2101)

APPROVAL = Machine(
    "source",
    "none",
    #    before            action      after             who
    Move("none", "submit", "pending_review", ANYONE),
    Move("none", "propose", "pending_review", SYSTEM),
    # Trusted domains are approved without a review, whether found or submitted.
    *(Move(state, "pass", "approved", SYSTEM) for state in ("none", "pending_review")),
    Move("pending_review", "approve", "approved", DECIDER),
    Move("pending_review", "reject", "rejected", DECIDER, needs_reason=True),
    Move("approved", "suspend", "suspended", DECIDER),
    Move("suspended", "resume", "approved", DECIDER),
    *(Move(state, "undo", "pending_review", DECIDER) for state in ("approved", "rejected")),
    *(Move(state, "resubmit", "pending_review", Role.REVIEWER) for state in ("approved", "rejected")),
    column="approval_status",
)
