"""The life of a webhook."""

from __future__ import annotations

from gleanery.roles import SYSTEM, Role
from gleanery.states import Machine, Move

WEBHOOK = Machine(
    "webhook",
    "active",
    #    before      action      after       who
    Move("active", "disable", "disabled", Role.ADMIN),
    # Its receiver has failed for days, or said that it is gone for good.
    Move("active", "give_up", "failed", SYSTEM),
    *(Move(state, "enable", "active", Role.ADMIN) for state in ("disabled", "failed")),
    *(Move(state, "remove", "removed", Role.ADMIN) for state in ("active", "disabled", "failed")),
)
OUTCOMES = ("pending", "delivered", "failed")
