"""States of a session, and the codes of discovery: session types, providers, outcomes."""

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

# A crawl of every approved domain, which uses no provider and belongs to no topic.
WEEKLY = "weekly_deep_crawl"
SESSION_TYPES = ("nightly_discovery", WEEKLY, "manual_search")
PROVIDER_NAMES = ("brave_search", "searxng", "serper", "tavily", "perplexity", "manual_input")

# Outcomes of a hit. The first two are results; the text of the others is deleted after 30 days.
FOUND = ("new", "duplicate")
THROWN_OUT = ("spam", "blacklisted", "invalid")
OUTCOMES = FOUND + THROWN_OUT
