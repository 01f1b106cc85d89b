"""State machine of a feed: found, approved or left out, stopped after repeated failures, removed."""

from __future__ import annotations

from gleanery.roles import DECIDER, SYSTEM
from gleanery.states import Machine, Move

FEED = Machine(
    "feed",
    "found",
    #    before      action       after        who
    Move("found", "approve", "approved", DECIDER),
    *(Move(state, "leave_out", "left_out", DECIDER) for state in ("found", "approved", "stopped")),
    Move("left_out", "approve", "approved", DECIDER),
    Move("approved", "stop", "stopped", SYSTEM, needs_reason=True),
    Move("stopped", "approve", "approved", DECIDER),
    *(Move(state, "remove", "removed", DECIDER) for state in ("found", "approved", "left_out", "stopped")),
    Move("removed", "approve", "approved", DECIDER),
    column="state",
)
