"""States of an API key."""

from gleanery.roles import Role
from gleanery.states import Machine, Move

KEY = Machine(
    "key",
    "active",
    #    before    action    after      who
    Move("active", "revoke", "revoked", Role.ADMIN),
)
