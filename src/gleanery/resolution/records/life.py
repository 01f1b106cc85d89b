"""States of a record and the moves between them."""

from __future__ import annotations

from gleanery.roles import DECIDER, SYSTEM
from gleanery.states import Machine, Move

LIVE = ("in_review", "published")

RECORD = Machine(
    "record",
    "in_review",
    #    before      action     after        who
    Move("in_review", "publish", "published", DECIDER),
    # Undoes a decision to publish; later observations never do that.
    Move("published", "withdraw", "in_review", DECIDER),
    *(Move(state, "merge", "merged", DECIDER) for state in LIVE),
    *(Move(state, "delete", "deleted", DECIDER, needs_reason=True) for state in LIVE),
    # Each returns to its previous state.
    Move("merged", "unmerge_published", "published", DECIDER),
    Move("merged", "unmerge_in_review", "in_review", DECIDER),
    Move("deleted", "restore_published", "published", DECIDER),
    Move("deleted", "restore_in_review", "in_review", DECIDER),
    # All its sources are blacklisted; it comes back when that is lifted, or when another source has it.
    *(Move(state, "take_down", "withdrawn", SYSTEM) for state in LIVE),
    *(Move("withdrawn", f"bring_back_{state}", state, SYSTEM) for state in LIVE),
)
VERDICTS = ("same", "different", "unsure")
