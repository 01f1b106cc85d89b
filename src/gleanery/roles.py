"""Roles of people and scopes of keys: who may do what, as two small tables."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal


class Scope(StrEnum):
    """What a key may be used for; a person has the scopes of their role."""

    READ = "read"
    INGEST = "ingest"
    PROPOSE = "review:propose"
    DECIDE = "review:decide"
    ADMIN = "admin"


class Role(StrEnum):
    """What a person is. Each role may do all that the ones before it may."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def covers(self, other: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


# The machine itself: it may do all that people may, and takes the steps that no person takes.
SYSTEM: Final = "system"
# How the names of those begin who are known by their login on a machine alone; nobody can log in by such a name.
AT_TERMINAL: Final = "cli:"
# Whoever decides in the review queue: a reviewer, or a program whose key has the scope review:decide.
DECIDER: Final = "decider"
# Whoever comes along; nobody has to be known for this.
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
