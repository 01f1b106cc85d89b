"""The life of a session, and the words that discovery uses for what it did."""

from __future__ import annotations

from gleanery.roles import SYSTEM
from gleanery.states import Machine, Move

SESSION = Machine(
    "session",
    "running",
    #    before     action      after              who
    Move("running", "complete", "completed", SYSTEM),
    Move("running", "complete_in_part", "partial_success", SYSTEM, needs_reason=True),
    Move("running", "fail", "failed", SYSTEM, needs_reason=True),
)

# Every approved domain crawled afresh: it asks no provider and belongs to no topic.
WEEKLY = "weekly_deep_crawl"
SESSION_TYPES = ("nightly_discovery", WEEKLY, "manual_search")
PROVIDER_NAMES = ("brave_search", "searxng", "serper", "tavily", "perplexity", "manual_input")

# What became of a hit. The first two are results; the others were thrown out, and what they said is kept 30 days.
FOUND = ("new", "duplicate")
THROWN_OUT = ("spam", "blacklisted", "invalid")
OUTCOMES = FOUND + THROWN_OUT
