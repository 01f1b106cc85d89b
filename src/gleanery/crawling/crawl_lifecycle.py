"""States of a crawl and of its visits, and the kinds of crawl."""

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

# full: skips known pages that are not due yet. deep: visits every page. preview: a few pages of a domain that is not
# approved yet. url: single addresses on request.
KINDS = ("full", "deep", "preview", "url")
WHOLE = ("full", "deep")  # these change the processing status of the domain

# "queued" visits are the frontier; all other states are results.
VISIT_STATES = ("queued", "stored", "unchanged", "noted", "redirected", "refused", "failed")
