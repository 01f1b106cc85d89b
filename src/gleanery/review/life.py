"""States of a review item. A claim is not a state: it is stored beside it and expires by itself."""

from __future__ import annotations

from datetime import timedelta

from gleanery.roles import DECIDER, SYSTEM
from gleanery.states import Machine, Move

DECIDED = ("approved", "rejected", "merged")

ITEM = Machine(
    "review item",
    "pending",
    #    before    action       after         who
    Move("pending", "approve", "approved", DECIDER),
    Move("pending", "reject", "rejected", DECIDER, needs_reason=True),
    Move("pending", "merge", "merged", DECIDER),
    Move("pending", "supersede", "superseded", SYSTEM),
    *(Move(state, "undo", "pending", DECIDER) for state in (*DECIDED, "superseded")),
)
CLAIM_LASTS = timedelta(minutes=15)
KINDS = ("source", "record")
