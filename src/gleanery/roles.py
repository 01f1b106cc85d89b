"""Roles of people and scopes of keys."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal


class Scope(StrEnum):
    """Permission of a key; people have the scopes of their role."""

    READ = "read"
    INGEST = "ingest"
    PROPOSE = "review:propose"
    DECIDE = "review:decide"
    ADMIN = "admin"


class Role(StrEnum):
    """Role of a person; each role includes the ones before it."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def covers(self, other: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


# The system itself: it may do everything people may, and takes steps that no person takes.
SYSTEM: Final = "system"
# Prefix of users who are known only by their login on the machine; nobody can log in with such a name.
AT_TERMINAL: Final = "cli:"
# Someone who decides in the review queue: a reviewer, or a program whose key has the scope review:decide.
DECIDER: Final = "decider"
# Anyone, without authentication.
ANYONE: Final = "anyone"
Who = Role | Literal["system", "decider", "anyone"]


def may_act(have: Who | None, need: Who) -> bool:
    if need == ANYONE or have == SYSTEM:
        return True
    if have is None or need == SYSTEM:
        return False
    if DECIDER in (have, need):
        return need == DECIDER and (have == DECIDER or Role(have).covers(Role.REVIEWER))
    return Role(have).covers(Role(need))


SCOPES_OF: dict[Role, frozenset[Scope]] = {
    Role.VIEWER: frozenset({Scope.READ}),
    Role.REVIEWER: frozenset({Scope.READ, Scope.INGEST, Scope.PROPOSE, Scope.DECIDE}),
    Role.ADMIN: frozenset(Scope),
}
