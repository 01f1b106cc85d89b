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
Who = Role | Literal["system"]


def may_act(have: Who | None, need: Who) -> bool:
    if have is None or have == SYSTEM:
        return have is not None
    return need != SYSTEM and Role(have).covers(Role(need))


SCOPES_OF: dict[Role, frozenset[Scope]] = {
    Role.VIEWER: frozenset({Scope.READ}),
    Role.REVIEWER: frozenset({Scope.READ, Scope.INGEST, Scope.PROPOSE, Scope.DECIDE}),
    Role.ADMIN: frozenset(Scope),
}
