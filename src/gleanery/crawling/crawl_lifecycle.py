"""The life of a crawl, and what can become of a visit."""

from __future__ import annotations

from gleanery.roles import DECIDER, SYSTEM
from gleanery.states import Machine, Move

CRAWL = Machine(
    "crawl",
    "waiting",
    #    before     action      after        who
    Move("waiting", "begin", "running", SYSTEM),
    Move("running", "complete", "completed", SYSTEM),
    *(Move(state, "fail", "failed", SYSTEM, needs_reason=True) for state in ("waiting", "running")),
    *(Move(state, "cancel", "cancelled", DECIDER) for state in ("waiting", "running")),
)
OPEN = ("waiting", "running")

# full: known pages are left out until they are due. deep: every page. preview: a first look before anybody approved.
# url: single addresses that somebody asked for.
KINDS = ("full", "deep", "preview", "url")
WHOLE = ("full", "deep")  # those that are a step in the life of the domain

# Queued is the frontier; all others are what came of a visit.
VISIT_STATES = ("queued", "stored", "unchanged", "noted", "redirected", "refused", "failed")
