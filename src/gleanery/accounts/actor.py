"""Actor: who is doing something now, a person, a program with a key, or the system."""

from __future__ import annotations

from dataclasses import dataclass

from gleanery.accounts.models import ApiKey, User
from gleanery.errors import NotAllowed
from gleanery.roles import DECIDER, SCOPES_OF, SYSTEM, Role, Scope, Who


@dataclass(frozen=True, slots=True)
class Actor:
    user: User
    key: ApiKey | None = None

    @property
    def role(self) -> Role | None:
        """A key acts with its owner's role only if it has the scope admin; otherwise its scopes are all it has."""
        if self.key is not None and Scope.ADMIN not in self.key.effective_scopes:
            return None
        return self.user.role

    @property
    def who(self) -> Who | None:
        """What the tables of moves ask about: an agent's key may decide, but never has its owner's role."""
        if self.key is None and self.user.username == SYSTEM:
            return SYSTEM
        return self.role or (DECIDER if Scope.DECIDE in self.scopes else None)

    @property
    def scopes(self) -> frozenset[Scope]:
        if self.key is not None:
            return self.key.effective_scopes
        return SCOPES_OF[self.user.role] if self.user.role else frozenset()

    def must_be(self, role: Role, to: str) -> None:
        if self.role is None or not self.role.covers(role):
            raise NotAllowed(f"To {to} takes the role {role}.")


def system() -> Actor:
    """The machine itself, for what nobody asked for; it has the role admin and cannot log in."""
    return Actor(User.objects.get(username=SYSTEM))
